// assay history: shows what changed over nights; takes old runs, and prunes what is old.
import { readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Command } from "commander";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import { rewrite } from "../harness/record/appending.ts";
import { readJournal } from "../harness/record/journal.ts";
import type { PanelReport } from "../panel/panelReport.ts";
import { pooled } from "../panel/pooling.ts";
import { type Document, note } from "../reports/document/document.ts";
import { documentMarkdown } from "../reports/document/markdown.ts";
import { documentPage } from "../reports/document/page.tsx";
import { documentLines } from "../reports/document/terminal.ts";
import { historiesOf } from "../reports/history/history.ts";
import { type Night, nightOf, withoutHistograms } from "../reports/history/night.ts";
import { historiesForPrograms, historyCtrf } from "../reports/history/programs.ts";
import { type HistoryWords, historyDocument } from "../reports/history/view.ts";
import { groupedBy } from "../reports/lists.ts";
import { counted } from "../reports/numbers.ts";
import { placesOf, type VendorPanels } from "../reports/panel/places.ts";
import { leftPanelsText, placesDocument } from "../reports/panel/placesView.ts";
import { panelDocument } from "../reports/panel/view.ts";
import type { HistoryFlags } from "./flags.ts";
import { jsonOption, printForPrograms } from "./forPrograms.ts";
import { appendNights, historiesAt, historyAt, historyFileOf, nightIn, readHistory } from "./historyFiles.ts";
import { historyReportCommand } from "./historyReport.ts";
import type { Invocation } from "./invocation.ts";
import { appendPanels, namesIn, panelAt, panelHistoriesIn, panelHistoryAt, panelPagesIn } from "./panelFiles.ts";
import { holdsRun } from "./readRuns.ts";
import { runAt } from "./runAt.ts";
import { version } from "./version.ts";
import { refuseUnwritable, writeText } from "./writeText.ts";

const place = ["<place>", "folder of histories, or one of them (*.jsonl)"] as const;

export const historyCommand = (invocation: Invocation): Command =>
  new Command("history")
    .description("Show what changed over nights: one page, and a short version in Markdown.")
    .argument(...place)
    .option("--html <file>", "the page (default: index.html in that folder)")
    .option("--markdown", "print Markdown alone, at most 60 lines")
    .option(...jsonOption("histories"))
    .option("--ctrf <file>", "write the last nights in CTRF")
    .option("--baseline <run>", "compare with this run instead of the first")
    .addHelpText("after", "\nExample:\n  npx assay history history/ --markdown")
    // Its commands have flags of the same names.
    .enablePositionalOptions()
    .action((path: string, flags: ViewFlags) => show(invocation, path, flags))
    .addCommand(historyReportCommand(invocation))
    .addCommand(
      new Command("import")
        .description("Append old runs and panels to a history.")
        .argument("<runs...>", "folders of runs and panels")
        .requiredOption("--history <place>", "file or folder of the history")
        .option("--vantage <name>", "where they were sent from, unless a panel says it")
        .action((paths: readonly string[], flags: ImportFlags) => importAll(invocation, paths, flags)),
    )
    .addCommand(
      new Command("prune")
        .description("Remove what is old. Verdicts and figures are never removed.")
        .argument(...place)
        .option("--exchanges <days>", "remove folders of runs that are older and in the history, as in 30d")
        .option("--histograms <days>", "remove latency histograms that are older, as in 400d")
        .option("--runs <folder>", "where the folders of runs are", "runs")
        .action((path: string, flags: PruneFlags) => prune(invocation, path, flags)),
    );

interface ViewFlags extends Pick<HistoryWords, "baseline"> {
  readonly html?: string;
  readonly markdown?: boolean;
  readonly json?: boolean;
  readonly ctrf?: string;
}

function show(invocation: Invocation, path: string, viewFlags: ViewFlags): void {
  const { markdown, json, ctrf, baseline, ...flags } = viewFlags;
  const { described } = invocation.project;
  if (markdown && json) throw new CommandLineError("--json and --markdown can't both be printed. Choose one.");
  if (path.endsWith(".panels"))
    throw new CommandLineError(
      `${path} is one history of panels. Name its folder: \`assay history ${dirname(path)}\`.`,
    );
  const html = flags.html ?? (path.endsWith(".jsonl") ? path.replace(/jsonl$/, "html") : join(path, "index.html"));
  refuseUnwritable("--html", html);
  if (ctrf !== undefined) refuseUnwritable("--ctrf", ctrf);
  const panels = panelHistoriesIn(invocation, path).flatMap((some) => panelViewsOf(path, some));
  const { nights, documents } = historyAt(invocation, path, described.tables, panels.length > 0);
  if (baseline !== undefined && !nights.some(({ id }) => id === baseline))
    throw new CommandLineError(
      `--baseline names ${baseline}, which isn't a run in ${path}. Each line there has its run's id.`,
    );
  const words: HistoryWords = { version, described, baseline, documents };
  const histories = historiesOf(nights, described);
  const document = historyDocument(histories, words);
  if (nights.length > 0) writeText(html, documentPage(document));
  if (ctrf !== undefined) writeText(ctrf, historyCtrf(histories, words));
  const text =
    nights.length > 0
      ? [markdown ? documentMarkdown(document) : documentLines(document).join("\n"), ...(markdown ? [] : [html])]
      : [];
  for (const { page, document: panel } of panels) writeText(page, documentPage(panel));
  const linesOf = ({ page, document: panel }: PanelView): readonly string[] =>
    markdown ? [documentMarkdown(panel)] : [...documentLines(panel), page];
  if (json)
    printForPrograms(invocation, {
      histories: historiesForPrograms(histories, documents),
      panels: panels.flatMap(({ all }) => all ?? []),
    });
  else invocation.print([...text, ...panels.flatMap(linesOf)].join("\n"));
}

