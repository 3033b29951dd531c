// assay run, end to end: the reference holds, a mutant fails, flags do what they say.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { assay, assayRun, emptyFolder, type Run, read, root, start } from "../support/assay.ts";
import { commandNames } from "../support/commandTree.ts";
import { schemaProblems } from "../support/standards.ts";
import { targetFile } from "../support/vendor.ts";

/** Some of each API and each kind of check. */
const some =
  "USG-HTTP-01,CYC-ANCH-01,CRD-SUM-01,AUTH-ADM-OWN-01,TA-PAGE-01,NAP-MAP-01,CB-EQ-01,IH-OK-01," +
  "RPC-ENV-02,BND-LIM-01,BND-ATOM-01,BST-ALIGN-01,WAL-BATCH-02";

async function holdsAll(args: readonly string[], atLeast: number): Promise<void> {
  const { code, stdout, folder, run } = await assayRun(["run", ...args]);
  expect(code).toBe(0);
  expect(run.totals).toMatchObject({ broken: 0, warned: 0, noted: 0, inconclusive: 0 });
  const withheld = run.requirements.filter(({ verdict }) => verdict === "withheld");
  expect(withheld.filter(({ reason }) => !/^(about Assay itself|only observed)/.test(reason ?? ""))).toEqual([]);
  expect(run.totals.holds).toBeGreaterThanOrEqual(atLeast);
  expect(stdout).toMatch(
    /requirements planned · at most [\d,]+ requests, [\d,]+ credits \+ [\d,]+ calls \(price not published\)/,
  );
  expect(stdout).toContain(`${run.totals.holds} passed`);
  expect(stdout).toContain(join(folder, "index.html"));
  expect(schemaProblems("reports/run.schema.json", run)).toEqual([]);
  expect(readFileSync(join(folder, "junit.xml"), "utf8")).toContain('failures="0"');
  expect(readFileSync(join(folder, "index.html"), "utf8")).toContain("<h1");
}

test("the reference meets requirements of each API, over real HTTP", () =>
  holdsAll(["--only", some], some.split(",").length));

test("the reference meets every requirement, over real HTTP", { tag: "@slow" }, async () => {
  // Its rate limits set the pace, and slow machines take longer still.
  test.setTimeout(360_000);
  await holdsAll([], 280);
});

test("a mutant fails the run, and its replay line shows the same breach", async () => {
  const args = ["run", "--mutant", "CYC-PRES-01.omit-on-free", "--only", "CYC-PRES-01,USG-HTTP-01"];
  const { code, stdout } = await assayRun(args);
  expect(code).toBe(1);
  expect(stdout).toContain("BROKEN  CYC-PRES-01  creditCycle is present on every plan, free plans included  (§2.1)");
  expect(stdout).toContain("as free");
  const [, replay = ""] = stdout.match(/replay: npx assay (run .*)/) ?? [];
  const again = await assayRun(replay.split(" "));
  expect(again.code).toBe(1);
  expect(again.stdout).toContain("BROKEN  CYC-PRES-01");
  const breach = stdout.slice(stdout.indexOf("BROKEN")).split("BROKEN  ")[1] ?? "";
  expect(breach.split("\n").filter((line) => line.startsWith(" ")).length).toBeLessThan(12);
});

/** The reference without a sample, which withholds one of five operations. */
const poorTarget = (more = ""): string =>
  targetFile(read("targets/reference.yaml").replace(/^ {2}compressed:\n(?: {4}- .*\n)+/m, "") + more);

const untried = "not tried: getCompressedBalance: the target gives no `samples.compressed.0.address`";

test("what was tried in part is verified in part, and with --strict or strict: true exit code 3", async () => {
  const only = ["--only", "RPC-ENV-01,USG-HTTP-01"];
  const { code, stdout, run, folder } = await assayRun(["run", "--target", poorTarget(), ...only]);
  expect(code).toBe(0);
  expect(stdout).toContain("1 passed · 1 verified in part");
  expect(stdout).toContain(`1 verified in part: ${untried}`);
  expect(run.totals).toMatchObject({ holds: 2, narrowed: 1 });
  expect(run.requirements.find(({ id }) => id === "RPC-ENV-01")).toMatchObject({ verdict: "holds" });
  expect(schemaProblems("reports/run.schema.json", run)).toEqual([]);
  const listed = await assay(["requirements", folder, "--area", "rpc"]);
  expect(listed.stdout).toMatch(
    /^verified in part +RPC-ENV-01 .*: \d of \d operations; not tried: getCompressedBalance/m,
  );
  const strict = await assayRun(["run", "--strict", "--target", poorTarget(), ...only]);
  expect(strict.code).toBe(3);
  expect(strict.run.requirements.map(({ replay }) => /--strict/.test(replay))).toEqual([true, true]);
  expect((await assayRun(["run", "--target", poorTarget("strict: true\n"), ...only])).code).toBe(3);
});

test("with --strict a breach is exit code 1, and full samples are exit code 0", async () => {
  const args = ["run", "--strict", "--only", "RPC-ENV-01"];
  const poor = await assayRun([...args, "--target", poorTarget(), "--mutant", "RPC-ENV-01.number"]);
  expect(poor.code).toBe(1);
  expect((await assayRun(args)).code).toBe(0);
});

test("what a target renames is reported as renamed, and with --renamed=fail it is exit code 1", async () => {
  // The reference ignores the header of that name, so that bundles are accepted as without it.
  const file = targetFile(read("targets/reference.yaml").replace(/^names:$/m, "names:\n  regionHeader: jito-region"));
  const args = ["run", "--target", file, "--only", "BND-REG-02,USG-HTTP-01"];
  const warned = await assayRun(args);
  expect([warned.code, warned.run.totals.renamed]).toEqual([0, 1]);
  expect(warned.stdout).toContain("1 passed · 1 renamed");
  expect(warned.stdout).toContain("1 renamed: jito-region instead of engine-region");
  expect(schemaProblems("reports/run.schema.json", warned.run)).toEqual([]);
  const failed = await assayRun([...args, "--renamed=fail"]);
  expect(failed.code).toBe(1);
  expect(failed.stdout).toMatch(/BROKEN {2}BND-REG-02[^\n]*\n +renamed: jito-region instead of engine-region/);
  expect(failed.run.requirements[0]?.replay).toContain("--renamed fail");
});

test("--plan prints the cost and sends nothing", async () => {
  const { code, stdout } = await assay(["run", "--plan"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/requirements planned/);
});

test("--json prints one document and nothing else", async () => {
  const { stdout, run } = await assayRun(["run", "--only", "USG-HTTP-01", "--json"]);
  expect(JSON.parse(stdout) as Run).toEqual(run);
  expect(run.requirements.map(({ id }) => id)).toContain("USG-HTTP-01");
});

test("it runs from any folder", async () => {
  const folder = emptyFolder();
  const args = [join(root, "cli/assay.js"), "run", "--only", "USG-HTTP-01", "--out", "run"];
  const { code } = await start(process.execPath, args, {}, folder).ended;
  expect(code).toBe(0);
  expect(readFileSync(join(folder, "run/index.html"), "utf8")).toContain("<h1");
});

test("help fits one screen and carries an example", async () => {
  for (const command of [[], ...commandNames.map((name) => [name])]) {
    const { code, stdout } = await assay([...command, "--help"]);
    expect(code).toBe(0);
    expect(stdout).toContain("Example:");
    expect(stdout.trimEnd().split("\n").length, command[0]).toBeLessThanOrEqual(30);
  }
});
