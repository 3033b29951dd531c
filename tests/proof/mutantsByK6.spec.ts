// Tests of mutants of rate limits by real k6: which ones run, results, exit codes
import { expect, test } from "@playwright/test";
import { namesByK6, summaryOf } from "../../cli/mutantsByK6.ts";
import { CommandLineError } from "../../harness/core/commandLineError.ts";
import { loadSuite } from "../../load/suite.ts";
import { select } from "../../proof/mutants.ts";
import { rightLimiters, type TriedByK6, tryOneByK6 } from "../../proof/mutantsByK6.ts";
import { algorithms } from "../../reference/platform/limitRules.ts";
import { assay, expectCommandLineError, program } from "../support/assay.ts";
import { k6 } from "../support/k6.ts";

const named = (...names: readonly string[]): readonly string[] => namesByK6(names, select(names));

test("all mutants of rates run beside all right limiters; named ones beside the honest reference alone", () => {
  const everything = [...rightLimiters, ...select(["RATE"]).mutants.map(({ id }) => id)];
  expect(named()).toEqual(everything);
  expect(named("RATE")).toEqual(everything);
  expect(rightLimiters).toHaveLength(algorithms.length);
  expect(named("RATE-ADM-02.limit-6", "RATE-SB-01")).toEqual([
    rightLimiters[0],
    "RATE-ADM-02.limit-6",
    "RATE-SB-01.limit-4",
    "RATE-SB-01.global-3",
  ]);
  expect(() => named("RATE-SB-01", "CYC-PRES-01")).toThrow(CommandLineError);
});

for (const [title, args, says] of [
  ["mutants that need no k6", ["CYC"], "CYC is about something else"],
  ["--properties", ["RATE", "--properties"], "Leave one of them out"],
] as const) {
  test(`--load with ${title} is a command line error`, () =>
    expectCommandLineError(["mutants", "--load", ...args], says));
}

test("without a k6 the error names the reason", () =>
  expectCommandLineError(["mutants", "--load", "RATE-SB-02"], "K6_BIN is /nowhere/k6, which isn't k6", {
    K6_BIN: "/nowhere/k6",
  }));

const tried = (id: string, result: TriedByK6["result"], why: string | null = null): TriedByK6 => {
  const none = { broken: [], undeclared: [], stale: [] };
  return { id, result, why, ...none };
};
const killed = tried("RATE-ADM-01.limit-4", "killed");
const silent = tried(rightLimiters[0] ?? "", "silent");
const survived = tried("RATE-ADM-02.limit-6", "survived");
const saturated = "RATE-SB-02 is inconclusive: the generator was saturated";
const inconclusive = tried("RATE-SB-02.limit-6", "inconclusive", saturated);

for (const [title, results, exitCode] of [
  ["killed mutants and silent limiters pass", [silent, killed], 0],
  ["a mutant that survives fails, whatever is inconclusive", [silent, killed, survived, inconclusive], 1],
  ["a mutant that breaks undeclared requirements fails", [silent, tried("RATE-ADM-01.limit-4", "misdeclared")], 1],
  ["a right limiter that is flagged fails", [tried(rightLimiters[1] ?? "", "flagged"), killed], 1],
  ["an inconclusive mutant is exit code 3", [silent, killed, inconclusive], 3],
] as const) {
  test(title, () => expect(summaryOf(results).exitCode).toBe(exitCode));
}

test("each mutant that isn't killed has its own line with the reason", () => {
  expect(summaryOf([silent, killed, survived, inconclusive]).lines).toEqual([
    "SURVIVED  RATE-ADM-02.limit-6  broken: nothing",
    `INCONCLUSIVE  RATE-SB-02.limit-6  ${saturated}`,
    "1 of 3 mutants killed in real time · 1 of 1 right limiters silent · 1 inconclusive",
  ]);
});

test("a k6 that fails leaves every mutant inconclusive, also when it is repeated alone", { tag: "@slow" }, async () => {
  const failing = program("k6", 'if [ "$1" = version ]; then echo "k6 v2.2.0"; else cat > /dev/null; exit 1; fi');
  const { code, stdout, stderr } = await assay(["mutants", "--load", "RATE-SB-02.limit-6", "--json"], {
    K6_BIN: failing,
  });
  expect(code).toBe(3);
  const { results } = JSON.parse(stdout) as { readonly results: readonly TriedByK6[] };
  expect(results.map(({ id, result }) => ({ id, result }))).toEqual([
    { id: rightLimiters[0], result: "inconclusive" },
    { id: "RATE-SB-02.limit-6", result: "inconclusive" },
  ]);
  for (const { why } of results) expect(why).toMatch(/^RATE-\S+ is inconclusive: k6 ended with exit code 1$/);
  expect(stderr.match(/INCONCLUSIVE {2}RATE-SB-02\.limit-6/g)).toHaveLength(2);
});

test("a mutant is killed by real k6 in real time, and the honest reference is silent", { tag: "@slow" }, async () => {
  const { version } = k6();
  const { code, stdout } = await assay(["mutants", "--load", "RATE-SB-02.limit-6"]);
  const all = "1 of 1 mutants killed in real time · 1 of 1 right limiters silent · 0 inconclusive";
  expect(stdout).toContain(`${all} · k6 ${version}`);
  expect(code).toBe(0);
});

test("a mutant without checks for it survives in real time, too", { tag: "@slow" }, async () => {
  const blind = { ...loadSuite, checks: loadSuite.checks.filter(({ ids }) => !ids.includes("RATE-SB-02")) };
  expect(await tryOneByK6(blind, "RATE-SB-02.limit-6", k6())).toMatchObject({ result: "survived", why: null });
});
