// A pool of worker processes, one per core, that judge mutants one after another
import { fork } from "node:child_process";
import { availableParallelism } from "node:os";
import type { K6 } from "../load/k6/ensure.ts";
import type { Feature } from "../specs/generated/operations.ts";
import { judgedFeatures } from "./judgedFeatures.ts";
import type { Killed, Selection } from "./mutants.ts";
import type { TriedByK6 } from "./mutantsByK6.ts";
import type { FoundBy } from "./mutantsByProperties.ts";

/**
 * `mutant`: also a benign variant · `honestOn`: the honest platform on these features ·
 * `byProperties`: a mutant (null: the honest platform) judged by properties · `byK6`: a mutant or right limiter.
 */
export type Task =
  | { readonly mutant: string }
  | { readonly honestOn: readonly Feature[] }
  | { readonly byProperties: string | null }
  | { readonly byK6: string; readonly k6: K6 };

export interface Tried {
  /** Ids that the honest platform breaks. */
  readonly honest: readonly string[];
  readonly results: readonly Killed[];
  readonly foundBy: readonly FoundBy[];
  readonly triedByK6: readonly TriedByK6[];
}

const worker = new URL("./worker.ts", import.meta.url);

/** Mutants per process: with fewer a second process costs more than it saves. */
const fewest = 40;

/** In the order of the selection. @throws where a process ends without its results */
export async function trySideBySide({
  mutants,
  benignVariants,
}: Selection): Promise<Pick<Tried, "honest" | "results">> {
  const ids = [...mutants, ...benignVariants].map(({ id }): string => id);
  // The honest platform takes longest, so it comes first.
  const tried = await runAll(
    [{ honestOn: [...new Set(ids.flatMap(judgedFeatures))] }, ...ids.map((mutant) => ({ mutant }))],
    { processes: Math.min(availableParallelism(), Math.ceil(ids.length / fewest)) },
  );
  const results = new Map(tried.flatMap(({ results: some }) => some.map((one) => [one.id as string, one] as const)));
  return { honest: tried.flatMap(({ honest }) => honest), results: ids.flatMap((id) => results.get(id) ?? []) };
}

/** What properties find of these, and of the honest platform. @throws where a process ends without its results */
export async function tryByProperties(ids: readonly string[]): Promise<readonly FoundBy[]> {
  const tried = await runAll([null, ...ids].map((byProperties) => ({ byProperties })));
  return tried.flatMap(({ foundBy }) => foundBy);
}

/** Processes in real time mostly wait, so that some can share a core; each takes some 400 MB. */
const perCore = 3;
const mostInRealTime = 12;

/**
 * Each with its own k6 and reference; inconclusive ones are repeated one by one.
 * @param onResult is called with each result
 */
export async function tryByK6(
  names: readonly string[],
  k6: K6,
  onResult: (tried: TriedByK6) => void,
): Promise<readonly TriedByK6[]> {
  const results = new Map<string, TriedByK6>();
  const onTried = ({ triedByK6 }: Tried): void => {
    for (const one of triedByK6) {
      results.set(one.id, one);
      onResult(one);
    }
  };
  const tasksOf = (some: readonly string[]): readonly Task[] => some.map((byK6) => ({ byK6, k6 }));
  await runAll(tasksOf(names), { processes: Math.min(mostInRealTime, perCore * availableParallelism()), onTried });
  await runAll(tasksOf(names.filter((name) => results.get(name)?.result === "inconclusive")), {
    processes: 1,
    onTried,
  });
  return names.flatMap((name) => results.get(name) ?? []);
}

interface PoolOptions {
  /** Processes at once, one per core by default; never more than there are tasks. */
  readonly processes?: number;
  readonly onTried?: (tried: Tried) => void;
}

async function runAll(
  tasks: readonly Task[],
  { processes = availableParallelism(), onTried = () => {} }: PoolOptions = {},
): Promise<readonly Tried[]> {
  const left = [...tasks];
  return (
    await Promise.all(
      Array.from({ length: Math.min(tasks.length, Math.max(1, processes)) }, () => inProcessOf(left, onTried)),
    )
  ).flat();
}

/** Runs tasks in one process until none is left. */
function inProcessOf(tasks: Task[], onTried: (tried: Tried) => void): Promise<readonly Tried[]> {
  return new Promise((resolve, reject) => {
    // A child doesn't inherit loaders that this process registered by code.
    const child = fork(worker, {
      execArgv: ["--import", import.meta.resolve("tsx")],
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    const done: Tried[] = [];
    const next = (): void => {
      const task = tasks.shift();
      if (task) child.send(task);
      else {
        resolve(done);
        child.disconnect();
      }
    };
    child.on("message", (tried) => {
      done.push(tried as Tried);
      onTried(tried as Tried);
      next();
    });
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`a worker process ended with ${code} and no results`)));
    next();
  });
}
