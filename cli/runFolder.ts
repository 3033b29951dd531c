// Where does a run leave what it found? A folder with journal, run.json and the reports made from it.

import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import type { Interface, RequirementId } from "../harness/core/interface.ts";
import type { Plan } from "../harness/engine/plan.ts";
import { exitCodeOf, type Verdict } from "../harness/model/verdict.ts";
import { Journal, journalName, readJournal } from "../harness/record/journal.ts";
import { type Run, runFormat, runOf } from "../harness/record/run.ts";
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
import { brokenLines, summaryLines } from "../reports/terminal.ts";
import { version } from "./version.ts";

export interface RunFolder {
  readonly path: string;
  readonly journal: Journal;
  /** @param exitCode where something else than verdicts has a say */
  end(verdicts: readonly Verdict[], spent: Spent, exitCode?: number): void;
}

interface RunOptions {
  /** The command that repeats the run. */
  readonly command: string;
  readonly targetFile?: string;
  readonly out?: string;
  /** What must be judged for the run to be whole; all that is planned unless said otherwise. */
  readonly planned?: readonly RequirementId[];
}

/** What is planned for a run: an engine is one, and a load. */
export interface Planned {
  readonly ids: readonly RequirementId[];
  readonly uncheckedIds: readonly RequirementId[];
  readonly plan: Pick<Plan, "requests" | "credits" | "unpriced">;
}

/** @throws Misuse where the folder can't be made or holds a run already. */
export function openRun(
  target: Target,
  engine: Planned,
  { command, targetFile, out, planned = engine.ids }: RunOptions,
): RunFolder {
  const startedAt = new Date().toISOString();
  const id = `${startedAt.slice(0, 19).replaceAll(":", "-")}Z-${target.name}`;
  const path = out ?? freePath(join("runs", id));
  if (existsSync(join(path, journalName)))
    throw new CommandLineError(`The folder ${path} holds a run already. Name another with --out, or remove it.`);
  makeFolder(path);
  const journal = new Journal(path, target.interface);
  const { requests, credits, unpriced } = engine.plan;
  journal.write({
    record: "start",
    version,
    interface: target.interface.edition,
    id,
    format: runFormat,
    target: target.name,
    ...(targetFile === undefined ? {} : { targetFile }),
    isReference: target.isReference,
    bases: basesOf(target),
    command,
    startedAt,
    planned,
    unchecked: engine.uncheckedIds,
    plan: { requests, credits, unpriced },
  });
  return {
    path,
    journal,
    end: (verdicts, spent, exitCode = exitCodeOf(verdicts, true)) =>
      journal.write({ record: "end", endedAt: new Date().toISOString(), spent, exitCode }),
  };
}

const basesOf = ({ bases }: Target): { readonly [api: string]: string } =>
  Object.fromEntries(
    Object.entries<string | undefined>(bases).flatMap(([api, base]) => (base === undefined ? [] : [[api, base]])),
  );

/** Two runs of one second don't share a folder. */
function freePath(path: string): string {
  for (let again = 2, free = path; ; again += 1) {
    if (!existsSync(free)) return free;
    free = `${path}-${again}`;
  }
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, journalName), "");
  } catch (error) {
    throw new CommandLineError(
      `The folder ${path} can't be made or written to (${(error as NodeJS.ErrnoException).code}). Name another with --out.`,
    );
  }
}

/** The run that a folder holds. @throws Misuse where it holds none, or one of a newer version */
export function readRun(path: string, tables: Interface): Run {
  const lines = readJournal(path);
  const format = lines.find((line) => line.record === "start")?.format ?? runFormat;
  if (format > runFormat)
    throw new CommandLineError(
      `The run in ${path} has format ${format}, and this version of Assay reads format ${runFormat}. Use the version that made it, or a newer one.`,
    );
  const run = runOf(lines, tables);
  if (!run)
    throw new CommandLineError(
      `The folder ${path} holds no run: its ${journalName} isn't there or has no beginning. Name a folder that \`assay run\` has made.`,
    );
  return run;
}

