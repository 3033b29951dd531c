// How are hundreds of lies tried in little time? One process for each core, each given the next as soon as it is done.
import { fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import type { K6 } from "../load/k6/ensure.ts";
import type { Part } from "../specs/generated/operations.ts";
import type { TriedByK6 } from "./byK6.ts";
import type { FoundBy } from "./byProperties.ts";
import { judgedParts } from "./judgedParts.ts";
import type { Killed, Selection } from "./mutants.ts";

/** One lie or benign variation, or the honest platform on the parts (null: all) that the lies are judged on; or one of these (null: the honest one) judged by properties alone; or a lie or a right limiter judged by real k6. */
export type Task =
  | { readonly lie: string }
  | { readonly honestOn: readonly Part[] | null }
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
const share = fileURLToPath(new URL("./share.ts", import.meta.url));

/** Where there is little to do, a second process costs more than it saves. */
const fewest = 40;

/** In the order of the selection. @throws where a process ends without its results */
export async function trySideBySide({ mutants, controls }: Selection): Promise<Pick<Tried, "honest" | "results">> {
  const ids = [...mutants, ...controls].map(({ id }): string => id);
  // The honest platform first: it takes longest.
  const tried = await dealt([{ honestOn: partsOf(ids) }, ...ids.map((lie) => ({ lie }))], {
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

/** Real time is mostly waiting: so many lies share a core. Each takes some 400 MB, so that there is an end to it. */
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

/** All parts that any of the lies is judged on. */
function partsOf(ids: readonly string[]): readonly Part[] | null {
  const parts = ids.map(judgedParts);
  return parts.includes(null) ? null : [...new Set(parts.flatMap((some) => some ?? []))];
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
