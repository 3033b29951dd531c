// The latest runs of several targets: found by how they began, whatever their folders are called.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { latestRunsCompared } from "../../cli/latestRuns.ts";
import { described } from "../../cli/project.ts";
import { runFormat } from "../../harness/record/run.ts";
import { emptyFolder } from "../support/assay.ts";
import { instant, made } from "../support/madeRuns.ts";

interface Folder {
  readonly target: string;
  readonly second: number;
  /** Of how it began. */
  readonly start?: object;
  readonly hasEnded?: boolean;
}

/** Runs in folders that are named the wrong way round. */
function runsIn(kept: readonly Folder[]): string {
  const folder = emptyFolder();
  for (const [nth, { target, second, start, hasEnded = true }] of kept.entries()) {
    const at = join(folder, `night-${kept.length - nth}`);
    mkdirSync(at);
    const begun = { format: runFormat, target, startedAt: instant(second), planned: ["USG-HTTP-01"] };
    const line = { record: "start", ...begun, plan: { requests: 3, credits: 0, unpriced: 3 }, ...start };
    writeFileSync(join(at, "journal.jsonl"), `${JSON.stringify(line)}\n`);
    if (hasEnded) writeFileSync(join(at, "run.json"), JSON.stringify(made(second, { name: target })));
  }
  return folder;
}

const comparedIn = (kept: readonly Folder[], targets: readonly string[]): readonly string[] | undefined =>
  latestRunsCompared(described, targets, runsIn(kept))?.runs.map(({ id }) => id);

const [ada, bea] = [
  { target: "ada", second: 10 },
  { target: "bea", second: 5 },
] as const;
const both = [`${instant(10).slice(0, 19)}-ada`, `${instant(5).slice(0, 19)}-bea`];

test("the latest of each counts", () => {
  expect(comparedIn([ada, { ...ada, second: 1 }, bea], ["ada", "bea"])).toEqual(both);
});

for (const [title, other] of [
  ["a load alone", { start: { planned: [] } }],
  ["a recording, for which nothing was sent", { start: { plan: { requests: 0, credits: 0, unpriced: 0 } } }],
  ["one that goes on, or was killed", { hasEnded: false }],
  ["one of an older format", { start: { format: 1 } }],
] as const)
  test(`${title} doesn't count`, () => {
    expect(comparedIn([ada, bea, { target: "ada", second: 20, ...other }], ["ada", "bea"])).toEqual(both);
  });

test("a single one, and a folder that isn't there, have nothing to compare", () => {
  expect(comparedIn([ada, bea], ["ada", "cyd"])).toBeUndefined();
  expect(latestRunsCompared(described, ["ada", "bea"], join(emptyFolder(), "none"))).toBeNull();
});
