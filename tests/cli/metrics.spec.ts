// Tests of `assay metrics`: what it prints and writes, and what it refuses
import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { assay, emptyFolder, expectCommandLineError } from "../support/assay.ts";
import { madeNight, writeNights } from "../support/madeNights.ts";
import { edition } from "../support/madeRuns.ts";
import { samplesIn } from "../support/openMetrics.ts";

function historyOfTwo(): string {
  const folder = emptyFolder();
  for (const name of ["acme", "other"])
    writeNights(join(folder, `${name}.jsonl`), [madeNight(0, { name }, { interface: edition })]);
  return folder;
}

test("a folder's histories are printed as one text, and a line that was cut is left out and named", async () => {
  const folder = historyOfTwo();
  appendFileSync(join(folder, "acme.jsonl"), '{"format":1,"id":"cut');
  const { code, stdout, stderr } = await assay(["metrics", folder]);
  expect(samplesIn(stdout, "assay_run_exit_code").map(({ labels }) => labels["target"])).toEqual(["acme", "other"]);
  expect([code, stderr]).toEqual([
    0,
    `Left out of ${join(folder, "acme.jsonl")}: line 2, cut or damaged. 1 other line was read.\n`,
  ]);
});

test("--out writes the same text as a whole, and prints nothing", async () => {
  const [folder, out] = [historyOfTwo(), join(emptyFolder(), "textfiles/assay.prom")];
  const printed = await assay(["metrics", folder]);
  const { code, stdout, stderr } = await assay(["metrics", folder, "--out", out]);
  expect([code, stdout, stderr]).toEqual([0, "", ""]);
  expect(readFileSync(out, "utf8")).toBe(printed.stdout);
  expect(readdirSync(join(out, ".."))).toEqual(["assay.prom"]);
});

test("a place that can't be written is a command line error", async () => {
  const folder = emptyFolder();
  await expectCommandLineError(["metrics", historyOfTwo(), "--out", folder], "a folder. Name a file.");
});
