// Whom a limit counts together: one caller exceeds it, and another's requests are served, or aren't
import { groupsOf } from "./bursts.ts";
import { documentedLimit, type Experiment } from "./experiments.ts";
import { countOutcomes, type Sample } from "./samples.ts";

/** `null`: it can't be distinguished, as a window ended meanwhile, for instance. */
export type LimitScope = "shared" | "each its own" | "nothing refused" | null;

/** Few, so that a shared bucket can't earn as many in the meantime. */
const ofOther = 2;
/** A bucket may earn so many while the groups arrive. */
const mostEarned = 1;

const groups = {
  first: { size: documentedLimit, caller: 0 },
  again: { size: documentedLimit, caller: 0 },
  other: { size: ofOther, caller: 1 },
  last: { size: documentedLimit, caller: 0 },
};
const groupNames = Object.keys(groups);

/** Beyond most jitter, and all four within a small part of a window. */
const apart_ms = 40;

/** After a rest: one caller sends twice the limit, another a few, and the first one as many as the limit again. */
export const twoCallers: Experiment = Object.values(groups)
  .flatMap(({ size, caller }, group) =>
    Array.from({ length: size }, () => ({ at_ms: group * apart_ms, group, caller })),
  )
  .map((timed, connection) => ({ ...timed, connection }));

/** @param seen in the order of the experiment */
export function scopeOf(seen: readonly Sample[]): LimitScope {
  const byGroup = groupsOf(twoCallers, seen);
  const refusedIn = (name: keyof typeof groups): number =>
    countOutcomes(byGroup.get(groupNames.indexOf(name)) ?? [], "refused");
  const ofSecondHalf = refusedIn("again") + refusedIn("last");
  if (countOutcomes(seen, "served", "refused") < seen.length) return null;
  if (ofSecondHalf === 0) return refusedIn("other") === 0 ? "nothing refused" : null;
  if (refusedIn("other") > 0) return "shared";
  // Else a window may have ended meanwhile, or the other caller's requests just reached a shared limit.
  return ofSecondHalf >= 2 * documentedLimit - mostEarned ? "each its own" : null;
}
