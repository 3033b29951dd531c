// Tests that every report tells which samples the target file didn't give.
import { expect, test } from "@playwright/test";
import type { Run } from "../support/assay.ts";
import { made } from "../support/madeRuns.ts";
import { reported } from "../support/reports.ts";
import { ranInProcess } from "../support/runs.ts";
import { schemaProblems } from "../support/standards.ts";

const samples = [
  { at: "/samples/newAddresses/0", by: "made", value: "11", how: "of the seed 1" },
  { at: "/samples/mint", by: "profile", value: "12", how: "the profile solana-mainnet" },
  { at: "/samples/owner", by: "found", value: "13", how: "60 accounts" },
  { at: "/samples/landedBundles/0", by: "missing", value: null, how: "none landed" },
] as const;
const line = "made for this run: newAddresses · public facts: mint · found: owner · not found: landedBundles";

test("samples that the target file didn't give are in run.json, on the terminal and on the page", async () => {
  const { stdout, text } = await reported(made(0, { samples }));
  const run = JSON.parse(text("run.json")) as Run;
  expect(run.samples).toEqual(samples);
  expect(schemaProblems("reports/run.schema.json", run)).toEqual([]);
  expect(stdout.split("\n")).toContain(line);
  expect(text("index.html")).toContain(line);
});

test("a run whose target file gives all samples tells of none", async () => {
  const run = await ranInProcess({ only: ["IH-OK-01", "NAP-PAR-01"], observe: [] });
  expect(run.samples).toBeUndefined();
  expect((await reported(run)).stdout).not.toContain("target file");
});
