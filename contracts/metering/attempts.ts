// Attempts to measure charged calls: calls, waits until their charges show, and further calls where they don't.
import type { Finding } from "../../harness/core/finding.ts";
import { Withheld } from "../../harness/core/outcomes.ts";
import type { Asker } from "../../harness/core/requestSpec.ts";
import type { CheckContext, Shown } from "../../harness/model/check.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import type { Feature } from "../../specs/generated/operations.ts";
import { caughtUp } from "./accounts.ts";
import {
  type Awaited,
  chargePaceOf,
  doubtedPause_ms,
  isPrompt,
  seconds,
  slowestJudged_ms,
  unknownCounter_ms,
  usualPause_ms,
} from "./chargePace.ts";
import type { Open } from "./neverCharged.ts";
import { type ChargedGrowth, isQuietSince, type MeasuredUsage, projectOf } from "./reads.ts";
import { Measurement } from "./usageMeasurement.ts";

/** Judges one figure of one project's growth by some calls. @throws Withheld where its charges aren't settled */
export type Judge = (growth: ChargedGrowth) => Shown;

/** The same, later. */
export type Judgement = () => Shown;

export const inGrowth =
  (judge: (growth: ChargedGrowth) => Finding): Judge =>
  (growth) => ({ exchange: growth.exchange, finding: judge(growth) });

/** Judges the growth of every project in each of these ways. */
export const inEach =
  (...judges: readonly Judge[]): ChargedCalls["judge"] =>
  (growths) =>
    growths.flatMap((growth) => judges.map((judge) => () => judge(growth)));

/** Calls that are charged, and what the growth by them must be. */
export interface ChargedCalls extends MeasuredUsage {
  readonly feature: Feature;
  /** Sends the calls anew each time; returns how many there were for each payer. */
  readonly send: (context: CheckContext) => Promise<number>;
  /** Sends one later call for each payer, under the same product; `nth` counts the endpoints that showed no charge. */
  readonly sendLater: (context: CheckContext, nth: number) => Promise<unknown>;
  /** Judges the growth by calls, these or more of their feature. */
  readonly judge: (growths: readonly ChargedGrowth[]) => readonly Judgement[];
}

export interface Attempt extends Open {
  readonly judgements: readonly Judgement[];
  readonly isAsRequired: boolean;
  /** How long figures had stayed the same before; where no earlier charge can show, for ever. */
  readonly paused_ms: number;
  /** Whether more was sent than the calls. */
  readonly isMore: boolean;
}

/** Charges may show in two batches, one after the other. */
const laterCalls = 2;
/** The shortest wait for a later charge; else as long as charges have taken so far. */
const laterCharge_ms = 10_000;

/**
 * How long figures must stay the same before calls, as earlier ones may be charged late; in ms.
 * @throws Withheld where charges take too long
 */
export async function pauseBefore(context: CheckContext, askers: readonly Asker[]): Promise<number> {
  const { target } = context;
  const pace = chargePaceOf(context);
  const isNext =
    askers.every((as) => pace.settled.has(projectOf(target, as))) && isQuietSince(context, askers, pace.lastRead);
  // Where nothing shows, it has waited for as long as it waits for any charge.
  if (isPrompt(context) || isNext || (await caughtUp(context, askers)) || pace.pending.size > 0) return 0;
  if (pace.shownWithin_ms > slowestJudged_ms)
    throw new Withheld(`unsettled: charges take ${seconds(pace.shownWithin_ms)} to show`);
  return pace.quiet_ms(pace.slowest_ms === null ? doubtedPause_ms : usualPause_ms);
}

/** Does some work, and finds whether more was sent since the last read than the work itself sent. */
async function counted<T>(
  context: CheckContext,
  { last: { number: lastRead } }: Measurement,
  work: (context: CheckContext) => Promise<T>,
): Promise<{ readonly done: T; readonly isMore: boolean }> {
  let sent = 0;
  let last = lastRead;
  const note = (exchange: Exchange): Exchange => {
    sent = sent + 1;
    last = Math.max(last, exchange.number);
    return exchange;
  };
  const done = await work({
    ...context,
    ask: async (requestSpec) => note(await context.ask(requestSpec)),
    atOnce: async (requestSpecs) => (await context.atOnce(requestSpecs)).map(note),
  });
  return { done, isMore: last - lastRead > sent };
}

/** How long a counter is waited for. */
export const usualWait_ms = (context: CheckContext, { counter }: Awaited): number =>
  isPrompt(context) ? chargePaceOf(context).longestWait_ms : chargePaceOf(context).longestWaitFor_ms(counter);

