// Benchmark: reports of thousands of results, in time that grows with their number
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "@playwright/test";
import { described } from "../cli/project.ts";
import type { Run } from "../harness/record/run.ts";
import { annotationsOf } from "../reports/run/annotations.ts";
import { ciSummaryOf } from "../reports/run/ciSummary.ts";
import { ctrfOf } from "../reports/run/ctrf.ts";
import { junitOf } from "../reports/run/junit.ts";
import { htmlOf } from "../reports/run/page.tsx";
import { sarifOf } from "../reports/run/sarif.ts";
import { aBrowser } from "./browser.ts";
import { growthOf } from "./growth.ts";
import type { Ratio } from "./ratio.ts";
import { repeatedRun } from "./repeatedRun.ts";

const launcher = fileURLToPath(new URL("../cli/assay.js", import.meta.url));
const lengths = { short: 500, long: 5_000 };
const most = 30;

const views: { readonly [name: string]: (run: Run) => unknown } = {
  annotations: (run) => annotationsOf(run, described),
  CTRF: (run) => ctrfOf(run, described),
  JUnit: (run) => junitOf(run, described),
  Markdown: (run) => ciSummaryOf(run, described),
  SARIF: (run) => sarifOf(run, described),
};

/** Under their own ids, which machine formats cite. */
const citable = (run: Run, { requirements, ...many }: Run): Run => ({
  ...many,
  requirements: requirements.map((requirement, index) => ({
    ...requirement,
    id: run.requirements[index % run.requirements.length]?.id ?? requirement.id,
  })),
});

/** A run in which most holds and one requirement is broken. */
async function runIn(folder: string): Promise<Run> {
  const only = "CYC-PRES-01,USG-FLD-05,USG-FLD-01,CYC-BILL-01,AUTH-ADM-MISS-01";
  const args = ["run", "--mutant", "CYC-PRES-01.omit-on-free", "--only", only, "--json", "--out", join(folder, "run")];
  const { stdout } = spawn(process.execPath, [launcher, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  return JSON.parse(await text(stdout)) as Run;
}

/** Opens a page and searches it, in a browser. @returns the least time of three, in ms */
async function opened_ms(page: string, folder: string): Promise<number> {
  const file = join(folder, "index.html");
  writeFileSync(file, page);
  const browser = await chromium.launch(await aBrowser());
  try {
    const tab = await browser.newPage();
    const took_ms: number[] = [];
    for (let times = 0; times < 3; times += 1) {
      const from = performance.now();
      await tab.goto(pathToFileURL(file).href);
      await tab.getByLabel("Find").fill("creditCycle");
      took_ms.push(performance.now() - from);
    }
    return Math.min(...took_ms);
  } finally {
    await browser.close();
  }
}

export async function measureReports(): Promise<readonly Ratio[]> {
  const folder = mkdtempSync(join(tmpdir(), "assay-bench-"));
  try {
    const run = await runIn(folder);
    const ratios: Ratio[] = [];
    for (const [name, viewOf] of Object.entries(views))
      ratios.push(
        await growthOf(`results in ${name}`, lengths, most, (count) => {
          const many = citable(run, repeatedRun(run, count));
          return () => viewOf(many);
        }),
      );
    ratios.push(
      await growthOf("results in HTML", lengths, most, (count) => {
        const many = repeatedRun(run, count);
        return () => htmlOf(many, described);
      }),
    );
    const open = async (count: number): Promise<number> =>
      opened_ms(await htmlOf(repeatedRun(run, count), described), folder);
    const few_ms = await open(lengths.short);
    const many_ms = await open(lengths.long);
    const name = `opening and searching a page of results, ${lengths.long} relative to ${lengths.short}`;
    return [...ratios, { name, measured: many_ms / few_ms, bound: { atMost: most } }];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
