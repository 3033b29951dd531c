// The readers of a run: reports beside the journal, what is printed, and what is copied or appended elsewhere.
import { randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import { digestOfMember, sha256Of } from "../harness/core/memberFile.ts";
import { filesOf, killsFile, manifestFile, manifestOf, manifestText } from "../harness/record/manifest.ts";
import type { Run } from "../harness/record/run.ts";
import type { Target } from "../harness/targets/target.ts";
import { type Described, describedBy } from "../reports/described.ts";
import { closingLines, paintFor } from "../reports/document/terminal.ts";
import { type CopiedFormat, copiedFormats, formats, type ReportSource } from "../reports/formats/formats.ts";
import { annotationsOf, unheeded } from "../reports/run/annotations.ts";
import type { KillMatrix } from "../reports/run/killedBy.ts";
import { runDocument } from "../reports/run/terminal.ts";
import { inert } from "../reports/text.ts";
import type { HistoryFlags, RunFlags } from "./flags.ts";
import type { HistoryPlace } from "./historyFiles.ts";
import type { Invocation } from "./invocation.ts";
import { type ReadRun, readRun } from "./readRuns.ts";
import type { RunFolder } from "./runFolder.ts";
import type { Signal } from "./signals.ts";
import { packageUrl, version } from "./version.ts";
import { refuseUnwritable, triedWrite, writeText } from "./writeText.ts";

/** What is known of a run before its reports are made. */
interface Known {
  /** By default what its own journal says. */
  readonly read?: ReadRun;
  /** Shown on the page. */
  readonly kills?: KillMatrix | undefined;
}

/** Writes run.json and the reports from a run's journal; makes all before it writes the first. */
export const writeReports = async (path: string, own: Described): Promise<Run> =>
  (await writeFormats(path, own, {})).run;

async function writeFormats(
  path: string,
  own: Described,
  { kills, files = {}, read = readRun(path, own.tables) }: Pick<Readers, "files"> & Known,
) {
  const { run, tables } = read;
  const described = describedBy(tables, own);
  const texts = await reportTexts({ run, described, kills });
  const written = new Map(formats.map(({ name, file }) => [file as string, texts.get(name) ?? ""]));
  if (kills) written.set(killsFile, `${JSON.stringify(kills)}\n`);
  const advice = `When that is fixed, run \`assay report ${path}\`.`;
  for (const [file, text] of written) writeText(join(path, file), text, advice);
  await writeManifest(path, run, written, advice);
  for (const { name, file } of copiedFormats) {
    const copy = files[name];
    if (copy !== undefined) writeText(copy, texts.get(name) ?? "", `Copy ${join(path, file)} to another place.`);
  }
  return { run, described, texts };
}

/**
 * Names what Assay wrote into a run's folder, by what it says.
 * @param written texts of files, by their names there; other files of the run are read
 */
async function writeManifest(
  path: string,
  run: Run,
  written: ReadonlyMap<string, string>,
  advice: string,
): Promise<void> {
  const digests = new Map<string, string>();
  for (const name of filesOf(run, [...written.keys()])) {
    const text = written.get(name);
    const digest = text === undefined ? await digestOfMember(path, name) : sha256Of(text);
    if (digest !== null) digests.set(name, digest);
  }
  writeText(join(path, manifestFile), manifestText(manifestOf(run, digests, version, packageUrl)), advice);
}

/** The reports of a run, by the names of their formats. */
export async function reportTexts(source: ReportSource): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const { name, render } of formats) texts.set(name, await render(source));
  return texts;
}

/** Who reads what a run prints: people, a program (run.json alone), or GitHub's runner beside people. */
export interface Readers {
  readonly asJson: boolean;
  readonly annotates: boolean;
  /** Further places of reports, by the names of their formats. */
  readonly files?: { readonly [name: string]: string };
  /** The file whose content GitHub shows on the job's page. */
  readonly summary?: string;
  readonly history?: HistoryPlace | undefined;
}

