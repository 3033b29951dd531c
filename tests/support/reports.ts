// Runs that are left in folders, all that `assay report` makes of them, and its page in a browser.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, type Page } from "@playwright/test";
import axe from "axe-core";
import { assay, assayRun, emptyFolder, type Run } from "./assay.ts";
import { type Command, commandsIn } from "./standards.ts";

export const phone = { width: 390, height: 844 };
export const reader = { width: 1280, height: 800 };

/** A run of the reference over HTTP, with a mutant. */
export const brokenRun = async (only: string): Promise<Run> =>
  (await assayRun(["run", "--mutant", "CYC-PRES-01.omit-on-free", "--only", only])).run;

type Line = { readonly record: string; readonly [member: string]: unknown };

/** What `assay run` notes of a run; a report has sentences, replays and totals of its own. */
function journalOf(run: Run): readonly Line[] {
  const { requirements, exchanges, observations, samples = [], waited, audit, load, cutShort, ...head } = run;
  const { file: targetFile, lines: targetLines, variables: keyVariables, ...target } = run.target;
  const planned = requirements.map(({ id }) => id);
  const wait = (on: string, seconds = 0): readonly Line[] =>
    seconds > 0 ? [{ record: "waiting", on, from_ms: 0, duration_ms: seconds * 1_000 }] : [];
  return [
    { record: "start", ...head, ...target, target: target.name, targetFile, targetLines, keyVariables, planned },
    ...exchanges.map((exchange) => ({ record: "exchange", exchange })),
    ...requirements.map((verdict) => ({ record: "verdict", verdict, spent: run.spent })),
    ...observations.map((observation) => ({ record: "observation", observation })),
    ...samples.map((sample) => ({ record: "sample", sample })),
    ...wait("charges", waited?.charges_s),
    ...wait("schedule", waited?.schedules_s),
    ...wait("limits", waited?.limits_s),
    ...(audit ? [{ record: "audit", audit }] : []),
    ...(load ? [{ record: "load", load }] : []),
    ...(cutShort === undefined ? [] : [{ record: "cutShort", reason: cutShort }]),
    ...(run.endedAt === null ? [] : [{ record: "end", ...head }]),
  ];
}

/** Leaves a run in a folder of its own, as `assay run` does. */
export function leftIn(run: Run): string {
  const folder = emptyFolder();
  writeFileSync(
    join(folder, "journal.jsonl"),
    journalOf(run)
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(""),
  );
  return folder;
}

interface Beside {
  /** What `assay mutants --json` prints. */
  readonly kills?: object;
  /** A config of further requirements. */
  readonly config?: string;
}

/** What `assay report` makes of a run, read when it is asked for. */
export interface Reported {
  readonly folder: string;
  /** As on GitHub's runner. */
  readonly stdout: string;
  readonly commands: readonly Command[];
  text(
    name:
      | "junit.xml"
      | "summary.md"
      | "results.sarif"
      | "ctrf.json"
      | "index.html"
      | "run.json"
      | "gl-code-quality-report.json",
  ): string;
}

export const textsIn =
  (folder: string): Reported["text"] =>
  (name) =>
    readFileSync(join(folder, name), "utf8");

export async function reported(run: Run, { kills, config }: Beside = {}): Promise<Reported> {
  const folder = leftIn(run);
  const killed = join(folder, "kills.json");
  if (kills) writeFileSync(killed, JSON.stringify(kills));
  const named = [...(kills ? ["--kills", killed] : []), ...(config ? ["--config", config] : [])];
  const { stdout, stderr } = await assay(["report", folder, "--annotations", "github", ...named]);
  if (stdout === "") throw new Error(stderr);
  return { folder, stdout, commands: commandsIn(stdout), text: textsIn(folder) };
}

/** The cells of a page's table whose caption begins so, row by row without the head; null where there is none. */
export function rowsOf(page: string, caption: string): readonly (readonly string[])[] | null {
  const [, table] = page.split(`<caption>${caption}`);
  const [body = ""] = /<tbody>.*?<\/tbody>/s.exec(table ?? "") ?? [];
  const cellsIn = (row: string): readonly string[] =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = ""]) => cell.replaceAll(/<[^>]*>/g, ""));
  return table === undefined ? null : body.split("</tr>").slice(0, -1).map(cellsIn);
}

/** What a vendor is sent of a run. */
export async function forVendor(
  run: Run,
): Promise<{ readonly page: string; readonly url: string; readonly markdown: string }> {
  const folder = leftIn(run);
  const [page = "", markdown = ""] = ["vendor.html", "vendor.md"].map((name) => join(folder, name));
  for (const file of [page, markdown])
    expect(await assay(["report", folder, "--for-vendor", file])).toMatchObject({ code: 0, stderr: "" });
  return { page: readFileSync(page, "utf8"), url: pathToFileURL(page).href, markdown: readFileSync(markdown, "utf8") };
}

/** The page of a run, as a file's URL. */
export const pageOf = async (run: Run, beside: Beside = {}): Promise<string> =>
  pathToFileURL(join((await reported(run, beside)).folder, "index.html")).href;

/** A config of so many requirements: its file, and their ids. */
export function configOf(count: number): { readonly config: string; readonly ids: readonly string[] } {
  const ids = Array.from({ length: count }, (_, nth) => `MANY-${nth + 1}`);
  const requirements = ids.map((id) => ({ id, sentence: `The sentence of ${id}`, clause: "Ours" }));
  const checks = [{ proves: ids, request: { operation: "getIndexerHealth" } }];
  const config = join(emptyFolder(), "assay.config.mjs");
  writeFileSync(config, `export default ${JSON.stringify({ requirements, checks })};\n`);
  return { config, ids };
}

/** The same exchanges, repeated: so many, ten per second. */
export function repeated({ startedAt, exchanges }: Run, count: number): Run["exchanges"] {
  const all = Array.from({ length: Math.ceil(count / exchanges.length) }, () => exchanges)
    .flat()
    .slice(0, count);
  return all.map((exchange, nth) => ({
    ...exchange,
    number: nth + 1,
    sentAt: new Date(Date.parse(startedAt) + nth * 100).toISOString(),
  }));
}

/** A page with charts: enough calls, and a kill matrix. */
export function fullPageOf(run: Run): Promise<string> {
  const results = [
    { id: "CYC-PRES-01.omit-on-free", result: "killed", broken: ["CYC-PRES-01", "USG-FLD-05"] },
    { id: "AUTH-ADM-MISS-01.serves", result: "survived", broken: [] },
  ];
  return pageOf(
    { ...run, exchanges: repeated(run, 200) },
    { kills: { honest: [], results, pending: ["RATE-ADM-01.none"] } },
  );
}

export const visibleIds = (page: Page): Promise<string[]> => page.locator(".requirement:visible .id").allTextContents();

/** Links within a page that lead nowhere. */
export function danglingLinks(html: string): readonly string[] {
  const ids = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  return [...html.matchAll(/ href="#([^"]+)"/g)].flatMap(([, id]) => (id === undefined || ids.has(id) ? [] : [id]));
}

/** By how many pixels a page is wider than its window. */
export const overflow = (page: Page): Promise<unknown> =>
  page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");

/** What axe-core finds on a page that is serious. */
export async function graveIn(page: Page): Promise<unknown> {
  await page.evaluate(axe.source);
  return page.evaluate(
    `axe.run(document).then(({ violations }) =>
      violations
        .filter(({ impact }) => impact === "serious" || impact === "critical")
        .map(({ id, nodes }) => id + " " + nodes[0].html),
    )`,
  );
}

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
