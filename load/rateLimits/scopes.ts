// Whom a limit counts together: one caller exceeds it, and another's requests are served, or aren't
import { groupsOf } from "./bursts.ts";
import { type Experiment, limit } from "./experiments.ts";
import { count, type Sample } from "./samples.ts";

/** `null`: it can't be distinguished, as a window ended meanwhile, for instance. */
export type Scope = "shared" | "each its own" | "nothing refused" | null;

/** Few, so that a shared bucket can't earn as many in the meantime. */
const ofOther = 2;
/** A bucket may earn so many while the groups arrive. */
const mostEarned = 1;

const groups: readonly (readonly [size: number, caller: number])[] = [
  [limit, 0],
  [limit, 0],
  [ofOther, 1],
  [limit, 0],
];

/** Beyond most jitter, and all four within a small part of a window. */
const apart_ms = 40;

/** After a rest: one caller sends twice the limit, another a few, and the first one as many as the limit again. */
export const twoCallers: Experiment = groups
  .flatMap(([size, caller], group) => Array.from({ length: size }, () => ({ at_ms: group * apart_ms, group, caller })))
  .map((timed, connection) => ({ ...timed, connection }));

/** @param seen in the order of the experiment */
export function scopeOf(seen: readonly Sample[]): Scope {
  const byGroup = groupsOf(twoCallers, seen);
  const [, again = 0, other = 0, last = 0] = [0, 1, 2, 3].map((group) => count(byGroup.get(group) ?? [], "refused"));
  if (count(seen, "served", "refused") < seen.length) return null;
  if (again + last === 0) return other === 0 ? "nothing refused" : null;
  if (other > 0) return "shared";
  // Else a window may have ended meanwhile, or the other caller's requests just reached a shared limit.
  return again + last >= 2 * limit - mostEarned ? "each its own" : null;
}
