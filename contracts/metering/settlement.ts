// Settlement of charges: settled once a later charge of the same counter shows (amendments 5 and 19).
import type { Finding } from "../../harness/core/finding.ts";
import { Withheld } from "../../harness/core/outcomes.ts";
import type { Asker, Stimulus } from "../../harness/core/stimulus.ts";
import { lackToAsk } from "../../harness/engine/lacks.ts";
import type { CheckContext, Shown } from "../../harness/model/check.ts";
import { isServed, outcomeOf } from "../../harness/transport/answers.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import type { Feature } from "../../specs/generated/operations.ts";
import { usage } from "../shared/stimuli.ts";
import { type Awaited, notQuiet, paceOf, seconds, unknownCounter_ms, usualPause_ms } from "./chargePace.ts";
import { leftAfter, noteLapses, type Open } from "./neverCharged.ts";
import { type Growth, projectOf } from "./reads.ts";
import { awaitedBy, type Measured, Measurement, moving_ms } from "./usageMeasurement.ts";

/** What a check of charges needs to send calls and to read the usage of these askers' projects. */
export const chargeNeeds = (feature: Feature, requests: readonly Stimulus[], askers: readonly Asker[]) =>
  ({
    feature,
    requests: [...askers.map((as) => usage({ as })), ...requests],
    unless: notQuiet,
    when: "alone",
  }) as const;

/** Whether a refused call is charged is unspecified. */
export class NotServed extends Withheld {
  readonly exchange: Exchange;

  constructor(exchange: Exchange) {
    super(`not tested: the request got ${outcomeOf(exchange)}`);
    this.exchange = exchange;
  }
}

/** Sends one call after the other; returns how many. @throws NotServed */
export async function sendServed(context: CheckContext, stimuli: readonly Stimulus[]): Promise<number> {
  for (const stimulus of stimuli) {
    const exchange = await context.ask(context.fresh(stimulus));
    if (!isServed(exchange)) throw new NotServed(exchange);
  }
  return stimuli.length;
}

/** Judges one figure of one project's growth by some calls. @throws Withheld where its charges aren't settled */
export type Judge = (growth: Growth, calls: number) => Shown;

/** The same, later. */
export type Judgement = () => Shown;

export const inGrowth =
  (judge: (growth: Growth, calls: number) => Finding): Judge =>
  (growth, calls) => ({ exchange: growth.exchange, finding: judge(growth, calls) });

/** Judges the growth of every project in each of these ways. */
export const inEach =
  (...judges: readonly Judge[]): ChargedCalls["judge"] =>
  (growths, calls) =>
    growths.flatMap((growth) => judges.map((judge) => () => judge(growth, calls)));

/** Calls that are charged, and what the growth by them must be. */
export interface ChargedCalls extends Measured {
  readonly feature: Feature;
  /** Sends the calls anew each time; returns how many there were for each payer. */
  readonly send: (context: CheckContext) => Promise<number>;
  /** Sends one later call for each payer, under the same product; `nth` counts the endpoints that showed no charge. */
  readonly sendLater: (context: CheckContext, nth: number) => Promise<unknown>;
  /** Judges the growth by so many calls. */
  readonly judge: (growths: readonly Growth[], calls: number) => readonly Judgement[];
  /** Whether the projects were never called before, so that no earlier charge can show; it can't be repeated. */
  readonly isFirst?: boolean;
}

/** Charges may show in two batches, one after the other. */
const laterCalls = 2;
/** The usual pause before the first calls, and after a finding, as it may come from an earlier charge. */
const doubtedPause_ms = 24_000;
/** After so many findings that a repetition confirmed, others need none. */
const enoughConfirmed = 2;
/** So many first attempts may find what the second doesn't. */
const enoughDoubts = 2;
/** The shortest wait for a later charge; else as long as charges have taken so far. */
const laterCharge_ms = 10_000;
/** The longest wait for charges in one run, all in all. */
const longestWaitOfRun_ms = 20 * 60_000;

/** @throws Withheld where calls can't be judged, except on the reference, where no charge can be late */
function refuseUnjudgeable(context: CheckContext, { askers, payers = askers, counters }: Measured): void {
  const pace = paceOf(context);
  const { slowest_ms, waited_ms } = pace;
  if (context.target.isReference) return;
  if (waited_ms > longestWaitOfRun_ms)
    throw new Withheld(
      `unsettled: charges take ${seconds(slowest_ms ?? 0)} to show; this run waited ${seconds(waited_ms)} for them`,
    );
  const lapses = awaitedBy(context, payers, counters).map((one) => pace.lapseOf(one));
  // If no charge has ever shown, earlier ones may show at any time.
  const first = slowest_ms === null ? [...pace.lapses.values()][0] : lapses.every((one) => one) ? lapses[0] : null;
  if (first) throw first;
}