interface AttemptOptions {
  /** In a second attempt: how long a counter that showed nothing in the first is still waited for. */
  readonly left_ms?: (one: Awaited, now_ms: number) => number | null;
  /** Whether the window that the calls shared found something. */
  readonly isConfirming?: boolean;
}

export async function attempt(
  context: CheckContext,
  charged: ChargedCalls,
  { left_ms, isConfirming = false }: AttemptOptions,
): Promise<Attempt> {
  const { askers, payers = askers, send, judge } = charged;
  const pace = chargePaceOf(context);
  const { target } = context;
  const isSure = isPrompt(context);
  const doubted_ms = pace.quiet_ms(isSure ? 0 : doubtedPause_ms);
  const paused_ms = left_ms ? doubted_ms : await pauseBefore(context, askers);
  const measurement = await Measurement.begin(context, charged, paused_ms);
  /** What never showed anything for so long needn't be waited for as long again. */
  const overdue_ms = (one: Awaited): number | null => {
    const left = left_ms?.(one, measurement.began_ms) ?? null;
    return left === null || !pace.shown_ms.has(one.counter)
      ? left
      : Math.max(left, unknownCounter_ms, usualWait_ms(context, one));
  };
  let { done: calls, isMore } = await counted(context, measurement, send);
  const paying = new Set(payers.map((as) => projectOf(target, as)));
  const growths = (open?: readonly Awaited[]): readonly ChargedGrowth[] =>
    measurement.growths(open).map((growth, nth) => {
      const isPaying = paying.has(projectOf(target, askers[nth] ?? "owner"));
      return { ...growth, calls: isPaying ? calls : 0 };
    });
  const settle = async (within_ms: (one: Awaited) => number, pause_ms = 0) => {
    const open = await measurement.untilShown(within_ms);
    // The last call shows last, and the calls took that long.
    await measurement.untilStill(Math.max(pause_ms, 1.5 * measurement.spread_ms));
    const isAsRequired = allHold(shownBy(judge(growths()))) && !(open.length > 0 && measurement.isUnmoved(open));
    const openHere = isSure ? [] : open;
    return { open: openHere, judgements: judge(growths(openHere)), isAsRequired };
  };
  for (const as of askers) pace.settled.delete(projectOf(target, as));
  try {
    const first_ms = (one: Awaited): number => overdue_ms(one) ?? usualWait_ms(context, one);
    let best = await settle(first_ms);
    // Some of the charges may take longer than others.
    if (!best.isAsRequired && !isSure) best = await settle(first_ms, 1.5 * pace.shownWithin_ms);
    const isEnough = isConfirming || pace.isConfirmed;
    const needsLater = (): boolean => !best.isAsRequired && (best.open.length > 0 || !isEnough);
    for (let [nth, unshown] = [0, 0]; nth < laterCalls && needsLater(); nth += 1) {
      measurement.mark();
      const later = await counted(context, measurement, (own) => charged.sendLater(own, unshown));
      isMore = isMore || later.isMore;
      calls = calls + 1;
      const isAgain = ({ name }: Awaited): boolean => nth > 0 && best.open.some((one) => one.name === name);
      const later_ms = (one: Awaited): number =>
        isSure ? usualWait_ms(context, one) : Math.max(laterCharge_ms, isAgain(one) ? 0 : usualWait_ms(context, one));
      const next = await settle((one) => overdue_ms(one) ?? later_ms(one));
      unshown += Number(next.open.length > 0);
      if (nth === 0 || next.open.length <= best.open.length) best = next;
    }
    const { last, began_ms } = measurement;
    return { ...best, paused_ms: paused_ms || Number.POSITIVE_INFINITY, isMore, last, began_ms };
  } finally {
    pace.ended(measurement);
  }
}

/** What is judged; what isn't settled is left out. */
export const shownBy = (judgements: readonly Judgement[]): readonly Shown[] =>
  judgements.flatMap((judgement) => {
    try {
      return [judgement()];
    } catch (error) {
      if (error instanceof Withheld) return [];
      throw error;
    }
  });

/** Whether all findings hold. */
export const allHold = (shown: readonly Shown[]): boolean => shown.every(({ finding }) => finding.outcome === "held");

/** Whether something that is settled isn't as required. */
export const isBrokenAttempt = ({ judgements }: Attempt): boolean => !allHold(shownBy(judgements));

/** The same, where all charges show. */
export const isShownWrong = (one: Attempt): boolean => one.open.length === 0 && isBrokenAttempt(one);
