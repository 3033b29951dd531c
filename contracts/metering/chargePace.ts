// The pace of charges: what a run learns of when and where its charges show (amendments 5 and 19).
import { Withheld } from "../../harness/core/outcomes.ts";
import type { CheckContext } from "../../harness/model/check.ts";
import type { Target } from "../../harness/target/target.ts";

/** Waits from one read to the next, in ms; doubled each time, so that early charges cost little time. */
export const waits_ms = [250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000] as const;

/** The longest wait for one charge: 63.75 s. */
export const patience_ms = waits_ms.reduce<number>((total, wait_ms) => total + wait_ms, 0);

/** Replicas may be so far behind those that were read before. */
const leastWait_ms = 12_000;

/** The shortest wait for a counter of which nothing is known but how others do, or that showed nothing before. */
export const unknownCounter_ms = 25_000;

/** If charges take longer to show, those of one check show during the next. */
const slowestJudged_ms = 1.1 * patience_ms;

export const seconds = (duration_ms: number): string =>
  `${Number((duration_ms / 1000).toFixed(duration_ms < 10_000 ? 1 : 0))} s`;

export interface ChargePace {
  /** The longest time that a charge took to show, by counter, in ms. */
  readonly shown_ms: Map<string, number>;
  /** Figures that move without calls of this run, by role and place. */
  readonly restless: Set<string>;
  /** Why a counter isn't judged, by role and counter. */
  readonly lapses: Map<string, Withheld>;
}

export const paceOf = ({ once }: Pick<CheckContext, "once">): ChargePace =>
  once("pace of charges", () => ({ shown_ms: new Map(), restless: new Set(), lapses: new Map() }));

/** One payer's counter. */
export interface Awaited {
  /** The counter, the same for all payers. */
  readonly counter: string;
  /** By role and counter. */
  readonly name: string;
  /** Its figures, by role and place. */
  readonly figures: readonly string[];
}

/** The longest time that charges took to show, in all counters or some; null if none has shown yet. */
export function slowest_ms({ shown_ms }: ChargePace, isMeant = (_counter: string): boolean => true): number | null {
  const known = [...shown_ms].flatMap(([counter, took_ms]) => (isMeant(counter) ? [took_ms] : []));
  return known.length > 0 ? Math.max(...known) : null;
}

/** Why a counter isn't judged: its charges take too long, or don't show; null where it is. */
export function lapseOf(pace: ChargePace, { counter, name }: Awaited): Withheld | null {
  const took_ms = pace.shown_ms.get(counter) ?? slowestLike_ms(pace, counter) ?? 0;
  const slow = new Withheld(`unsettled: charges take ${seconds(took_ms)} to show`);
  return pace.lapses.get(name) ?? (took_ms > slowestJudged_ms ? slow : null);
}

/** Credits are of a kind of their own, as all of them may show later than counts. */
const isLike = (one: string, other: string): boolean => one.includes("/requests/") === other.includes("/requests/");

/** The slowest charge in counters of the same kind; null if none has shown yet. */
export const slowestLike_ms = (pace: ChargePace, counter: string): number | null =>
  slowest_ms(pace, (one) => isLike(one, counter));

/** How long to wait for a charge that may never show, in ms; without a counter, for any. */
export function longestWait_ms(pace: ChargePace, counter?: string): number {
  const known_ms = counter === undefined ? slowest_ms(pace) : (pace.shown_ms.get(counter) ?? null);
  // Other projects may be served by replicas that are further behind.
  if (known_ms !== null) return Math.max(counter === undefined ? 0 : leastWait_ms, 3 * known_ms + 1_000);
  const like_ms = counter === undefined ? null : slowestLike_ms(pace, counter);
  const hasLapsed = counter !== undefined && [...pace.lapses.keys()].some((one) => isLike(one, counter));
  return like_ms !== null || hasLapsed ? Math.max(unknownCounter_ms, 3 * (like_ms ?? 0) + 1_000) : patience_ms;
}

/** How long figures must stay the same: longer than any charge has taken to show; in ms. */
export const quiet_ms = (pace: ChargePace, least_ms: number): number =>
  least_ms > 0 ? Math.max(least_ms, 1.5 * (slowest_ms(pace) ?? 0)) : 0;

/** Why charges can't be measured on a target; null where they can. */
export const notQuiet = ({ quiet, isReference, offers }: Target): string | null => {
  if (!offers.includes("usage")) return "the target doesn't offer usage, where charges show";
  return quiet || isReference ? null : "the target doesn't say `quiet: true`: others may use its projects meanwhile";
};