/** Lays a file beside the journal. One that can't be written is no reason to lose the verdict: it is said, and false. */
export function attached({ path }: Pick<RunFolder, "path">, name: string, text: string): boolean {
  try {
    writeFileSync(join(path, name), text);
    return true;
  } catch (error) {
    console.error(
      `The file ${join(path, name)} can't be written (${(error as NodeJS.ErrnoException).code}); the run goes without it.`,
    );
    return false;
  }
}

/** What is written beside the journal. */
type Render = (run: Run, described: Described, kills?: KillMatrix) => Promise<string> | string;
const reports: { readonly [name: string]: Render } = {
  "run.json": (run) => `${JSON.stringify(run, null, 2)}\n`,
  "index.html": (run, described, kills) => htmlOf(run, described, kills ? { kills } : {}),
  "junit.xml": (run) => junitOf(run),
  "ctrf.json": (run, described) => ctrfOf(run, described),
  "results.sarif": (run, described) => sarifOf(run, described),
  "summary.md": (run) => markdownOf(run),
};

/** Writes run.json and the reports from a run's journal; all are made before the first is written. @param kills shown on the page */
export async function writeReports(path: string, described: Described, kills?: KillMatrix): Promise<Run> {
  const run = readRun(path, described.tables);
  const texts: (readonly [file: string, text: string])[] = [];
  for (const [name, render] of Object.entries(reports))
    texts.push([join(path, name), await render(run, described, kills)]);
  for (const [file, text] of texts) {
    try {
      writeFileSync(file, text);
    } catch (error) {
      throw new CommandLineError(
        `The report ${file} can't be written (${(error as NodeJS.ErrnoException).code}). Make room for it and run \`assay report ${path}\`.`,
      );
    }
  }
  return run;
}

/** Who reads what a run prints: people, a program (run.json and nothing else), or GitHub's runner beside people. */
export interface Readers {
  readonly asJson: boolean;
  readonly annotates: boolean;
  /** The file that GitHub shows on the job's page. */
  readonly summary?: string;
}

/** Reports, and what is printed. Gives the exit code. */
export async function finishRun(
  { path }: Pick<RunFolder, "path">,
  { asJson, annotates, summary }: Readers,
  described: Described,
  kills?: KillMatrix,
): Promise<number> {
  const run = await writeReports(path, described, kills);
  const lines = reportLines(run, path);
  if (asJson) console.log(JSON.stringify(run, null, 2));
  else
    console.log((annotates ? [...unheeded(lines, randomUUID()), ...annotationsOf(run, described)] : lines).join("\n"));
  if (summary) appendSummary(summary, run);
  return run.exitCode;
}

/** A summary that can't be written is no reason to lose the verdict. */
function appendSummary(file: string, run: Run): void {
  try {
    appendFileSync(file, `${markdownOf(run)}\n`);
  } catch (error) {
    console.error(
      `The job's summary ${file} can't be written to (${(error as NodeJS.ErrnoException).code}); the run's summary.md holds it.`,
    );
  }
}

/** Where GitHub's runner reads along, unless a program does or something else is said. @throws Misuse */
export function readersOf({
  json = false,
  annotations,
}: {
  readonly json?: boolean;
  readonly annotations?: string;
}): Readers {
  if (annotations !== undefined && !["github", "none"].includes(annotations))
    throw new CommandLineError(`--annotations is "${annotations}". Write --annotations github or --annotations none.`);
  if (annotations === "github" && json)
    throw new CommandLineError(
      "--annotations github and --json can't be printed to one output. Leave one of them out.",
    );
  const { GITHUB_ACTIONS: isJob, GITHUB_STEP_SUMMARY: summary } = process.env;
  const annotates = annotations === undefined ? !json && isJob === "true" : annotations === "github";
  return { asJson: json, annotates, ...(summary && annotations !== "none" ? { summary } : {}) };
}

function reportLines(run: Run, path: string): string[] {
  const broken = run.requirements.filter(({ verdict }) => verdict === "broken");
  return [...broken.flatMap((requirement) => brokenLines(run, requirement)), ...summaryLines(run, path)];
}
