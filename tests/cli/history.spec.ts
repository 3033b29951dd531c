// `assay history`, `--history` and `compare --against`: nights kept by real runs, shown, taken in and pruned.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { assay, emptyFolder, expectCommandLineError } from "../support/assay.ts";
import { atNight, madeNight, type Night, writeNights } from "../support/madeNights.ts";
import { edition, judged, made } from "../support/madeRuns.ts";

test.describe.configure({ mode: "parallel" });

const nightsIn = (file: string): readonly Night[] =>
  readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Night);

/** A night of this interface. */
const night = (nth: number, isBroken = false, rest: Partial<Night> = {}): Night =>
  madeNight(
    nth,
    { requirements: [judged("USG-HTTP-01", isBroken ? "broken" : "holds")] },
    { interface: edition, at: atNight(nth), ...rest },
  );

function historyOf(nights: readonly Night[]): string {
  const folder = join(emptyFolder(), "history");
  mkdirSync(folder);
  writeNights(join(folder, "acme.jsonl"), nights);
  return folder;
}

const run = ["run", "--only", "CYC-PRES-01,USG-HTTP-01", "--no-observe"] as const;

test("two runs append to a history at once; it is shown, and the gate turns red for what is newly broken", async () => {
  const folder = emptyFolder();
  const [place, first, second, third] = ["history", "first", "second", "third"].map((name) => join(folder, name));
  const keep = ["--history", place ?? "", "--vantage", "home"];
  const ended = await Promise.all([first, second].map((out) => assay([...run, ...keep, "--out", out ?? ""])));
  expect(ended.map(({ code }) => code)).toEqual([0, 0]);
  const file = join(place ?? "", "reference.jsonl");
  expect(nightsIn(file).map(({ vantage, kind, left }) => [vantage, kind, left])).toEqual([
    ["home", "run", null],
    ["home", "run", null],
  ]);
  const mutant = ["--mutant", "CYC-PRES-01.omit-on-free", "--out", third ?? ""];
  expect((await assay([...run, ...keep, ...mutant])).code).toBe(1);
  const red = await assay(["compare", third ?? "", "--against", "last", "--history", place ?? ""]);
  expect([red.code, red.stdout]).toEqual([1, expect.stringMatching(/Newly broken\n {2}✗ CYC-PRES-01/)]);
  const shown = await assay(["history", place ?? "", "--markdown"]);
  expect([shown.code, shown.stdout]).toEqual([
    0,
    expect.stringMatching(/^## Failed: CYC-PRES-01 is newly broken\n\n### reference from home: 3 nights/),
  ]);
  expect(readFileSync(join(place ?? "", "index.html"), "utf8")).toContain("newly broken");
  // The same, from folders of runs.
  const imported = join(folder, "imported");
  const taken = await assay(["history", "import", first ?? "", second ?? "", third ?? "", "--history", imported]);
  expect(taken.stdout).toContain("3 runs appended, 0 there already.");
  const again = await assay(["history", "import", first ?? "", "--history", imported]);
  expect(again.stdout).toContain("0 runs appended, 1 there already.");
});

/** A run of the night after the last, which broke a requirement or not. */
function runFile(nth: number, isBroken: boolean): string {
  const file = join(emptyFolder(), "run.json");
  const requirements = [judged("USG-HTTP-01", isBroken ? "broken" : "holds")];
  const startedAt = atNight(nth);
  writeFileSync(file, JSON.stringify(made(0, { requirements, startedAt, endedAt: startedAt, interface: edition })));
  return file;
}

for (const [nights, isBroken, against, code] of [
  ["vvvv", true, "last", 1],
  ["vvvv", false, "last", 0],
  ["bvvv", true, "baseline", 0],
  ["vvvb", true, "last", 0],
  ["vvvb", true, "baseline", 1],
  // Broken again, which isn't flaky yet.
  ["vvbvv", true, "last", 1],
  ["vvvvbb", true, "median:6", 1],
  ["vvbbbb", true, "median:3", 0],
  ["vvvvbvvvvbvvvv", true, "median:14", 0],
] as const)
  test(`${nights}, then ${isBroken ? "broken" : "held"}, against ${against}: exit code ${code}`, async () => {
    const place = historyOf([...nights].map((sign, nth) => night(nth, sign === "b")));
    const run = runFile(nights.length, isBroken);
    const { code: ended } = await assay(["compare", run, "--against", against, "--history", place]);
    expect(ended).toBe(code);
  });

test("without an earlier night there is nothing to compare with, which isn't green", async () => {
  const place = historyOf([night(5), night(0, false, { vantage: "elsewhere" })]);
  const { code, stderr } = await assay(["compare", runFile(3, false), "--against", "last", "--history", place]);
  expect([code, stderr]).toEqual([3, expect.stringContaining("has no earlier night of acme to compare")]);
});

for (const [title, change, says] of [
  [
    "a newer format",
    { format: 2 },
    ["Line 1 of ", "acme.jsonl has history format 2, of a newer Assay;", "Update Assay."],
  ],
  [
    "another interface",
    { interface: { name: "other", version: "1", digest: "d" } },
    ['acme.jsonl is for "Blockchain', ' and night 0 judged "other" 1. Keep a history for each interface.'],
  ],
  ["lines that are none", { id: 7 }, ["acme.jsonl isn't a history: no line fits reports/history.schema.json"]],
] as const)
  test(`${title}: one paragraph`, async () => {
    const place = historyOf([{ ...night(0), ...(change as object) }]);
    for (const command of ["history", "metrics"]) await expectCommandLineError([command, place], says);
  });

test("a baseline that is no run of the history: one paragraph", () =>
  expectCommandLineError(
    ["history", historyOf([night(0)]), "--baseline", "none"],
    "--baseline names none, which isn't a run in",
  ));

test("a line that was cut is named, left out and kept as it is", async () => {
  const place = historyOf([night(0), night(1)]);
  const file = join(place, "acme.jsonl");
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.slice(0, text.length - 400));
  const { code, stdout, stderr } = await assay(["history", place]);
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(/^Left out of .*: line 2, cut or damaged\. 1 other line was read/),
  ]);
  expect(stdout).toContain("1 night until");
});