/** How long figures must have stayed the same, by the first read before the calls; in ms. */
function pauseBefore({ target, once }: CheckContext, askers: readonly Asker[], read: Exchange | undefined): number {
  const pace = paceOf({ once });
  // Other calls since then may be charged, and late; nobody knows how late before the first charge shows.
  const isNext =
    pace.lastRead === (read?.number ?? 0) - 1 && askers.every((as) => pace.settled.has(projectOf(target, as)));
  return pace.quiet_ms(isNext ? 0 : pace.slowest_ms === null ? doubtedPause_ms : usualPause_ms);
}

/**
 * Judges charged calls by settled figures. If these aren't as required, it waits for later charges, then repeats all.
 * @throws Withheld where no figure settles, with the time waited
 */
export async function settled(context: CheckContext, charged: ChargedCalls): Promise<readonly Judgement[]> {
  const pace = paceOf(context);
  refuseUnjudgeable(context, charged);
  const projects = charged.askers.map((as) => projectOf(context.target, as));
  const known_ms = pace.slowest_ms;
  const first = await attempt(context, charged, null);
  refuseUnjudgeable(context, charged);
  pace.doubts += Number(isBroken(first));
  if (pace.doubts >= enoughDoubts) await findRestless(context, charged);
  const isEnough = first.open.length === 0 && (charged.isFirst || pace.confirmed >= enoughConfirmed);
  // What grew as required may have grown by an earlier charge, if charges turn out to be as late as was paused.
  const isAsRequired = first.isAsRequired || (first.open.length === 0 && !isBroken(first));
  const isPaused = known_ms !== null || first.paused_ms >= 3 * (pace.slowest_ms ?? 0);
  const isRight = isAsRequired && (charged.isFirst || isPaused);
  const last = isRight || (isEnough && !isAsRequired) ? first : await repeated(context, charged, first);
  if (last.isAsRequired) for (const project of projects) pace.settled.add(project);
  else if (isBroken(last)) {
    // The engine repeats a suspicious request between health checks, which cost as well.
    if (last.isMore) throw new Withheld("not tested: a request was repeated, so more was charged");
    await findRestless(context, charged);
    pace.confirmed += Number(isBroken(last));
  }
  return last.judgements;
}

/** The same, all figures together. @throws Withheld where nothing is broken, and a figure isn't settled */
export async function judgeSettled(context: CheckContext, charged: ChargedCalls): Promise<readonly Shown[]> {
  const judgements = await settled(context, charged);
  const shown = shownBy(judgements);
  return allHold(shown) ? judgements.map((judgement) => judgement()) : shown;
}

/** Whose projects are called. */
const callers = ["paid", "second", "other", "free"] as const;

/** What moves without calls, as late counts of reads do, is judged no more; found out once in a run. */
const findRestless = (context: CheckContext, { counters }: ChargedCalls): Promise<void> =>
  context.once("figures without calls", () => {
    const askers = callers.filter((as) => lackToAsk(usage({ as }), context.target) === null);
    const pause_ms = paceOf(context).quiet_ms(doubtedPause_ms);
    return context.target.isReference
      ? Measurement.idle(context, { askers, counters }, 0, 0)
      : Measurement.idle(context, { askers, counters }, pause_ms, moving_ms);
  });

/** Does some work, and finds whether more was sent since the last read than the work itself sent. */
async function counted<T>(
  context: CheckContext,
  { last: { number: lastRead } }: Measurement,
  work: (context: CheckContext) => Promise<T>,
): Promise<{ readonly done: T; readonly isMore: boolean }> {
  let [sent, last] = [0, lastRead];
  const note = (exchange: Exchange): Exchange => {
    [sent, last] = [sent + 1, Math.max(last, exchange.number)];
    return exchange;
  };
  const done = await work({
    ...context,
    ask: async (stimulus) => note(await context.ask(stimulus)),
    atOnce: async (stimuli) => (await context.atOnce(stimuli)).map(note),
  });
  return { done, isMore: last - lastRead > sent };
}

interface Attempt extends Open {
  readonly judgements: readonly Judgement[];
  readonly isAsRequired: boolean;
  /** How long figures had stayed the same before; where no earlier charge can show, for ever. */
  readonly paused_ms: number;
  /** Whether more was sent than the calls. */
  readonly isMore: boolean;
}

