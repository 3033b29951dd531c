// Runs and pages for the tests of the HTML report.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "@playwright/test";
import { described } from "../../cli/described.ts";
import type { Run } from "../../harness/record/run.ts";
import { totalsOf } from "../../harness/record/run.ts";
import { htmlOf } from "../../reports/html/page.tsx";
import { assay, emptyFolder } from "./assay.ts";

/** A run of the reference over HTTP, under a mutant. */
export async function brokenRun(only: string): Promise<Run> {
  const out = join(emptyFolder(), "run");
  await assay(["run", "--mutant", "CYC-PRES-01.omit-on-free", "--only", only, "--out", out]);
  return JSON.parse(readFileSync(join(out, "run.json"), "utf8")) as Run;
}

/** Writes a page; gives its file URL. */
export async function pageOf(run: Run, options: Parameters<typeof htmlOf>[2] = {}): Promise<string> {
  const file = join(emptyFolder(), "index.html");
  writeFileSync(file, await htmlOf(run, described, options));
  return pathToFileURL(file).href;
}

/** The same findings and exchanges again and again: `count` requirements, each with an exchange of its own, one a tenth of a second. */
export function repeated(run: Run, count: number): Run {
  const began_ms = Date.parse(run.startedAt);
  const at = <Item>(items: readonly Item[], index: number): Item => items[index % items.length] as Item; // Of a list that isn't empty.
  const exchanges = Array.from({ length: count }, (_, index) => ({
    ...at(run.exchanges, index),
    number: index + 1,
    sentAt: new Date(began_ms + index * 100).toISOString(),
  }));
  const held = run.requirements.filter(({ verdict }) => verdict === "holds");
  const requirements = Array.from({ length: count }, (_, index) => {
    const one = index < run.requirements.length ? at(run.requirements, index) : at(held, index);
    const breaches = one.breaches.map((breach) => ({ ...breach, exchange: index + 1 }));
    return {
      ...one,
      id: `${one.id}-${index}` as typeof one.id,
      breaches,
      exchanges: [index + 1, ((index * 7) % count) + 1, ((index * 13) % count) + 1],
    };
  });
  return { ...run, exchanges, requirements, totals: totalsOf(requirements) };
}

/** What goes wrong or out while a page is looked at. */
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

/** Opens every part that is folded. */
export const unfold = (page: Page): Promise<void> =>
  page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
