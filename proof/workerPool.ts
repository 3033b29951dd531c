// A pool of worker processes, one per core, that judge mutants one after another
import { fork, type Serializable } from "node:child_process";
import { availableParallelism } from "node:os";
import { childEnvironment } from "../harness/core/children.ts";
import type { K6 } from "../load/k6/ensure.ts";
import type { Feature } from "../specs/generated/operations.ts";
import { judgedFeatures } from "./judgedFeatures.ts";
import type { Killed, Selection } from "./mutants.ts";
import type { TriedByK6 } from "./mutantsByK6.ts";
import type { FoundBy } from "./mutantsByProperties.ts";

/**
 * `mutant`: also a benign variant · `honestOn`: the honest platform on these features, of which results are the ids
 * that it breaks · `byProperties`: a mutant (null: the honest platform) judged by properties · `byK6`: a mutant or
 * right limiter.
 */
export type Task =
  | { readonly mutant: string }
  | { readonly honestOn: readonly Feature[] }
  | { readonly byProperties: string | null }
  | { readonly byK6: string; readonly k6: K6 };

const ownWorker = new URL("./worker.ts", import.meta.url);

/** Mutants per process: with fewer a second process costs more than it saves. */
const fewest = 40;

/** What the honest platform breaks, and the results of the selection. @throws where a process ends without results */
export async function trySideBySide({ mutants, benignVariants }: Selection) {
  const ids = [...mutants, ...benignVariants].map(({ id }): string => id);
  // The honest platform takes longest, so it comes first.
  const [honest, ...results] = (await runAll(
    [{ honestOn: [...new Set(ids.flatMap(judgedFeatures))] }, ...ids.map((mutant): Task => ({ mutant }))],
    { processes: Math.min(availableParallelism(), Math.ceil(ids.length / fewest)) },
  )) as [readonly string[], ...Killed[]];
  return { honest, results };
}

/** What properties find of these, and of the honest platform. @throws where a process ends without its results */
export const tryByProperties = (ids: readonly string[]): Promise<readonly FoundBy[]> =>
  runAll<FoundBy>([null, ...ids].map((byProperties): Task => ({ byProperties })));

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
  const run = (ids: readonly string[], processes: number): Promise<readonly TriedByK6[]> =>
    runAll(
      ids.map((byK6): Task => ({ byK6, k6 })),
      { processes, onResult },
    );
  const results = await run(names, Math.min(mostInRealTime, perCore * availableParallelism()));
  const again = await run(
    names.filter((_, nth) => results[nth]?.result === "inconclusive"),
    1,
  );
  return results.map((one) => again.find(({ id }) => id === one.id) ?? one);
}

interface PoolOptions<Result> {
  /** The script that takes tasks as messages and returns results; by default that of this file's tasks. */
  readonly worker?: URL;
  /** Processes at once, one per core by default; never more than there are tasks. */
  readonly processes?: number;
  readonly onResult?: (result: Result) => void;
}

/** The results of all tasks, in their order. @throws where a process ends without results */
export async function runAll<Result>(
  tasks: readonly Serializable[],
  { worker = ownWorker, processes = availableParallelism(), onResult = () => {} }: PoolOptions<Result> = {},
): Promise<readonly Result[]> {
  const left = [...tasks.entries()];
  const results: Result[] = [];
  const onDone = (nth: number, result: unknown): void => {
    results[nth] = result as Result;
    onResult(result as Result);
  };
  const count = Math.min(tasks.length, Math.max(1, processes));
  await Promise.all(Array.from({ length: count }, () => inProcess(worker, left, onDone)));
  return results;
}

/** Runs tasks in one process until none is left. */
function inProcess(
  worker: URL,
  left: (readonly [nth: number, task: Serializable])[],
  onDone: (nth: number, result: unknown) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    // A child doesn't inherit loaders that this process registered by code.
    const child = fork(worker, {
      execArgv: worker.pathname.endsWith(".ts") ? ["--import", import.meta.resolve("tsx")] : [],
      env: childEnvironment("node"),
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    const next = (): void => {
      const [nth, task] = left.shift() ?? [];
      if (nth === undefined || task === undefined) {
        resolve();
        child.disconnect();
        return;
      }
      child.once("message", (result) => {
        onDone(nth, result);
        next();
      });
      child.send(task);
    };
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`a worker process ended with ${code} and no results`)));
    next();
  });
}
