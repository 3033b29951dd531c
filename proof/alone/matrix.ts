// The matrix of mutants and targets, and what deletions miss: kept line by line, so that an hour's run can be resumed
import { fileURLToPath } from "node:url";
import { JsonLines } from "../jsonLines.ts";
import { runAll } from "../workerPool.ts";
import type { Deletion } from "./deletions.ts";
import { detectors } from "./detectors.ts";
import { allMutants, type On, type Row, tries } from "./tried.ts";

/** A mutant on a target, or a check that is deleted. */
export type Task = { readonly mutant: string; readonly on: On } | { readonly deleted: string };

/** What the deletion of a check misses; null where others send and judge the same. */
export interface Deleted {
  readonly deleted: string;
  readonly deletion: Deletion | null;
}

const fileOf = (name: string): string => fileURLToPath(new URL(`../generated/${name}`, import.meta.url));

const rows = new JsonLines<Row>(fileOf("alone.jsonl"));
const deletions = new JsonLines<Deleted>(fileOf("deletions.jsonl"));

/** @param processes one per core by default */
async function made<Line>(lines: JsonLines<Line>, tasks: readonly Task[], processes?: number): Promise<void> {
  await runAll<readonly Line[]>(tasks, {
    worker: new URL("worker.ts", import.meta.url),
    ...(processes === undefined ? {} : { processes }),
    onResult: (some) => {
      for (const line of some) lines.add(line);
    },
  });
}

/** The rows so far, of mutants that there are. */
export const rowsKept = (): readonly Row[] => rows.read().filter(({ mutant }) => allMutants.includes(mutant));

/** All rows; those that aren't kept yet are made. @param processes one per core by default */
export async function allRows(processes?: number): Promise<readonly Row[]> {
  const known = new Set(rowsKept().map(({ mutant, on }) => `${on} ${mutant}`));
  const tasks = tries.flatMap((on) =>
    allMutants.filter((mutant) => !known.has(`${on} ${mutant}`)).map((mutant): Task => ({ mutant, on })),
  );
  await made(rows, tasks, processes);
  return rowsKept();
}

/** By the name of the check. */
export type Deletions = ReadonlyMap<string, Deletion | null>;

export const deletionsKept = (): Deletions =>
  new Map(
    deletions
      .read()
      .filter(({ deletion }) => deletion === null || allMutants.includes(deletion.mutant))
      .map(({ deleted, deletion }) => [deleted, deletion]),
  );

/** What the deletion of each check misses; needs the rows with control. */
export async function allDeletions(processes?: number): Promise<Deletions> {
  const known = new Set(deletionsKept().keys());
  const checks = detectors.filter(({ kind, name }) => kind === "check" && !known.has(name));
  const tasks = checks.map(({ name }): Task => ({ deleted: name }));
  await made(deletions, tasks, processes);
  return deletionsKept();
}
