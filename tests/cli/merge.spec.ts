// assay run --shard and assay merge: one run of several, and what isn't one in a paragraph.
import { cpSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { mergeCommand } from "../../cli/merge.ts";
import { suite } from "../../cli/suite.ts";
import { planRun } from "../../harness/engine/sharding.ts";
import type { JournalLine, RunStart } from "../../harness/record/journal.ts";
import type { Run } from "../../harness/record/run.ts";
import { inProcess } from "../../proof/inProcess.ts";
import { assayRun, emptyFolder, expectCommandLineError, playwright, root, runIn } from "../support/assay.ts";
import { madeLoad } from "../support/madeLoads.ts";
import { type Judged, judgedIn } from "../support/shards.ts";

const only = "CYC-PRES-01,AUTH-ADM-MISS-01,NAP-MAP-01,TA-BAD-01";

test("shards of a run are merged into a folder with all reports, and one that is missing ends in 3", async () => {
  const mutant = ["--mutant", "CYC-PRES-01.omit-on-free"];
  const shards = [];
  for (const nth of [1, 2]) shards.push(await assayRun(["run", "--only", only, ...mutant, "--shard", `${nth}/2`]));
  const { code, folder, run, stdout } = await assayRun(["merge", ...shards.map((one) => one.folder)]);
  expect([code, run.exitCode, run.complete]).toEqual([1, 1, true]);
  const selected = run.requirements.filter(({ unselected }) => !unselected);
  expect(selected.map(({ id, verdict }) => [id, verdict])).toEqual([
    ["AUTH-ADM-MISS-01", "holds"],
    ["CYC-PRES-01", "broken"],
    ["NAP-MAP-01", "holds"],
    ["TA-BAD-01", "holds"],
  ]);
  const requests = shards.map((one) => one.run.spent.requests);
  expect(run.spent.requests).toBe((requests[0] ?? 0) + (requests[1] ?? 0));
  const own = shards.flatMap((one) => one.run.requirements.map(({ replay }) => replay));
  for (const command of [run.command, selected[1]?.replay, ...own]) expect(command).not.toContain("--shard");
  expect(stdout).toContain("Merged of 2 shards: 1 (");
  for (const name of ["index.html", "summary.md"])
    expect(readFileSync(join(folder, name), "utf8")).toContain("Merged of 2 shards");
  const alone = await assayRun(["merge", await written({ nth: 1 })]);
  expect([alone.code, alone.run.complete]).toEqual([3, false]);
  expect(alone.stdout).toContain("shard 2 of 2 is missing");
});

test("a shard that was killed leaves the merged run cut short", async () => {
  const [first, second] = await Promise.all([written({ nth: 1 }), written({ nth: 2 })]);
  truncateSync(join(second, "journal.jsonl"), readFileSync(join(second, "journal.jsonl")).length - 20);
  const { code, run } = await assayRun(["merge", first, second]);
  expect([code, run.complete, run.cutShort]).toEqual([3, false, "shard 2 of 2 didn't end"]);
});

/** The folder of the run that Playwright has made. */
const reportOf = (stdout: string): string => join(root, /report (runs\/\S+)\/index\.html/.exec(stdout)?.[1] ?? "none");

/** Two requirements of each of two shards, and what selects their tests. */
async function someOfEach() {
  const options = inProcess(suite, undefined, { hasSchedules: true });
  const { shard } = await planRun({ ...options, observe: [] }, { nth: 1, of: 2 });
  const ids = shard?.held.flatMap(({ requirements }) => requirements.slice(0, 2)) ?? [];
  expect(ids).toHaveLength(4);
  return { ids, grep: ["--grep", ids.map((id) => `@${id}`).join("|")] };
}

test("each Playwright shard runs the tests of its share, and their runs are merged", { tag: "@slow" }, async () => {
  const { ids, grep } = await someOfEach();
  const folders: string[] = [];
  const titles: string[] = [];
  for (const nth of [1, 2]) {
    const { code, stdout } = await playwright([...grep, `--shard=${nth}/2`]);
    expect(code).toBe(0);
    titles.push(...ids.filter((id) => stdout.includes(`@${id} `)));
    folders.push(reportOf(stdout));
  }
  expect(titles).toEqual(ids);
  const { code, run } = await assayRun(["merge", ...folders]);
  const whole = runIn(reportOf((await playwright(grep)).stdout));
  const foundIn = ({ requirements }: Run) => requirements.map(({ id, verdict, reason }) => ({ id, verdict, reason }));
  expect([code, foundIn(run)]).toEqual([0, foundIn(whole)]);
});

test("without its reporter a Playwright shard doesn't skip what others hold", { tag: "@slow" }, async () => {
  const { grep } = await someOfEach();
  const { code, stdout } = await playwright([...grep, "--shard=1/2", "--reporter=line"]);
  expect(code).toBe(1);
  expect(stdout).toContain("isn't in this shard's share");
});

let judged: readonly Judged[] = [];
test.beforeAll(async () => {
  const given = { only: ["CYC-PRES-01", "AUTH-ADM-MISS-01"], observe: [] } as const;
  judged = [await judgedIn(given, { nth: 1, of: 2 }), await judgedIn(given, { nth: 2, of: 2 })];
});

/** A shard's folder, perhaps with another start, and with more lines in its journal. */
async function written(
  { nth, ...other }: Partial<RunStart> & { readonly nth: 1 | 2 },
  ...more: readonly JournalLine[]
): Promise<string> {
  const folder = join(emptyFolder(), "run");
  mkdirSync(folder);
  const lines: readonly JournalLine[] = (judged[nth - 1]?.lines ?? []).flatMap((line) =>
    line.record === "start" ? [{ ...line, ...other }, ...more] : [line],
  );
  writeFileSync(join(folder, "journal.jsonl"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return Promise.resolve(folder);
}

const merge = (...folders: readonly string[]): Promise<unknown> =>
  mergeCommand()
    .exitOverride()
    .parseAsync([...folders, "--out", join(emptyFolder(), "merged")], { from: "user" });

for (const [title, other, says] of [
  ["another target", { target: "acme" }, "their targets differ (reference and acme)"],
  ["another version", { version: "0.2.0" }, "their versions differ (0.1.0"],
  ["another seed", { command: "npx assay run --seed 7" }, "their flags differ (none and --seed 7)"],
  ["another command", { command: "node cli/assay.js run --target a.yaml --seed 7 --shard 2/2" }, "their flags differ"],
] as const)
  test(`shards of ${title} aren't merged`, async () =>
    expect(merge(await written({ nth: 1 }), await written({ nth: 2, ...other }))).rejects.toThrow(says));

test("shards of another number or another plan aren't merged", async () => {
  const shard = judged[1]?.start.shard;
  if (!shard) throw new Error("no shard");
  const first = await written({ nth: 1 });
  const more = await written({
    nth: 2,
    shard: { ...shard, held: [...shard.held, { requirements: [], observations: [] }] },
  });
  await expect(merge(first, more)).rejects.toThrow("their numbers of shards differ (2 and 3)");
  const other = await written({ nth: 2, shard: { ...shard, held: [...shard.held].reverse() } });
  await expect(merge(first, other)).rejects.toThrow("their plans differ");
});

test("failures that came and went, and a load, count for the exit code of all shards", async () => {
  const { shard } = judged[0]?.start ?? {};
  if (!shard) throw new Error("no shard");
  const strict = { nth: 1, shard: { ...shard, intermittentFails: true } } as const;
  const intermittent: JournalLine = { record: "intermittent", cause: "it was closed", exchange: 1 };
  const load: JournalLine = { record: "load", load: madeLoad({ doubt: "the generator was saturated", after: 1 }) };
  const second = await written({ nth: 2 });
  for (const [first, code] of [
    [await written({ nth: 1 }, intermittent), 0],
    [await written(strict, intermittent), 1],
    [await written({ nth: 1 }, load), 3],
  ] as const)
    expect((await assayRun(["merge", first, second])).code).toBe(code);
});

test("k6's page of the load is kept", async () => {
  const load = madeLoad({ doubt: "the generator was saturated", after: 1, dashboard: "k6-smoke.html" });
  const [first, second] = [await written({ nth: 1 }), await written({ nth: 2 }, { record: "load", load })];
  writeFileSync(join(second, "k6-smoke.html"), "a page");
  const { folder } = await assayRun(["merge", first, second]);
  expect(readFileSync(join(folder, "k6-smoke.html"), "utf8")).toBe("a page");
});

test("shards are merged wherever their target file is", async () => {
  const at = (path: string, nth: 1 | 2) =>
    written({ nth, command: `npx assay run --target ${path} --seed 1 --shard ${nth}/2` });
  const { code } = await assayRun(["merge", await at("a.yaml", 1), await at("'/b c.yaml'", 2)]);
  expect(code).toBe(0);
});

test("one shard twice, a whole run, a merged run, and a folder without a run aren't merged", async () => {
  const [first, second] = [await written({ nth: 1 }), await written({ nth: 2 })];
  const copy = join(emptyFolder(), "copy");
  cpSync(first, copy, { recursive: true });
  await expect(merge(first, copy)).rejects.toThrow("are both shard 1 of 2. Name each shard once.");
  const { shard: _, ...start } = judged[0]?.start ?? ({} as RunStart);
  const whole = join(emptyFolder(), "run");
  mkdirSync(whole);
  writeFileSync(join(whole, "journal.jsonl"), `${JSON.stringify(start)}\n`);
  await expect(merge(whole)).rejects.toThrow(`${whole} holds a whole run.`);
  const { folder } = await assayRun(["merge", first, second]);
  await expect(merge(folder, first)).rejects.toThrow(`${folder} holds shards that are merged already.`);
  await expect(merge(emptyFolder())).rejects.toThrow("holds no run");
  await expectCommandLineError(["merge", join(emptyFolder(), "nowhere")], "There is no folder");
});

for (const [title, flags, says] of [
  ["--shard 4/3", ["--shard", "4/3"], '--shard is "4/3". Write which share of how many'],
  ["--shard with --history", ["--shard", "1/2", "--history", "nights"], "--history takes whole runs"],
  ["--shard with --path", ["--shard", "1/2", "--path", "pageSizes:0:2"], "--path replays one case"],
] as const)
  test(`${title} is refused in one paragraph, and nothing is written`, () =>
    expectCommandLineError(["run", ...flags], says));
