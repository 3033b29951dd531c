// Makes the README's picture of a report: `npm run picture`, or `npm run picture -- <file>`.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "@playwright/test";
import { aBrowser } from "../bench/browser.ts";

/** One mutant among requirements of every API. */
const args = [
  "--mutant",
  "CYC-PRES-01.omit-on-free",
  "--only",
  "CYC-PRES-01,USG-FLD-01,CRD-SUM-01,AUTH-ADM-MISS-01,TA-PAGE-01,BND-LIM-01,WAL-BATCH-02",
];

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const folder = mkdtempSync(join(tmpdir(), "assay-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
const out = join(folder, "run");
const { status } = spawnSync(process.execPath, [here("../cli/assay.js"), "run", ...args, "--out", out], {
  stdio: ["ignore", "ignore", "inherit"],
});
if (status !== 1) throw new Error(`the run for the picture ended with ${status}`);

const browser = await chromium.launch(await aBrowser());
const page = await browser.newPage({ viewport: { width: 1200, height: 1000 }, colorScheme: "light" });
await page.goto(pathToFileURL(join(out, "index.html")).href);
await page.getByRole("button", { name: "broken" }).click();
await page.screenshot({ path: process.argv[2] ?? here("report.png") });
await browser.close();
