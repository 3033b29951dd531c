// Runs and pages for the tests of the HTML report.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "@playwright/test";
import { repeatedRun } from "../../bench/repeatedRun.ts";
import { described } from "../../cli/project.ts";
import type { Run } from "../../harness/record/run.ts";
import { htmlOf } from "../../reports/html/page.tsx";
import { assayRun, emptyFolder } from "./assay.ts";

export const phone = { width: 390, height: 844 };
export const reader = { width: 1280, height: 800 };

/** A run of the reference over HTTP, with a mutant. */
export const brokenRun = async (only: string): Promise<Run> =>
  (await assayRun(["run", "--mutant", "CYC-PRES-01.omit-on-free", "--only", only])).run;

/** Writes a page; gives its file URL. */
export async function pageOf(run: Run, options: Parameters<typeof htmlOf>[2] = {}): Promise<string> {
  const file = join(emptyFolder(), "index.html");
  writeFileSync(file, await htmlOf(run, described, options));
  return pathToFileURL(file).href;
}

/** A page with charts: enough calls, and a kill matrix. */
export function fullPageOf(run: Run): Promise<string> {
  const results = [
    { id: "CYC-PRES-01.omit-on-free", result: "killed", broken: ["CYC-PRES-01", "USG-FLD-05"] },
    { id: "AUTH-ADM-MISS-01.serves", result: "survived", broken: [] },
  ] as const;
  return pageOf(
    { ...repeatedRun(run, 200), requirements: run.requirements },
    { kills: { honest: [], results, pending: ["RATE-ADM-01.none"] } },
  );
}

export const visibleIds = (page: Page): Promise<string[]> => page.locator(".requirement:visible .id").allTextContents();

/** By how many pixels a page is wider than its window. */
export const overflow = (page: Page): Promise<unknown> =>
  page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");

/** Errors and requests of a page. */
export function watched(page: Page): { readonly errors: readonly string[]; readonly requests: readonly string[] } {
  const [errors, requests]: [string[], string[]] = [[], []];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => errors.push(message.text()));
  page.on("dialog", (dialog) => {
    errors.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => requests.push(request.url()));
  return { errors, requests };
}

/** Opens all that is folded. */
export const unfold = (page: Page): Promise<void> =>
  page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
