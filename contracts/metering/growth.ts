// Growth by the calls of probes and scenarios, and by several groups of calls in one window.
import type { Asker, Stimulus } from "../../harness/core/stimulus.ts";
import { sum } from "../../harness/model/law.ts";
import { isServed } from "../../harness/transport/answers.ts";
import { documentedPlaces } from "../shared/figures.ts";
import { inTurn } from "../shared/inTurn.ts";
import { paceOf } from "./chargePace.ts";
import { type Growth, type Reader, requestCounter } from "./reads.ts";
import { Measurement } from "./usageMeasurement.ts";

/** The growth by calls, and what sending them returned. */
export type GrowthBy<T> = Growth & { readonly sent: T };

const begin = (context: Reader, askers: readonly Asker[], pause_ms: number): Promise<Measurement> =>
  Measurement.begin(context, { askers, counters: [documentedPlaces] }, pause_ms);

/** Waits until the charges of the last calls show, or for as long as any took. */
async function settle(context: Reader, measurement: Measurement): Promise<void> {
  const pace = paceOf(context);
  const unshown = await measurement.untilShown(() => pace.longestWait_ms);
  // A figure may show later than another.
  const left_ms = measurement.began_ms + (pace.slowest_ms ?? 0) - measurement.now_ms;
  if (unshown.length === 0) await measurement.untilStill(Math.max(1.5 * measurement.spread_ms, left_ms));
  measurement.rest();
}

/**
 * The growth of the figures of some projects by some calls; none where no charge shows.
 * @throws Withheld where figures keep moving
 */
export async function growthsBy<T>(
  context: Reader,
  askers: readonly Asker[],
  send: () => Promise<T>,
  pause_ms = 0,
): Promise<readonly GrowthBy<T>[]> {
  const measurement = await begin(context, askers, pause_ms);
  const sent = await send();
  await settle(context, measurement);
  return measurement.growths().map((growth) => ({ ...growth, sent }));
}

/** The same of one project. */
export const growthBy = async <T>(
  context: Reader,
  as: Asker,
  send: () => Promise<T>,
  pause_ms = 0,
): Promise<GrowthBy<T>> => (await growthsBy(context, [as], send, pause_ms))[0] as GrowthBy<T>;

/** Enough for counts to stand still as long as one read takes, and to be seen so. */
const readsBetween = 2;

/**
 * The growth by each of some groups of calls that are sent one after another, with reads between; null where the counts
 * didn't stand still between two groups, however late.
 */
export async function growthInSteps(
  context: Reader,
  as: Asker,
  groups: readonly (readonly Stimulus[])[],
  pause_ms: number,
): Promise<readonly (Growth | null)[]> {
  const measurement = await begin(context, [as], pause_ms);
  /** What was counted until a read, by its number. */
  const countAt = (to: number): number => {
    const [growth] = measurement.growths([], new Map(), { from: 0, to });
    return growth ? Number(sum(requestCounter.map((at) => growth.of(at)))) : Number.NaN;
  };
  let served = 0;
  const counts = await inTurn(groups, async (group) => {
    const answered = await inTurn(group, (stimulus) => context.ask(context.fresh(stimulus)));
    for (let nth = 0; nth < readsBetween; nth += 1) await measurement.read();
    served += answered.every(isServed) ? group.length : Number.NaN;
    return served;
  });
  const until_ms = measurement.now_ms + paceOf(context).longestWait_ms;
  while (countAt(measurement.reads) < served && measurement.now_ms < until_ms) await measurement.read();
  await settle(context, measurement);
  const shown = Array.from({ length: measurement.reads + 1 }, (_, nth) => countAt(nth));
  const ends = [0, ...counts.map((count) => shown.lastIndexOf(count))];
  return groups.map((_, nth) => {
    const [from = -1, to = -1] = [ends[nth], ends[nth + 1]];
    const isApart = from >= 0 && to > from;
    return isApart ? (measurement.growths([], new Map(), { from, to })[0] ?? null) : null;
  });
}
