// assay history: shows what changed over nights; takes old runs, and prunes what is old.
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import { rewrite } from "../harness/record/appending.ts";
import { readJournal } from "../harness/record/journal.ts";
import { historyCtrf } from "../reports/history/ctrf.ts";
import { historiesOf } from "../reports/history/history.ts";
import { type Night, nightOf } from "../reports/history/night.ts";
import { historyPageOf } from "../reports/history/page.tsx";
import type { Words } from "../reports/history/sections.ts";
import { historyJson, historyLines, historyMarkdown } from "../reports/history/text.ts";
import { counted } from "../reports/numbers.ts";
import { described } from "./described.ts";
import type { HistoryFlags } from "./flags.ts";
import { appendNights, historiesAt, historyFileOf, readHistory, refuseOtherInterface } from "./historyFiles.ts";
import { holdsRun, runAt } from "./readRuns.ts";
import { version } from "./version.ts";
import { refuseUnwritable, writeText } from "./writeText.ts";

interface ViewFlags {
  readonly html?: string;
  readonly markdown?: boolean;
  readonly json?: boolean;
  readonly ctrf?: string;
  readonly baseline?: string;
}

interface PruneFlags {
  readonly exchanges?: string;
  readonly histograms?: string;
  readonly runs: string;
}

export const historyCommand = (): Command =>
  new Command("history")
    .description("Show what changed over nights: one page, and the changes since the night before.")
    .argument("<place>", "folder of histories, or one of them (*.jsonl)")
    .option("--html <file>", "the page (default: index.html in that folder)")
    .option("--markdown", "print Markdown, at most 60 lines")
    .option("--json", "print JSON instead of text")
    .option("--ctrf <file>", "write the last nights in CTRF")
    .option("--baseline <run>", "compare with this run instead of the first")
    .addHelpText("after", "\nExample:\n  npx assay history history/ --markdown")
    .action(show)
    .addCommand(
      new Command("import")
        .description("Append old runs to a history.")
        .argument("<runs...>", "folders of runs")
        .requiredOption("--history <place>", "file or folder of the history")
        .option("--vantage <name>", "from where they were sent")
        .action(importRuns),
    )
    .addCommand(
      new Command("prune")
        .description("Remove what is old. Verdicts and figures are never removed.")
        .argument("<place>", "folder of histories, or one of them (*.jsonl)")
        .option("--exchanges <days>", "remove folders of runs that are older and in the history, as in 30d")
        .option("--histograms <days>", "remove latency histograms that are older, as in 400d")
        .option("--runs <folder>", "where the folders of runs are", "runs")
        .action(prune),
    );

function show(place: string, { markdown = false, json = false, ctrf, html, baseline }: ViewFlags): void {
  if (markdown && json) throw new CommandLineError("--json and --markdown can't both be printed. Choose one.");
  const page = html ?? (place.endsWith(".jsonl") ? `${place.slice(0, -6)}.html` : join(place, "index.html"));
  refuseUnwritable("--html", page);
  if (ctrf !== undefined) refuseUnwritable("--ctrf", ctrf);
  const nights = historiesAt(place, described.tables).flatMap((one) => one.nights);
  if (baseline !== undefined && !nights.some(({ id }) => id === baseline))
    throw new CommandLineError(`--baseline names ${baseline}, which is no run in ${place}. Its lines have their ids.`);
  const words: Words = { version, described, baseline };
  const histories = historiesOf(nights, described);
  writeText(page, historyPageOf(histories, words));
  if (ctrf !== undefined) writeText(ctrf, historyCtrf(histories, words));
  if (json) console.log(historyJson(histories));
  else if (markdown) console.log(historyMarkdown(histories, words).trimEnd());
  else console.log([...historyLines(histories, words), "", page].join("\n"));
}

function importRuns(paths: readonly string[], { history, vantage }: HistoryFlags & { readonly history: string }): void {
  const nights = paths.map((path) => nightOf(runAt(path, described.tables), vantage ?? null, described.tables));
  const files = new Map<string, Night[]>();
  for (const night of nights) {
    const file = historyFileOf(history, night.target);
    files.set(file, [...(files.get(file) ?? []), night]);
  }
  for (const [file, some] of files) refuseOtherInterface(file, some, described.tables);
  for (const file of files.keys()) if (existsSync(file)) readHistory(file, described.tables);
  for (const [file, some] of files) {
    const fresh = appendNights(file, some);
    console.log(`${file}: ${counted(fresh.length, "run")} appended, ${some.length - fresh.length} there already.`);
  }
}

const day_ms = 24 * 3_600_000;

/** Unix time in ms; null without a flag. @throws CommandLineError for what is no number of days */
function before(flag: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  const [, days] = /^(\d{1,5})d$/.exec(text) ?? [];
  if (days !== undefined) return Date.now() - Number(days) * day_ms;
  throw new CommandLineError(`${flag} is "${text}". Write a number of days, as in ${flag} 30d.`);
}

function prune(place: string, { exchanges, histograms, runs }: PruneFlags): void {
  const [olderRuns, olderHistograms] = [before("--exchanges", exchanges), before("--histograms", histograms)];
  if (olderRuns === null && olderHistograms === null)
    throw new CommandLineError("Nothing to prune. Name what is old: --exchanges 30d, --histograms 400d, or both.");
  const files = historiesAt(place, described.tables);
  const old = new Set(
    files.flatMap(({ nights }) => nights.filter(({ at }) => Date.parse(at) < (olderRuns ?? 0))).map(({ id }) => id),
  );
  const folders = olderRuns === null ? [] : foldersOf(runs, old);
  for (const folder of folders) rmSync(folder, { recursive: true });
  let pruned = 0;
  const pruneLine = (line: string): string => {
    const night = lineOf(line);
    if (night === null || Date.parse(night.at) >= (olderHistograms ?? 0)) return line;
    const latencies = night.latencies.map(({ histogram: _, ...rest }) => rest);
    const shorter = JSON.stringify({ ...night, latencies });
    if (shorter.length < line.length) pruned += 1;
    return shorter;
  };
  if (olderHistograms !== null)
    for (const { file } of files) rewrite(file, (text) => text.split("\n").map(pruneLine).join("\n"));
  console.log(
    `Removed ${counted(folders.length, "folder")} of runs, and the histograms of ${counted(pruned, "night")}.`,
  );
}

/** Null for a line that is damaged, which stays as it is. */
function lineOf(line: string): Night | null {
  try {
    return JSON.parse(line) as Night; // Checked when it was read.
  } catch {
    return null;
  }
}

/** Folders of runs that the history has: nothing else is removed. */
function foldersOf(runs: string, ids: ReadonlySet<string>): readonly string[] {
  try {
    return readdirSync(runs, { withFileTypes: true })
      .map(({ name }) => join(runs, name))
      .filter(
        (folder) => holdsRun(folder) && readJournal(folder).some((line) => line.record === "start" && ids.has(line.id)),
      );
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandLineError(`The folder ${runs} can't be read (${code}). Name where runs are with --runs.`);
  }
}
