// How are hundreds of mutants tried in little time? One process for each core, each given the next as soon as it is done.
import { fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import type { K6 } from "../load/k6/ensure.ts";
import type { Feature } from "../specs/generated/operations.ts";
import { judgedFeatures } from "./judgedFeatures.ts";
import type { Killed, Selection } from "./mutants.ts";
import type { TriedByK6 } from "./mutantsByK6.ts";
import type { FoundBy } from "./mutantsByProperties.ts";

/** One mutant or benign variation, or the honest platform on the parts (null: all) that the mutants are judged on; or one of these (null: the honest one) judged by properties alone; or a mutant or a right limiter judged by real k6. */
export type Task =
  | { readonly mutant: string }
  | { readonly honestOn: readonly Feature[] | null }
  | { readonly byProperties: string | null }
  | { readonly byK6: string; readonly k6: K6 };

export interface Tried {
  /** Ids that the honest platform breaks. */
  readonly honest: readonly string[];
  readonly results: readonly Killed[];
  readonly foundBy: readonly FoundBy[];
  readonly triedByK6: readonly TriedByK6[];
}

/** A process of its own that tries what it is sent; see share.ts. */
const share = fileURLToPath(new URL("./worker.ts", import.meta.url));

/** Where there is little to do, a second process costs more than it saves. */
const fewest = 40;

/** In the order of the selection. @throws where a process ends without its results */
export async function trySideBySide({
  mutants,
  benignVariants,
}: Selection): Promise<Pick<Tried, "honest" | "results">> {
  const ids = [...mutants, ...benignVariants].map(({ id }): string => id);
  // The honest platform first: it takes longest.
  const tried = await dealt([{ honestOn: featuresOf(ids) }, ...ids.map((mutant) => ({ mutant }))], {
    processes: Math.min(availableParallelism(), Math.ceil(ids.length / fewest)),
  });
  const results = new Map(tried.flatMap(({ results: some }) => some.map((one) => [one.id as string, one] as const)));
  return { honest: tried.flatMap(({ honest }) => honest), results: ids.flatMap((id) => results.get(id) ?? []) };
}

/** What properties find of these, and of the honest platform. @throws where a process ends without its results */
export async function tryByProperties(ids: readonly string[]): Promise<readonly FoundBy[]> {
  const tried = await dealt([null, ...ids].map((byProperties) => ({ byProperties })));
  return tried.flatMap(({ foundBy }) => foundBy);
}

/** Real time is mostly waiting: so many mutants share a core. Each takes some 400 MB, so that there is an end to it. */
const perCore = 3;
const mostInRealTime = 12;

/**
 * Each by a k6 and a reference of its own. What k6 couldn't decide among others it is asked again alone.
 * @param tell hears of each as it is tried
 */
export async function tryByK6(
  names: readonly string[],
  k6: K6,
  tell: (tried: TriedByK6) => void,
): Promise<readonly TriedByK6[]> {
  const told = new Map<string, TriedByK6>();
  const onTried = ({ triedByK6 }: Tried): void => {
    for (const one of triedByK6) {
      told.set(one.id, one);
      tell(one);
    }
  };
  const tasksOf = (some: readonly string[]): readonly Task[] => some.map((byK6) => ({ byK6, k6 }));
  await dealt(tasksOf(names), { processes: Math.min(mostInRealTime, perCore * availableParallelism()), onTried });
  await dealt(tasksOf(names.filter((name) => told.get(name)?.result === "inconclusive")), { processes: 1, onTried });
  return names.flatMap((name) => told.get(name) ?? []);
}

interface Dealing {
  /** So many at once; never more than there are tasks. */
  readonly processes?: number;
  readonly onTried?: (tried: Tried) => void;
}

async function dealt(
  tasks: readonly Task[],
  { processes = availableParallelism(), onTried = () => {} }: Dealing = {},
): Promise<readonly Tried[]> {
  const left = [...tasks];
  return (
    await Promise.all(
      Array.from({ length: Math.min(tasks.length, Math.max(1, processes)) }, () => inProcessOf(left, onTried)),
    )
  ).flat();
}

/** All parts that any of the mutants is judged on. */
function featuresOf(ids: readonly string[]): readonly Feature[] | null {
  const features = ids.map(judgedFeatures);
  return features.includes(null) ? null : [...new Set(features.flatMap((some) => some ?? []))];
}

/** Takes from the tasks until none is left. */
function inProcessOf(tasks: Task[], onTried: (tried: Tried) => void): Promise<readonly Tried[]> {
  return new Promise((resolve, reject) => {
    // Loaders of this process may have been registered by hand, which a child doesn't inherit.
    const child = fork(share, {
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
    child.once("exit", (code) => reject(new Error(`a process that tried lies ended with ${code} and no results`)));
    next();
  });
}
