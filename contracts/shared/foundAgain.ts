// Repeats of a request that showed a breach, which may have been a change between two requests.
import { Inconclusive } from "../../harness/core/outcomes.ts";
import type { Shown } from "../../harness/model/check.ts";

/** What one repeat shows; of a list, each breach under what it is about, and all that is listed. */
export interface Repeat extends Shown {
  readonly breaches?: readonly (readonly [about: string, Shown])[];
  readonly list?: string;
}

/** So many repeats must show the same list with the same breach. */
const repeatsNeeded = 3;

const breachesOf = (repeat: Repeat): NonNullable<Repeat["breaches"]> =>
  repeat.breaches ?? (repeat.finding.outcome === "broken" ? [["it", repeat]] : []);

/**
 * What holds at once, or one breach that each repeat shows while the list stays the same.
 * @param see gives what one repeat shows; `again` distinguishes it from others
 * @param otherwise why it isn't settled where the list changes, or the repeats have no breach in common
 * @throws Inconclusive for that
 */
export async function foundAgain(see: (again: number) => Promise<Repeat>, otherwise: string): Promise<Shown> {
  const first = await see(0);
  let common = breachesOf(first);
  for (let again = 1; common.length > 0 && again < repeatsNeeded; again += 1) {
    const next = await see(again);
    const found = new Map(breachesOf(next));
    common = next.list === first.list ? common.filter(([about]) => found.has(about)) : [];
    if (common.length === 0) throw new Inconclusive({ kind: "notSettled", detail: otherwise });
  }
  return common[0]?.[1] ?? first;
}
