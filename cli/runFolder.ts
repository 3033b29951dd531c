// The folder of a run: journal, run.json, and the reports made from them.
import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import type { RequirementId } from "../harness/core/interface.ts";
import type { Unlock } from "../harness/engine/unlocks.ts";
import type { EngineEvent } from "../harness/model/event.ts";
import { exitCodeOf, type Verdict } from "../harness/model/verdict.ts";
import { type CommandCall, Journal, journalName, type RunStart } from "../harness/record/journal.ts";
import { type Run, runFormat } from "../harness/record/run.ts";
import { removeHalf, writeWhole } from "../harness/record/wholeFile.ts";
import type { Spent } from "../harness/target/budget.ts";
import type { Target } from "../harness/target/target.ts";
import { annotationsOf, unheeded } from "../reports/annotations.ts";
import { ctrfOf } from "../reports/ctrf.ts";
import type { Described } from "../reports/described.ts";
import type { KillMatrix } from "../reports/html/killedBy.ts";
import { htmlOf } from "../reports/html/page.tsx";
import { junitOf } from "../reports/junit.ts";
import { markdownOf } from "../reports/markdown.ts";
import { sarifOf } from "../reports/sarif.ts";
import { causeLines, findingLines, paintFor, summaryLines } from "../reports/terminal.ts";
import { copies, type HistoryFlags, type RunFlags } from "./flags.ts";
import type { HistoryPlace } from "./historyFiles.ts";
import type { Invocation, Signal } from "./invocation.ts";
import { holdsRun, readRun } from "./readRuns.ts";
import { commandLine } from "./replayLine.ts";
import { version } from "./version.ts";
import { noRoomIn, refuseUnwritable, writeText } from "./writeText.ts";

export interface RunFolder {
  readonly path: string;
  readonly journal: Journal;
  /** Records an event; where it can't be written, that ends the process. */
  note(event: EngineEvent): void;
  /** @param codeUnderLoad the exit code of a load beside it */
  end(verdicts: readonly Verdict[], spent: Spent, codeUnderLoad?: number): void;
}

export interface RunOptions {
  readonly call: CommandCall;
  readonly targetFile?: string | undefined;
  readonly out?: string | undefined;
  /** What must be judged for the run to be complete; by default all that is planned. */
  readonly planned?: readonly RequirementId[];
  /** By default as the target has it. */
  readonly isStrict?: boolean;
  /** Whether failures that didn't occur again fail the run. */
  readonly intermittentFails?: boolean;
  /** When what is judged was sent, in Unix time; left out where that is now. */
  readonly at?: { readonly began_ms: number; readonly ended_ms: number };
}

/** What is planned for a run, by an engine or a load. */
export interface Planned {
  readonly ids: readonly RequirementId[];
  readonly uncheckedIds: readonly RequirementId[];
  readonly plan: Spent;
  readonly unlocks?: readonly Unlock[];
}

/** @throws CommandLineError where the folder can't be made or holds a run already; Unfinished where there is no room */
export function openRun(target: Target, engine: Planned, options: RunOptions): RunFolder {
  const { call, targetFile, planned = engine.ids, at, out } = options;
  const { isStrict = target.strict, intermittentFails = false } = options;
  const startedAt = new Date(at?.began_ms ?? Date.now()).toISOString();
  const { requests, credits, unpriced } = engine.plan;
  const start: RunStart = {
    record: "start",
    version,
    interface: target.interface.edition,
    id: `${startedAt.slice(0, 19).replaceAll(":", "-")}Z-${target.name}`,
    format: runFormat,
    target: target.name,
    ...(targetFile === undefined ? {} : { targetFile }),
    isReference: target.isReference,
    bases: basesOf(target),
    command: commandLine(call),
    call,
    startedAt,
    planned,
    unchecked: engine.uncheckedIds,
    plan: { requests, credits, unpriced },
    unlocks: engine.unlocks ?? [],
  };
  const path = out ?? freePath(join("runs", start.id));
  if (holdsRun(path))
    throw new CommandLineError(`The folder ${path} holds a run already. Name another with --out, or remove it.`);
  const journal = new Journal(path, target.interface);
  begin(path, journal, start);
  return {
    path,
    journal,
    note: (event) => {
      try {
        journal.note(event);
      } catch (error) {
        // Out of reach of the check that caused it, which would take it for its own failure.
        process.nextTick(() => {
          throw error;
        });
      }
    },
    end: (verdicts, spent, codeUnderLoad = 0) => {
      const codes = [exitCodeOf(verdicts, !journal.has("cutShort"), isStrict), codeUnderLoad];
      const fails = intermittentFails && journal.has("intermittent");
      const exitCode = fails || codes.includes(1) ? 1 : Math.max(...codes);
      journal.write({ record: "end", endedAt: new Date(at?.ended_ms ?? Date.now()).toISOString(), spent, exitCode });
    },
  };
}

const basesOf = ({ bases }: Target): { readonly [api: string]: string } =>
  Object.fromEntries(
    Object.entries<string | undefined>(bases).flatMap(([api, base]) => (base === undefined ? [] : [[api, base]])),
  );