/** Loaded where a run is kept: histograms take time to load. */
const historyModules = () => Promise.all([import("./historyFiles.ts"), import("../reports/history/night.ts")]);

/** Writes the reports and prints. Gives the exit code. */
export async function finishRun(
  invocation: Invocation,
  { path }: Pick<RunFolder, "path">,
  readers: Readers,
  known: Known = {},
): Promise<number> {
  const { asJson, annotates, summary, files = {}, history } = readers;
  const { run, described, texts } = await writeFormats(path, invocation.project.described, { ...known, files });
  const lines = closingLines(runDocument(run, path), paintFor(invocation.stdout));
  if (asJson) invocation.printJson(JSON.stringify(run, null, 2));
  else {
    // Colours and annotations are ours: what others wrote is visible in the lines already.
    const shown = annotates ? [...unheeded(lines, randomUUID()), ...annotationsOf(run, described)] : lines.map(inert);
    invocation.stdout.write(`${shown.join("\n")}\n`);
  }
  if (summary)
    triedWrite(
      invocation,
      () => appendFileSync(summary, `${texts.get("markdown") ?? ""}\n`),
      ({ code }) => `The job's summary ${summary} can't be written to (${code}); the run's summary.md has it.`,
    );
  if (history) {
    const [{ appendNights }, { nightOf }] = await historyModules();
    triedWrite(
      invocation,
      () => appendNights(history.file, [nightOf(run, history.vantage, described.tables)]),
      ({ message }) => {
        const command = `assay history import ${path} --history ${history.file}`;
        return `${message} The run isn't in its history: \`${command}\` appends it.`;
      },
    );
  }
  return run.exitCode;
}

/**
 * Where GitHub's runner reads along, unless a program does or something else is said.
 * @param target whose history the run is appended to
 * @throws CommandLineError
 */
export async function readersOf(
  invocation: Invocation,
  { json = false, annotations, ...flags }: Pick<RunFlags, "json" | "annotations" | keyof HistoryFlags | CopiedFormat>,
  target?: Pick<Target, "name" | "interface">,
): Promise<Readers> {
  const files: { [name: string]: string } = {};
  for (const { name } of copiedFormats) {
    const file = flags[name];
    if (file === undefined) continue;
    refuseUnwritable(`--${name}`, file);
    files[name] = file;
  }
  if (annotations !== undefined && !["github", "none"].includes(annotations))
    throw new CommandLineError(`--annotations is "${annotations}". Write --annotations github or --annotations none.`);
  if (annotations === "github" && json)
    throw new CommandLineError("--annotations github and --json can't both be printed. Leave one of them out.");
  const { GITHUB_ACTIONS: isJob, GITHUB_STEP_SUMMARY: summary } = invocation.env;
  const annotates = annotations === undefined ? !json && isJob === "true" : annotations === "github";
  const isKept = target && (flags.history ?? flags.vantage) !== undefined;
  const history = isKept ? (await historyModules())[0].historyPlaceOf(invocation, flags, target) : undefined;
  return { asJson: json, annotates, files, history, ...(summary && annotations !== "none" ? { summary } : {}) };
}

/**
 * Ends a run on a signal with what it has found so far; gives what undoes that.
 * @param keepsVerdict whether Ctrl-C ends it otherwise, with its verdict as it is
 */
export function endOnSignals(
  invocation: Invocation,
  folder: Pick<RunFolder, "path" | "note" | "journal">,
  readers: Readers,
  keepsVerdict: () => boolean = () => false,
): () => void {
  // A closed output ends a run, too, and gives no signal's name.
  const stop = (signal?: Signal): void => {
    if (signal === "SIGINT" && keepsVerdict()) return;
    ignore();
    if (signal !== undefined) folder.note({ event: "cutShort", reason: `${signal} ended it` });
    folder.journal.seal();
    void finishRun(invocation, folder, readers).then(invocation.end);
  };
  const ignore = invocation.onEnding(stop);
  return ignore;
}
