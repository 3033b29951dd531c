// The matrix of mutants and targets, and what deletions miss: kept line by line, so that an hour's run can be resumed

import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
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

const folder = new URL("../generated/", import.meta.url);

function kept(name: string): readonly unknown[] {
  const file = new URL(name, folder);
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as unknown);
}

async function made(name: string, tasks: readonly Task[], processes: number | undefined): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await runAll<readonly object[]>(tasks, {
    worker: new URL("worker.ts", import.meta.url),
    ...(processes === undefined ? {} : { processes }),
    onResult: (lines) =>
      appendFileSync(new URL(name, folder), lines.map((line) => `${JSON.stringify(line)}\n`).join("")),
  });
}

const rowsName = "alone.jsonl";
const deletionsName = "deletions.jsonl";

/** The rows so far, of mutants that there are. */
export const rowsKept = (): readonly Row[] =>
  (kept(rowsName) as readonly Row[]).filter(({ mutant }) => allMutants.includes(mutant));

/** All rows; those that aren't kept yet are made. @param processes one per core by default */
export async function allRows(processes?: number): Promise<readonly Row[]> {
  const known = new Set(rowsKept().map(({ mutant, on }) => `${on} ${mutant}`));
  const tasks = tries.flatMap((on) =>
    allMutants.filter((mutant) => !known.has(`${on} ${mutant}`)).map((mutant): Task => ({ mutant, on })),
  );
  await made(rowsName, tasks, processes);
  return rowsKept();
}

/** By the name of the check. */
export type Deletions = ReadonlyMap<string, Deletion | null>;

export const deletionsKept = (): Deletions =>
  new Map(
    (kept(deletionsName) as readonly Deleted[])
      .filter(({ deletion }) => deletion === null || allMutants.includes(deletion.mutant))
      .map(({ deleted, deletion }) => [deleted, deletion]),
  );

/** What the deletion of each check misses; needs the rows with control. */
export async function allDeletions(processes?: number): Promise<Deletions> {
  const known = new Set(deletionsKept().keys());
  const checks = detectors.filter(({ kind, name }) => kind === "check" && !known.has(name));
  const tasks = checks.map(({ name }): Task => ({ deleted: name }));
  await made(deletionsName, tasks, processes);
  return deletionsKept();
}