/** Two runs that begin in the same second get a folder each. */
function freePath(path: string): string {
  for (let again = 2, free = path; ; again += 1) {
    if (!existsSync(free)) return free;
    free = `${path}-${again}`;
  }
}

function begin(path: string, journal: Journal, start: RunStart): void {
  try {
    // Bodies are the vendor's data, and perhaps of those who use it.
    mkdirSync(path, { recursive: true, mode: 0o700 });
    journal.write(start);
  } catch (error) {
    // A folder with the half of a first line would hold no run, and take none.
    removeHalf(join(path, journalName));
    const { code } = error as NodeJS.ErrnoException;
    throw (
      noRoomIn(error, undefined, `The folder ${path}`) ??
      new CommandLineError(`The folder ${path} can't be made or written to (${code}). Name another with --out.`)
    );
  }
}

/** Ends a run on a signal with what it has found so far; gives what undoes that. */
export function endOnSignals(
  invocation: Invocation,
  folder: Pick<RunFolder, "path" | "note">,
  readers: Readers,
): () => void {
  // A closed output ends a run, too, and gives no signal's name.
  const stop = (signal?: Signal): void => {
    ignore();
    if (signal !== undefined) folder.note({ event: "cutShort", reason: `${signal} ended it` });
    void finishRun(invocation, folder, readers).then(invocation.end);
  };
  const ignore = invocation.onEnding(stop);
  return ignore;
}

/** Writes a file beside the journal; gives whether that succeeded. */
export function attached(
  invocation: Invocation,
  { path }: Pick<RunFolder, "path">,
  name: string,
  text: string,
): boolean {
  const file = join(path, name);
  return tried(
    invocation,
    () => writeWhole(file, text),
    ({ code }) => `The file ${file} can't be written (${code}); the run continues without it.`,
  );
}

/** Where a file can't be written, the verdicts count all the same: prints why, and gives false. */
function tried(invocation: Invocation, write: () => void, failure: (error: NodeJS.ErrnoException) => string): boolean {
  try {
    write();
    return true;
  } catch (error) {
    invocation.warn(failure(error as NodeJS.ErrnoException));
    return false;
  }
}

/** The files beside the journal. */
type Render = (run: Run, described: Described, kills?: KillMatrix) => Promise<string> | string;
const reports: { readonly [name: string]: Render } = {
  "run.json": (run) => `${JSON.stringify(run, null, 2)}\n`,
  "index.html": (run, described, kills) => htmlOf(run, described, kills ? { kills } : {}),
  "junit.xml": (run) => junitOf(run),
  "ctrf.json": (run, described) => ctrfOf(run, described),
  "results.sarif": (run, described) => sarifOf(run, described),
  "summary.md": (run, described) => markdownOf(run, described),
};

/**
 * Writes run.json and the reports from a run's journal; makes all before it writes the first.
 * @param kills shown on the page
 */
export async function writeReports(
  path: string,
  described: Described,
  { kills, files = {} }: { readonly kills?: KillMatrix | undefined; readonly files?: Readers["files"] } = {},
): Promise<Run> {
  const run = readRun(path, described.tables);
  const texts = new Map<string, string>();
  for (const [name, render] of Object.entries(reports))
    texts.set(join(path, name), await render(run, described, kills));
  for (const [file, text] of texts) writeText(file, text, `When that is mended, run \`assay report ${path}\`.`);
  for (const [name, file] of Object.entries(files)) {
    const own = join(path, name);
    writeText(file, texts.get(own) ?? "", `Copy ${own} to another place.`);
  }
  return run;
}

/** Who reads what a run prints: people, a program (run.json alone), or GitHub's runner beside people. */
export interface Readers {
  readonly asJson: boolean;
  readonly annotates: boolean;
  /** Further places of reports, by their names. */
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
  { asJson, annotates, summary, files = {}, history }: Readers,
  kills?: KillMatrix,
): Promise<number> {
  const { described } = invocation.project;
  const run = await writeReports(path, described, { kills, files });
  const paint = paintFor(invocation.stdout);
  const lines = [...causeLines(run), ...findingLines(run, paint), ...summaryLines(run, path, paint)];
  if (asJson) invocation.print(JSON.stringify(run, null, 2));
  else
    invocation.print(
      (annotates ? [...unheeded(lines, randomUUID()), ...annotationsOf(run, described)] : lines).join("\n"),
    );
  if (summary)
    tried(
      invocation,
      () => appendFileSync(summary, `${markdownOf(run, described)}\n`),
      ({ code }) => `The job's summary ${summary} can't be written to (${code}); the run's summary.md has it.`,
    );
  if (history) {
    const [{ appendNights }, { nightOf }] = await historyModules();
    tried(
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
  {
    json = false,
    annotations,
    ...flags
  }: Pick<RunFlags, "json" | "annotations" | keyof HistoryFlags | keyof typeof copies>,
  target?: Pick<Target, "name" | "interface">,
): Promise<Readers> {
  const files: { [name: string]: string } = {};
  for (const flag of ["junit", "sarif", "markdown"] as const) {
    const file = flags[flag];
    if (file === undefined) continue;
    refuseUnwritable(`--${flag}`, file);
    files[copies[flag]] = file;
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