test("a line whose packing is damaged is left out, too", async () => {
  const place = historyOf([night(0), { ...night(1), packed: "AAAA" }]);
  const { code, stderr } = await assay(["history", place]);
  expect([code, stderr]).toEqual([0, expect.stringContaining("line 2, cut or damaged")]);
});

test("prune removes old folders of runs that the history has, and old histograms; verdicts stay", async () => {
  const folder = emptyFolder();
  const [runs, place] = [join(folder, "runs"), join(folder, "history")];
  const out = join(runs, "kept-by-name");
  await assay([...run, "--out", out, "--history", place]);
  await assay([...run, "--out", join(runs, "unknown")]);
  mkdirSync(join(runs, "notes"));
  // One that began in the same second has the same id.
  mkdirSync(join(runs, "other"));
  const journal = readFileSync(join(out, "journal.jsonl"), "utf8");
  writeFileSync(
    join(runs, "other/journal.jsonl"),
    journal.replace(/(?<="startedAt":")[^"]*/, "2020-01-01T00:00:00.000Z"),
  );
  const file = join(place, "reference.jsonl");
  const before = nightsIn(file);
  expect(before[0]?.latencies[0]?.histogram).toBeDefined();
  const prune = (...flags: readonly string[]) => assay(["history", "prune", place, "--runs", runs, ...flags]);
  expect((await prune("--exchanges", "1d", "--histograms", "1d")).stdout).toMatch(/^Removed 0 folders of runs/);
  expect(readdirSync(runs).sort()).toEqual(["kept-by-name", "notes", "other", "unknown"]);
  const { stdout } = await prune("--exchanges", "0d", "--histograms", "0d");
  expect(stdout).toBe("Removed 1 folder of runs, and the histograms of 1 night.\n");
  expect([readdirSync(runs).sort(), existsSync(out)]).toEqual([["notes", "other", "unknown"], false]);
  const withoutHistograms = before.map(({ latencies, ...one }) => ({
    ...one,
    latencies: latencies.map(({ histogram: _, ...rest }) => rest),
  }));
  expect(nightsIn(file)).toEqual(withoutHistograms);
});
