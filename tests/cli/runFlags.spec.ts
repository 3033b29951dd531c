// Flags of assay run: what is planned, selected and counted, when it ends early, and where it writes.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import {
  assay,
  assayRun,
  bytesBelow,
  type Ended,
  emptyFolder,
  expectCommandLineError,
  type Run,
  runIn,
} from "../support/assay.ts";
import { brokenRun } from "../support/crashes.ts";
import { mutantVendor } from "../support/mutantVendor.ts";
import { deadBase, smallEnvironment, smallTarget, targetFile, vendor } from "../support/vendor.ts";

test.describe.configure({ mode: "parallel" });

const payer = `
allow: [sendBundle, load]
bundles: { tipAccount: "8iU3ju5vZRPQDQ4JjQHJz17fnB14rjvYwjAtCXDpi5s8", payer: { env: SMALL_PAYER } }`;

test("--plan needs no keys, sends nothing and makes no folder", async () => {
  let requests = 0;
  const { base, close } = await vendor((_request, response) => {
    requests += 1;
    response.end();
  });
  const folder = join(emptyFolder(), "run");
  const target = ["--target", targetFile(smallTarget(base)), "--out", folder];
  const withoutKeys = { SMALL_KEY: "", SMALL_PAYER: "" };
  const planned = async (...command: readonly string[]): Promise<Ended> => {
    const ended = await assay([...command, ...target, "--plan"], withoutKeys);
    expect(ended).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining(base) });
    return ended;
  };
  const run = await planned("run");
  const stdout = run.stdout.replace("not set: SMALL_KEY; a run needs it\n", "");
  expect(await assay(["run", ...target, "--plan"], smallEnvironment)).toEqual({ ...run, stdout });
  await planned("load", "smoke");
  await planned("load", "limits");
  const paying = ["run", "--target", targetFile(smallTarget(base) + payer), "--plan"];
  expect((await assay(paying, withoutKeys)).code).toBe(0);
  await close();
  expect([requests, existsSync(folder)]).toEqual([0, false]);
});

const stopped = "the run ended at the first breach";
const isStopped = ({ requirements: all }: Run): boolean => all.some(({ reason }) => reason?.includes(stopped));

test("--fail-fast ends a run at the first breach; the others are recorded as not tested", async () => {
  const args = ["run", "--mutant", "CYC-PRES-01.omit-on-free", "--only", "CYC-PRES-01,IH-OK-01,NAP-MAP-01"];
  const { code, run, stdout } = await assayRun([...args, "--fail-fast"]);
  expect(code).toBe(1);
  expect(run).toMatchObject({ complete: true, exitCode: 1 });
  expect(run.requirements.map(({ id, verdict, reason }) => [id, verdict, reason?.includes(stopped)])).toEqual([
    ["CYC-PRES-01", "broken", undefined],
    ["IH-OK-01", "withheld", true],
    ["NAP-MAP-01", "withheld", true],
    // Of the same answer, and not selected.
    ["USG-FLD-05", "broken", undefined],
  ]);
  expect(stdout).toContain(`2 not tested: ${stopped}`);
  const whole = await assayRun(args);
  expect([whole.code, isStopped(whole.run)]).toEqual([1, false]);
  expect(whole.run.spent.requests).toBeGreaterThan(run.spent.requests);
});

const known = `deviations:
  - requirement: USG-FLD-01
    expect: { at: /creditsRemaining, is: absent }
    reason: their ticket 123
    owner: platform
    until: 2099-03-31
`;

test("--fail-fast doesn't end a run for what is warned of, accepted or not selected", async () => {
  const only = ["--fail-fast", "--only", "USG-HTTP-01,USG-FLD-01,USG-NNEG-01"];
  const warned = await mutantVendor("USG-NNEG-01.prepaid-negative");
  const accepted = await mutantVendor("USG-FLD-01.absent", known);
  const judged: readonly (readonly [Ended, string])[] = [
    [await warned.judge("warned", ...only), join(warned.folder, "warned")],
    [await warned.judge("fails", ...only, "--implied=fail"), join(warned.folder, "fails")],
    [await accepted.judge("accepted", ...only), join(accepted.folder, "accepted")],
    [await accepted.judge("other", "--fail-fast", "--only", "USG-HTTP-01"), join(accepted.folder, "other")],
  ];
  await Promise.all([warned.close(), accepted.close()]);
  expect(judged.map(([{ code }, folder]) => [code, isStopped(runIn(folder))])).toEqual([
    [0, false],
    [1, true],
    [0, false],
    [0, false],
  ]);
  const { totals } = runIn(join(warned.folder, "warned"));
  expect(totals).toMatchObject({ broken: 0, warned: 1 });
});

