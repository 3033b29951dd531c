// How are hundreds of lies tried in little time? One process for each core, each with its share.
import { fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import type { Killed, Selection } from "./mutants.ts";

export interface Tried {
  /** Ids that the honest platform breaks. */
  readonly honest: readonly string[];
  readonly results: readonly Killed[];
}

/** A process of its own that tries lies by name; see share.ts. */
const share = fileURLToPath(new URL("./share.ts", import.meta.url));

/** Where there is little to do, a second process costs more than it saves. */
const fewest = 40;

/** In the order of the selection. @throws where a process ends without its results */
export async function trySideBySide({ mutants, controls }: Selection): Promise<Tried> {
  const ids = [...mutants, ...controls].map(({ id }): string => id);
  const processes = Math.max(1, Math.min(availableParallelism(), Math.ceil(ids.length / fewest)));
  // Dealt in turn: neighbours are alike, so that each share takes about as long.
  const shares = Array.from({ length: processes }, (_, nth) => ids.filter((__, index) => index % processes === nth));
  const tried = await Promise.all(shares.map((ofOne, nth) => inProcessOf({ ids: ofOne, honestToo: nth === 0 })));
  const results = new Map(tried.flatMap(({ results: some }) => some.map((one) => [one.id as string, one] as const)));
  return { honest: tried.flatMap(({ honest }) => honest), results: ids.flatMap((id) => results.get(id) ?? []) };
}

export interface Share {
  readonly ids: readonly string[];
  readonly honestToo: boolean;
}

function inProcessOf(task: Share): Promise<Tried> {
  return new Promise((resolve, reject) => {
    // Loaders of this process may have been registered by hand, which a child doesn't inherit.
    const child = fork(share, { execArgv: ["--import", import.meta.resolve("tsx")], stdio: ["ignore", "inherit", "inherit", "ipc"] });
    child.once("message", (tried) => resolve(tried as Tried));
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`a process that tried lies ended with ${code} and no results`)));
    child.send(task);
  });
}
