// assay compare: exit codes, outputs, targets judged first, and bad input.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { assay, assayRun, cliPath, emptyFolder, judging, type Run, read, start } from "../support/assay.ts";
import { unauthorized } from "../support/faultyPlatform.ts";
import { type Comparison, edition, judged, made } from "../support/madeRuns.ts";
import { always, smallEnvironment, smallTarget, targetFile, vendor } from "../support/vendor.ts";

/** Writes a run as `assay run` leaves it; gives its folder. */
function folderOf(run: unknown, name = "run.json"): string {
  const folder = emptyFolder();
  writeFileSync(join(folder, name), typeof run === "string" ? run : JSON.stringify(run, null, 2));
  return folder;
}
const runThat = (second: number, verdict: "holds" | "broken"): Run =>
  made(second, { requirements: [judged("USG-HTTP-01", "holds"), judged("CYC-PRES-01", verdict)] });
const [good, bad] = [runThat(0, "holds"), runThat(100, "broken")];

test("nothing newly broken is exit code 0, a requirement newly broken is 1 and named", async () => {
  const [base, same, worse] = [folderOf(good), folderOf(runThat(50, "holds")), folderOf(bad)];
  const [fine, red] = [await assay(["compare", base, join(same, "run.json")]), await assay(["compare", base, worse])];
  expect([fine.code, red.code]).toEqual([0, 1]);
  expect(fine.stdout).toContain("Passed: no requirement is newly broken.");
  expect(red.stdout).toContain(
    "✗ CYC-PRES-01 The sentence of CYC-PRES-01 (§2.1), passed before; at /creditCycle: missing, expected must be there",
  );
});

test("--json prints one document, --markdown another, --html and --out write files", async () => {
  const [base, head, out] = [folderOf(good), folderOf(bad), join(emptyFolder(), "compared")];
  const [json, markdown] = [
    await assay(["compare", base, head, "--json", "--out", out]),
    await assay(["compare", base, head, "--markdown", "--html", join(out, "other/page.html")]),
  ];
  const { pairs } = JSON.parse(json.stdout) as Comparison;
  expect(pairs).toMatchObject([{ requirements: { broken: [{ id: "CYC-PRES-01" }] } }]);
  expect(readdirSync(out).sort()).toEqual(["compare.json", "compare.md", "index.html", "other"]);
  expect(readFileSync(join(out, "compare.json"), "utf8").trim()).toBe(json.stdout.trim());
  expect(readFileSync(join(out, "compare.md"), "utf8").trim()).toBe(markdown.stdout.trim());
  expect(readFileSync(join(out, "other/page.html"), "utf8")).toContain("1 requirement is newly broken");
});

test("targets are judged first, side by side, and their runs are kept", async () => {
  const { base, close } = await vendor(always(401, "application/json", unauthorized));
  const [file, folder] = [targetFile(`${smallTarget(base)}budget: { requests: 40 }\n`), emptyFolder()];
  const { code, stdout } = await assay(["compare", file, file, "--json"], smallEnvironment, folder);
  await close();
  const { runs } = JSON.parse(stdout) as Comparison;
  expect(runs.map(({ name, spent }) => [name, spent.requests > 0])).toEqual([
    ["small #1", true],
    ["small #2", true],
  ]);
  expect(readdirSync(join(folder, "runs"))).toHaveLength(2);
  // Neither can be judged, as their key is refused.
  expect(code).toBe(3);
});

test("a signal ends both runs, and what they found is compared", { tag: "@slow" }, async () => {
  const folder = emptyFolder();
  writeFileSync(join(folder, "own.yaml"), read("targets/reference.yaml"));
  const { ended, kill } = start(process.execPath, [cliPath, "compare", "own.yaml", "own.yaml", "--json"], {}, folder);
  await judging(join(folder, "runs"));
  kill("SIGTERM");
  const { code, stdout } = await ended;
  const { runs } = JSON.parse(stdout) as Comparison;
  expect([code, runs.map(({ complete }) => complete)]).toEqual([3, [false, false]]);
});

test("a target that can't be compared with a run gets no request", async () => {
  let heard = 0;
  const { base, close } = await vendor((_request, response) => {
    heard += 1;
    response.end();
  });
  const other = { ...good, interface: { ...edition, version: "0.9.0" } };
  const { code, stderr } = await assay(["compare", folderOf(other), targetFile(smallTarget(base))], smallEnvironment);
  await close();
  expect([code, heard]).toEqual([2, 0]);
  expect(stderr).toContain("judged different interfaces");
});

test("a run beside its own answers judged again differs by the specs or Assay alone", async () => {
  const run = () => assayRun(["run", "--only", "USG-HTTP-01,CYC-BILL-01"]);
  const [ran, other] = [await run(), await run()];
  const [again, ofOther] = [await assayRun(["judge", ran.folder]), await assayRun(["judge", other.folder])];
  for (const folders of [
    [ran.folder, again.folder],
    [again.folder, ran.folder],
  ]) {
    const { code, stdout } = await assay(["compare", ...folders]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("Passed: no requirement is newly broken.")]);
    expect(stdout).toContain(`${again.run.id} judges answers of ${ran.run.id} again`);
    expect(stdout).not.toMatch(/no longer judged|newly verified/i);
  }
  const { stdout } = await assay(["compare", ran.folder, ofOther.folder]);
  expect(stdout).toContain("A recording verifies nothing");
  expect(stdout).not.toMatch(/ again:|no longer judged/i);
});