test("--only narrows the verdict to what it names; with --all-findings other breaches count, too", async () => {
  const acme = await mutantVendor("USG-FLD-01.absent");
  const only = ["--only", "USG-HTTP-01"];
  const narrow = await acme.judge("narrow", ...only);
  const wide = await acme.judge("wide", ...only, "--all-findings");
  const wideAndFast = await acme.judge("fast", ...only, "--all-findings", "--fail-fast");
  await acme.close();
  expect([narrow.code, wide.code, wideAndFast.code]).toEqual([0, 1, 1]);
  expect(narrow.stdout).not.toContain("BROKEN");
  expect(wide.stdout).toContain("BROKEN  USG-FLD-01");
  const of = (out: string): Run => runIn(join(acme.folder, out));
  const enforced = ({ requirements: all }: Run) => all.find(({ id }) => id === "USG-FLD-01")?.enforced;
  expect([enforced(of("narrow")), enforced(of("wide"))]).toEqual(["note", "fail"]);
  expect(of("narrow").totals).toMatchObject({ holds: 1, broken: 0 });
  expect(of("wide").command).toContain("--only USG-HTTP-01 --all-findings");
});

/** Of all requirements that have a check, as the command line lists them. */
async function checkedIds(): Promise<readonly string[]> {
  const { stdout } = await assay(["requirements", "--json"]);
  const { requirements } = JSON.parse(stdout) as {
    readonly requirements: readonly { readonly id: string; readonly state: string }[];
  };
  return requirements.filter(({ state }) => state !== "unchecked").map(({ id }) => id);
}

for (const [only, named] of [
  ["cyc", /^CYC-/],
  ["USG-FLD-*", /^USG-FLD-/],
  ["*-HTTP-01", /-HTTP-01$/],
  ["usg-http-01, CRD", /^(USG-HTTP-01|CRD-.*)$/],
  ["CYC,CYC-PRES-01,CYC-*", /^CYC-/],
] as const)
  test(`--only "${only}" judges what it names`, async () => {
    // Where nothing listens, all ends at once.
    const { run } = await assayRun(
      ["run", "--only", only, "--target", targetFile(smallTarget(await deadBase()))],
      smallEnvironment,
    );
    expect(run.requirements.map(({ id }) => id)).toEqual((await checkedIds()).filter((id) => named.test(id)));
  });

test("reports go to people's own paths as well, in folders that are made", async () => {
  const own = emptyFolder();
  const paths = { junit: "a/b/own.xml", sarif: "c/own.sarif", markdown: "own.md" };
  const flags = Object.entries(paths).flatMap(([flag, path]) => [`--${flag}`, join(own, path)]);
  const { code, folder, stderr } = await assayRun(["run", "--only", "USG-HTTP-01", ...flags]);
  expect([code, stderr]).toEqual([0, ""]);
  const text = (...path: readonly string[]): string => readFileSync(join(...path), "utf8");
  expect(text(own, paths.junit)).toBe(text(folder, "junit.xml"));
  expect(text(own, paths.sarif)).toBe(text(folder, "results.sarif"));
  expect(text(own, paths.markdown)).toBe(text(folder, "summary.md"));
});

/** Commands that write into a folder of their own. */
const writing: readonly (readonly string[])[] = [
  ["run", "--only", "USG-HTTP-01"],
  ["load", "smoke", "--duration", "1s"],
  ["load", "limits"],
  ["compare"],
];

for (const [first = "", ...more] of writing)
  test(`${[first, ...more].join(" ")} refuses a folder that holds a run, and a file`, {
    tag: first === "load" ? "@slow" : [],
  }, async () => {
    const held = await brokenRun();
    const runs = first === "compare" ? [held, held] : [];
    const before = bytesBelow(held);
    await expectCommandLineError([first, ...runs, ...more, "--out", held], `The folder ${held} already contains a run`);
    expect(bytesBelow(held)).toBe(before);
    const alone = emptyFolder();
    writeFileSync(join(alone, "run.json"), readFileSync(join(held, "run.json")));
    await expectCommandLineError(
      [first, ...runs, ...more, "--out", alone],
      `The folder ${alone} already contains a run`,
    );
    const file = join(held, "run.json");
    await expectCommandLineError([first, ...runs, ...more, "--out", file], file);
    expect(bytesBelow(held)).toBe(before);
  });
