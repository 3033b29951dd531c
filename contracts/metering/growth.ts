// Growth by the calls of probes and scenarios, and by several groups of calls in one window.
import type { Asker, RequestSpec } from "../../harness/core/requestSpec.ts";
import { sum } from "../../harness/model/law.ts";
import { isServed } from "../../harness/transport/answers.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { documentedPlaces } from "../shared/figures.ts";
import { inTurn } from "../shared/inTurn.ts";
import {
  atOnce_ms,
  type ChargePace,
  chargePaceOf,
  isLate,
  longestWait_ms,
  probeWait_ms,
  shownWithin_ms,
  showsAtOnce,
  soon_ms,
} from "./chargePace.ts";
import { type Growth, type Reader, requestCounter } from "./meterRounds.ts";
import { Measurement } from "./usageMeasurement.ts";

/** The growth by calls, and what sending them returned. */
export type GrowthBy<T> = Growth & { readonly sent: T };

export interface GrowthByOptions {
  /** How long figures must have stayed the same before. */
  readonly pause_ms?: number;
  /** How long charges are waited for, in ms. */
  readonly wait_ms?: (pace: ChargePace) => number;
}

const begin = (context: Reader, as: Asker, pause_ms: number): Promise<Measurement> =>
  Measurement.begin(context, { askers: [as], counters: [documentedPlaces] }, pause_ms);

/** Waits until the charges of the last calls show, or for as long as the slowest took. */
async function settle(context: Reader, measurement: Measurement, wait_ms = longestWait_ms): Promise<void> {
  const pace = chargePaceOf(context);
  measurement.noteCalls();
  await measurement.untilSettled(() => (showsAtOnce(pace) ? atOnce_ms : wait_ms(pace)));
  measurement.end(true);
}

/**
 * The growth of a project's figures by some calls; none where no charge shows.
 * @throws Withheld where figures keep moving
 */
export async function growthBy<T>(
  context: Reader,
  as: Asker,
  send: () => Promise<T>,
  { pause_ms = 0, wait_ms }: GrowthByOptions = {},
): Promise<GrowthBy<T>> {
  const measurement = await begin(context, as, pause_ms);
  const sent = await send();
  await settle(context, measurement, wait_ms);
  // Of one project, one growth.
  return { ...(measurement.readings.growths()[0] as Growth), sent };
}

/** Enough for late charges to stand still as long as one read takes, and to be seen so. */
const readsBetween = 2;

/** Calls of which one measurement distinguishes the growth from that of others. */
export interface Step {
  readonly name: string;
  readonly calls: readonly RequestSpec[];
  /** Whether each served call counts as one request. */
  readonly isCounted: boolean;
}

/**
 * The growth by each of some steps of one project, sent one after another with reads between; null where figures that
 * show late don't stand still between two of them.
 */
export async function growthInSteps<Answer extends Exchange>(
  context: Omit<Reader, "ask"> & { ask(requestSpec: RequestSpec): Promise<Answer> },
  as: Asker,
  steps: readonly Step[],
  pause_ms: number,
): Promise<readonly (GrowthBy<readonly Answer[]> | null)[]> {
  const measurement = await begin(context, as, pause_ms);
  const { readings } = measurement;
  // Of one project, one growth.
  const growth = (from: number, to: number): Growth => readings.growths({ between: { from, to } })[0] as Growth;
  /** What was counted until a read, by its number. */
  const countAt = (to: number): number => Number(sum(requestCounter.map((at) => growth(0, to).of(at))));
  const before = chargePaceOf(context);
  const isLateHere = isLate(before);
  /** After how many reads a step shows: as many as the slowest took whose count is known. */
  let reads = 1;
  const tried = await inTurn(steps, async ({ calls, isCounted }) => {
    const from = readings.count;
    const sent = await inTurn(calls, (requestSpec) => context.ask(context.fresh(requestSpec)));
    const sent_ms = sent.map(({ sentAt_ms }) => sentAt_ms);
    const first_ms = Math.min(...sent_ms);
    const last_ms = Math.max(...sent_ms);
    const count = isCounted && sent.every(isServed) ? calls.length : Number.NaN;
    for (;;) {
      await readings.read();
      const nth = readings.count - from;
      const waited_ms = readings.now_ms - last_ms;
      const isShown = countAt(readings.count) - countAt(from) >= count;
      if (isShown) reads = Math.max(reads, nth);
      const isEnough = isShown || (Number.isNaN(count) ? nth >= reads : waited_ms > soon_ms);
      // Late charges stand still for a read to see wherever others are sent meanwhile.
      const isStill = nth >= readsBetween && waited_ms > Math.min(last_ms - first_ms, shownWithin_ms(before));
      if (isLateHere ? isStill : isEnough) return { sent, count, from, to: readings.count };
    }
  });
  const isAtOnce = tried.every(({ count, from, to }) => Number.isNaN(count) || countAt(to) - countAt(from) === count);
  const totals = tried.map((_, nth) => tried.slice(0, nth + 1).reduce((total, { count }) => total + count, 0));
  const until_ms = readings.now_ms + longestWait_ms(chargePaceOf(context));
  const isLacking = (): boolean => {
    const count = countAt(readings.count);
    return totals.some((total) => count < total);
  };
  while (isLacking() && readings.now_ms < until_ms) await readings.read();
  await settle(context, measurement, probeWait_ms);
  const shown = Array.from({ length: readings.count + 1 }, (_, nth) => countAt(nth));
  const ends = [0, ...(isAtOnce ? tried.map(({ to }) => to) : totals.map((total) => shown.lastIndexOf(total)))];
  // Credits that show later than counts belong to no step.
  const isWhole = growth(Math.max(...ends), readings.count)
    .of("/creditsUsed")
    .eq(0);
  return tried.map(({ sent }, nth) => {
    const [from, to] = ends.slice(nth) as [number, number];
    return isWhole && from >= 0 && to > from ? { ...growth(from, to), sent } : null;
  });
}