interface PanelView {
  readonly page: string;
  readonly document: Document;
  /** Of one place; null for a view of several. */
  readonly all: PanelReport | null;
}

/** The places of the same vendors beside each other, then each by itself. */
function panelViewsOf(folder: string, { histories, beside }: VendorPanels): readonly PanelView[] {
  const besideAll = beside?.nights[0] && {
    page: panelPagesIn(folder, beside.nights[0][0]).places,
    document: placesDocument(placesOf(beside.nights), {
      version,
      left: beside.left,
      pages: beside.nights.map(([panel]) => basename(panelPagesIn(folder, panel).own)),
    }),
    all: null,
  };
  const each = histories.map(({ nights, left }) => {
    const all = pooled(nights);
    const { first, ...document } = panelDocument(all, nights.toReversed());
    const more = left > 0 ? [note(leftPanelsText(left))] : [];
    return { page: panelPagesIn(folder, all).own, document: { ...document, first: [...first, ...more] }, all };
  });
  return [...(besideAll ? [besideAll] : []), ...each];
}

type ImportFlags = HistoryFlags & { readonly history: string };

/** All that is invalid is found before anything is appended. */
function importAll(invocation: Invocation, paths: readonly string[], { history, ...flags }: ImportFlags): void {
  const { tables } = invocation.project.described;
  // Empty where a variable of a script is.
  const vantage = flags.vantage || null;
  const read = paths.map((path) => panelAt(path) ?? nightOf(runAt(path, tables), vantage, tables));
  const panels = groupedBy(
    read.flatMap((one) => ("vendors" in one ? [{ ...one, vantage: one.vantage ?? vantage }] : [])),
    (panel) => panelHistoryAt(history, namesIn(panel), panel.vantage),
  );
  const nights = groupedBy(
    read.flatMap((one) => ("vendors" in one ? [] : [one])),
    ({ target }) => historyFileOf(history, target),
  );
  for (const [file, some] of nights) readHistory(invocation, file, tables, some);
  const say = (file: string, what: string, all: number, fresh: number): void =>
    invocation.print(`${file}: ${counted(fresh, what)} appended, ${all - fresh} there already.`);
  for (const [file, some] of nights) say(file, "run", some.length, appendNights(file, some).length);
  for (const [file, some] of panels) say(file, "panel", some.length, appendPanels(file, some));
}

type PruneFlags = { readonly [name in "exchanges" | "histograms"]?: string } & { readonly runs: string };

/** Unix time in ms; null without a flag. @throws CommandLineError for anything but a number of days */
function before(flag: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  const [, days] = /^(\d{1,5})d$/.exec(text) ?? [];
  if (days !== undefined) return Date.now() - Number(days) * 24 * 3_600_000;
  throw new CommandLineError(`${flag} is "${text}". Write a number of days, as in ${flag} 30d.`);
}

function prune(invocation: Invocation, path: string, { exchanges, histograms, runs }: PruneFlags): void {
  const olderRuns = before("--exchanges", exchanges);
  const olderHistograms = before("--histograms", histograms);
  if (olderRuns === null && olderHistograms === null)
    throw new CommandLineError("Nothing to prune. Name what is old: --exchanges 30d, --histograms 400d, or both.");
  const files = historiesAt(invocation, path, invocation.project.described.tables);
  const nights = files.flatMap((one) => one.nights).filter(({ at }) => Date.parse(at) < (olderRuns ?? 0));
  const folders = olderRuns === null ? [] : foldersOf(runs, nights);
  for (const folder of folders) rmSync(folder, { recursive: true });
  let pruned = 0;
  const pruneLine = (line: string): string => {
    // What is damaged stays as it is.
    const night = nightIn(line, path);
    if (night === null || Date.parse(night.at) >= (olderHistograms ?? 0)) return line;
    const shorter = JSON.stringify(withoutHistograms(night));
    pruned += Number(shorter.length < line.length);
    return shorter;
  };
  if (olderHistograms !== null) for (const { file } of files) rewrite(file, pruneLine);
  invocation.print(
    `Removed ${counted(folders.length, "folder")} of runs, and the histograms of ${counted(pruned, "night")}.`,
  );
}

/** Folders of runs that the history has: nothing else is removed. */
function foldersOf(runs: string, nights: readonly Night[]): readonly string[] {
  // Two runs that begin in one second have one id.
  const kept = new Set(nights.map(({ id, at }) => `${id} ${at}`));
  const isOf = (folder: string): boolean =>
    holdsRun(folder) &&
    readJournal(folder).some((line) => line.record === "start" && kept.has(`${line.id} ${line.startedAt}`));
  try {
    return readdirSync(runs)
      .map((name) => join(runs, name))
      .filter(isOf);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandLineError(`The folder ${runs} can't be read (${code}). Name where runs are with --runs.`);
  }
}
