// Where does a run leave what it found? A folder with journal, run.json and the reports made from it.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Spent } from "../harness/budget.ts";
import type { Engine } from "../harness/engine.ts";
import { Journal, journalName, readJournal } from "../harness/journal.ts";
import { Misuse } from "../harness/misuse.ts";
import { type Run, runOf } from "../harness/run.ts";
import type { Target } from "../harness/target.ts";
import { exitCodeOf, type Verdict } from "../harness/verdict.ts";
import type { KillMatrix } from "../reports/html/killedBy.ts";
import { htmlOf } from "../reports/html/page.tsx";
import { junitOf } from "../reports/junit.ts";
import { brokenLines, summaryLines } from "../reports/terminal.ts";
import type { RequirementId } from "../specs/generated/requirements.ts";
import { version } from "./version.ts";

export interface RunFolder {
  readonly path: string;
  readonly journal: Journal;
  end(verdicts: readonly Verdict[], spent: Spent): void;
}

interface RunOptions {
  /** The command that repeats the run. */
  readonly command: string;
  readonly out?: string;
  /** What must be judged for the run to be whole; all that is planned unless said otherwise. */
  readonly planned?: readonly RequirementId[];
}

/** @throws Misuse where the folder can't be made or holds a run already. */
export function openRun(target: Target, engine: Engine, { command, out, planned = engine.ids }: RunOptions): RunFolder {
  const startedAt = new Date().toISOString();
  const id = `${startedAt.slice(0, 19).replaceAll(":", "-")}Z-${target.name}`;
  const path = out ?? freePath(join("runs", id));
  if (existsSync(join(path, journalName))) throw new Misuse(`The folder ${path} holds a run already. Name another with --out, or remove it.`);
  makeFolder(path);
  const journal = new Journal(path);
  const { requests, credits, unpriced } = engine.plan;
  journal.write({
    record: "start",
    version,
    id,
    target: target.name,
    isReference: target.isReference,
    bases: { ...target.bases },
    command,
    startedAt,
    planned,
    unchecked: engine.uncheckedIds,
    plan: { requests, credits, unpriced },
  });
  return {
    path,
    journal,
    end: (verdicts, spent) => journal.write({ record: "end", endedAt: new Date().toISOString(), spent, exitCode: exitCodeOf(verdicts, true) }),
  };
}

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
    throw new Misuse(`The folder ${path} can't be made or written to (${(error as NodeJS.ErrnoException).code}). Name another with --out.`);
  }
}

/** The run that a folder holds. @throws Misuse where it holds none */
export function readRun(path: string): Run {
  const run = runOf(readJournal(path));
  if (!run) throw new Misuse(`The folder ${path} holds no run: its ${journalName} has no beginning. Name a folder that \`assay run\` has made.`);
  return run;
}

/** Writes run.json and the reports from a run's journal. @param kills shown beside it on the page */
export async function writeReports(path: string, kills?: KillMatrix): Promise<Run> {
  const run = readRun(path);
  const write = (name: string, text: string): void => writeFileSync(join(path, name), text);
  write("run.json", `${JSON.stringify(run, null, 2)}\n`);
  write("index.html", await htmlOf(run, kills ? { kills } : {}));
  write("junit.xml", junitOf(run));
  return run;
}

/** Reports and the summary for people, or run.json on the terminal. Gives the exit code. */
export async function finishRun({ path }: Pick<RunFolder, "path">, asJson: boolean, kills?: KillMatrix): Promise<number> {
  const run = await writeReports(path, kills);
  if (asJson) console.log(JSON.stringify(run, null, 2));
  else console.log(reportLines(run, path).join("\n"));
  return run.exitCode;
}

function reportLines(run: Run, path: string): string[] {
  const broken = run.requirements.filter(({ verdict }) => verdict === "broken");
  return [...broken.flatMap((requirement) => brokenLines(run, requirement)), ...summaryLines(run, path)];
}
