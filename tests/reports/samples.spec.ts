// Tests that every report tells which samples the target file didn't give.
import { expect, test } from "@playwright/test";
import { described } from "../../cli/project.ts";
import type { SampleNote } from "../../harness/model/finder.ts";
import { htmlOf } from "../../reports/html/page.tsx";
import { summaryLines } from "../../reports/terminal.ts";

import { journalInProcess, ranInProcess, runFrom } from "../support/runs.ts";
import { schemaProblems } from "../support/standards.ts";

const notes: readonly SampleNote[] = [
  { at: "/samples/newAddresses/0", by: "made", value: "11", how: "of the seed 1" },
  { at: "/samples/mint", by: "profile", value: "12", how: "the profile solana-mainnet" },
  { at: "/samples/owner", by: "found", value: "13", how: "60 accounts" },
  { at: "/samples/landedBundles/0", by: "missing", value: null, how: "none landed" },
];
const line =
  "not of the target file · made: newAddresses · public facts: mint · found: owner · not found: landedBundles";

test("samples that the target file didn't give are in run.json, on the terminal and on the page", async () => {
  const lines = await journalInProcess({ only: ["IH-OK-01"], observe: [] });
  const run = runFrom([...lines.slice(0, -1), ...notes.map((sample) => ({ record: "sample", sample }) as const)]);
  expect(run.samples).toEqual(notes);
  expect(schemaProblems("reports/run.schema.json", JSON.parse(JSON.stringify(run)))).toEqual([]);
  expect(summaryLines(run, "runs/x")).toContain(line);
  expect(await htmlOf(run, described)).toContain(line);
});

test("a run whose target file gives all samples tells of none", async () => {
  const run = await ranInProcess({ only: ["IH-OK-01", "NAP-PAR-01"], observe: [] });
  expect(run.samples).toBeUndefined();
  expect(summaryLines(run, "runs/x").join()).not.toContain("target file");
});
