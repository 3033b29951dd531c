// The report for GitLab: a list of issues at lines, the same finding under the same fingerprint.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { assay, type Run } from "../support/assay.ts";
import { breach, judged, runOf } from "../support/formats.ts";
import { madeLoad } from "../support/madeLoads.ts";
import { made } from "../support/madeRuns.ts";
import { leftIn } from "../support/reports.ts";

interface Issue {
  readonly description: string;
  readonly check_name: string;
  readonly fingerprint: string;
  readonly severity: string;
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
}

/** As `assay report` writes and prints it. */
async function issuesIn(run: Run): Promise<readonly Issue[]> {
  const folder = leftIn(run);
  const { stdout } = await assay(["report", folder, "--format", "gitlab"]);
  await assay(["report", folder]);
  expect(`${stdout.trimEnd()}\n`).toBe(readFileSync(join(folder, "gl-code-quality-report.json"), "utf8"));
  return JSON.parse(stdout) as readonly Issue[];
}

const broken = (change: Partial<Parameters<typeof judged>[0]> = {}): Run =>
  runOf(judged({ verdict: "broken", breaches: [breach], ...change }));

test("it is a list of issues, each with what GitLab needs", async () => {
  const issues = await issuesIn(broken());
  expect(issues).toEqual([
    {
      description: expect.stringMatching(/^USG-FLD-01 .*at \/creditsRemaining: expected must be number, got "7"$/),
      check_name: "USG-FLD-01",
      fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/),
      severity: "critical",
      location: { path: "specs/nouns/CreditAmount.yaml", lines: { begin: expect.any(Number) } },
    },
  ]);
});

for (const [title, verdict, severities] of [
  ["a warning is minor", { verdict: "broken", enforced: "warn", breaches: [breach] }, ["minor"]],
  ["what is inconclusive is told", { verdict: "inconclusive", reason: "reset" }, ["info"]],
  ["what holds is no issue", {}, []],
] as const)
  test(title, async () => {
    expect((await issuesIn(runOf(judged(verdict)))).map(({ severity }) => severity)).toEqual(severities);
  });

test("fingerprints stay with another answer and another index, and differ between places", async () => {
  const of = async (at: string, exchange = 1): Promise<string | undefined> =>
    (await issuesIn(broken({ id: "TA-ARR-01", breaches: [{ ...breach, at, exchange }] })))[0]?.fingerprint;
  expect(await of("/result/token_accounts/3")).toBe(await of("/result/token_accounts/17", 9));
  expect(await of("/result/token_accounts")).not.toBe(await of("/result/token_accounts/3"));
});

test("a run that must not look green is an issue of its own", async () => {
  const run = { ...made(0, { requirements: [judged({ verdict: "withheld" })] }), exitCode: 3 };
  const issues = await issuesIn(run);
  expect(issues.map(({ check_name, description }) => [check_name, description])).toEqual([
    ["Assay", "Inconclusive: nothing was verified; 0 of 1 requirement judged"],
  ]);
});

test("an exceeded bound is an issue of its own, the same one with another p95", async () => {
  const issuesWith = (p95_ms: number) => {
    const bounds = [{ operation: "getProjectUsage", bound_ms: 150, p95_ms, isKept: false }] as const;
    return issuesIn({ ...runOf(judged({}), { load: madeLoad({ bounds }) }), exitCode: 1 });
  };
  const [issues, [again]] = [await issuesWith(182.4), await issuesWith(200)];
  expect(issues.map(({ check_name, description }) => [check_name, description])).toEqual([
    ["Bound", "getProjectUsage answered with p95 182 ms, above the target file's bound of 150 ms"],
  ]);
  expect(again?.fingerprint).toBe(issues[0]?.fingerprint);
});