/** A second attempt, after which counters that never showed a charge lapse. */
async function repeated(context: CheckContext, charged: ChargedCalls, first: Attempt): Promise<Attempt> {
  const left_ms = await leftAfter(context, charged.feature, first);
  const isCharged = context.target.isReference || paceOf(context).slowest_ms !== null;
  // If no charge of any product shows, no other attempt is worth its time.
  const last = isCharged ? await attempt(context, charged, left_ms) : first;
  const open = last.open.filter(({ name }) => first.open.some((one) => one.name === name));
  if (!last.isAsRequired) noteLapses(context, { ...last, open, began_ms: first.began_ms });
  return last;
}

/** @param left_ms in a second attempt: how long a counter that showed nothing in the first is still waited for */
async function attempt(
  context: CheckContext,
  charged: ChargedCalls,
  left_ms: ((one: Awaited, now_ms: number) => number | null) | null,
): Promise<Attempt> {
  const { send, judge } = charged;
  const [pace, { isReference }] = [paceOf(context), context.target];
  let paused_ms = 0;
  const measurement = await Measurement.begin(context, charged, (read) => {
    const least_ms = left_ms ? pace.quiet_ms(doubtedPause_ms) : pauseBefore(context, charged.askers, read);
    paused_ms = isReference ? 0 : least_ms;
    return paused_ms;
  });
  const usual_ms = ({ counter }: Awaited): number =>
    isReference ? pace.longestWait_ms : pace.longestWaitFor_ms(counter);
  /** What never showed anything for so long needn't be waited for as long again. */
  const overdue_ms = (one: Awaited): number | null => {
    const left = left_ms?.(one, measurement.began_ms) ?? null;
    return left === null || !pace.shown_ms.has(one.counter) ? left : Math.max(left, unknownCounter_ms, usual_ms(one));
  };
  let { done: calls, isMore } = await counted(context, measurement, send);
  const settle = async (within_ms: (one: Awaited) => number, pause_ms = 0) => {
    const open = await measurement.untilShown(within_ms);
    // The last call shows last, and the calls took that long.
    await measurement.untilStill(Math.max(pause_ms, 1.5 * measurement.spread_ms));
    const [asIfSettled, growths] = [judge(measurement.growths(), calls), measurement.growths(isReference ? [] : open)];
    const isAsRequired = allHold(shownBy(asIfSettled)) && !(open.length > 0 && measurement.isUnmoved(open));
    return { open: isReference ? [] : open, judgements: judge(growths, calls), isAsRequired };
  };
  for (const as of charged.askers) pace.settled.delete(projectOf(context.target, as));
  try {
    const first_ms = (one: Awaited): number => overdue_ms(one) ?? usual_ms(one);
    let best = await settle(first_ms);
    // Some of the charges may take longer than others.
    if (!best.isAsRequired && !isReference) best = await settle(first_ms, 1.5 * (pace.slowest_ms ?? 0));
    for (let [nth, unshown] = [0, 0]; nth < laterCalls && !best.isAsRequired; nth += 1) {
      measurement.mark();
      const later = await counted(context, measurement, (own) => charged.sendLater(own, unshown));
      [isMore, calls] = [isMore || later.isMore, calls + 1];
      const isAgain = ({ name }: Awaited): boolean => nth > 0 && best.open.some((one) => one.name === name);
      const later_ms = (one: Awaited): number =>
        isReference ? usual_ms(one) : Math.max(laterCharge_ms, isAgain(one) ? 0 : usual_ms(one));
      const next = await settle((one) => overdue_ms(one) ?? later_ms(one));
      unshown += Number(next.open.length > 0);
      if (nth === 0 || next.open.length <= best.open.length) best = next;
    }
    return {
      ...best,
      paused_ms: paused_ms || Number.POSITIVE_INFINITY,
      isMore,
      last: measurement.last,
      began_ms: measurement.began_ms,
    };
  } finally {
    pace.waited_ms += measurement.now_ms - measurement.began_ms;
    pace.lastRead = measurement.last.number;
  }
}

/** What is judged; what isn't settled is left out. */
const shownBy = (judgements: readonly Judgement[]): readonly Shown[] =>
  judgements.flatMap((judgement) => {
    try {
      return [judgement()];
    } catch (error) {
      if (error instanceof Withheld) return [];
      throw error;
    }
  });

const isBroken = ({ judgements }: Pick<Attempt, "judgements">): boolean => !allHold(shownBy(judgements));

/** Whether all findings hold. */
const allHold = (shown: readonly Shown[]): boolean => shown.every(({ finding }) => finding.outcome === "held");
