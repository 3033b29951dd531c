// Measured calls: labelled calls between settled figures, and what the growth shows of each of them (§2.1, §8).
import { notSettled } from "../../harness/core/outcomes.ts";
import type { Asker } from "../../harness/core/requestSpec.ts";
import type { CheckContext } from "../../harness/model/check.ts";
import { untilCaughtUp } from "./accounts.ts";
import { allHold, type ChargedCalls, type Judgement, shownBy } from "./chargedCalls.ts";
import {
  type Awaited,
  awaitedBy,
  chargePaceOf,
  doubtedPause_ms,
  isPrompt,
  longestWait_ms,
  quiet_ms,
  seconds,
  shownWithin_ms,
  slowest_ms,
  slowestJudged_ms,
  usualPause_ms,
  waitFor_ms,
} from "./chargePace.ts";
import { type ChargedGrowth, type Growth, onePerProject, projectOf } from "./meterRounds.ts";
import { payersOf, SentCalls } from "./sentCalls.ts";
import { Measurement } from "./usageMeasurement.ts";

export const isBroken = (judgements: readonly Judgement[]): boolean => !allHold(shownBy(judgements));

/**
 * Settles the figures of some projects before calls.
 * @throws Withheld where charges take too long
 */
async function settledBefore(context: CheckContext, askers: readonly Asker[]) {
  const { isShown, owed } = await untilCaughtUp(context, askers);
  const pace = chargePaceOf(context);
  if (shownWithin_ms(pace) > slowestJudged_ms)
    throw notSettled(`charges take ${seconds(shownWithin_ms(pace))} to show`);
  // Where nothing shows, it has waited for as long as it waits for any charge.
  if (isPrompt(context) || isShown || owed.size > 0) return { pause_ms: 0, owed };
  return { pause_ms: quiet_ms(pace, slowest_ms(pace) === null ? doubtedPause_ms : usualPause_ms), owed };
}

/** Calls that were charged together, and what their growth shows of each of them. */
export interface MeasuredCalls {
  readonly measurement: Measurement;
  /** Counters that showed no charge. */
  readonly open: readonly Awaited[];
  readonly failed: ReadonlyMap<ChargedCalls, Error>;
  /** Whether earlier calls can have no part in the growth. */
  readonly isApart: boolean;
  /** Whether more was sent than the calls, as a suspicious request is repeated. */
  readonly isMore: boolean;
  judgements(charged: ChargedCalls): readonly Judgement[];
  /** Whether something is shown, and all that is shown is as required. */
  isAsRequired(charged: ChargedCalls): boolean;
  openOf(charged: ChargedCalls): readonly Awaited[];
}

/** How long a counter is waited for, in ms. */
function waitOf_ms(context: CheckContext, counter: string): number {
  const pace = chargePaceOf(context);
  return isPrompt(context) ? longestWait_ms(pace) : waitFor_ms(pace, counter);
}

/** Sends labelled calls between settled figures, and reads until their charges show and stand still. */
export async function measureCalls(
  context: CheckContext,
  all: readonly ChargedCalls[],
  isAlone = false,
): Promise<MeasuredCalls> {
  const { target } = context;
  const ofAll = (whose: (charged: ChargedCalls) => readonly Asker[]) => onePerProject(target, all.flatMap(whose));
  const askers = ofAll((charged) => charged.askers);
  const projects = askers.map((as) => projectOf(target, as));
  const payers = ofAll((charged) => payersOf(context, charged));
  const counters = all[0]?.counters ?? [];
  const { pause_ms, owed } = await settledBefore(context, askers);
  const measurement = await Measurement.begin(context, { askers, payers, counters }, pause_ms, owed);
  const { readings } = measurement;
  const isKnown = slowest_ms(chargePaceOf(context)) !== null;
  const sent = new SentCalls(context);
  /** With which read it ends; those after it may show other calls. */
  let to: number | null = null;
  const judgements = (charged: ChargedCalls, open: readonly Awaited[] = []): readonly Judgement[] => {
    const { askers: own, feature, judge } = charged;
    const between = { from: 0, to: to ?? readings.count };
    const growths = readings.growths({ open, others: sent.ofOthers(askers, feature), between });
    return judge(
      own.map(
        (as): ChargedGrowth => ({
          // Each project has one.
          ...(growths[projects.indexOf(projectOf(target, as))] as Growth),
          calls: sent.of(as, feature),
        }),
      ),
    );
  };
  const isAsRequired = (charged: ChargedCalls): boolean => measurement.isShown && !isBroken(judgements(charged));
  const countersOf = (as: readonly Asker[]) => awaitedBy(context, as, counters).map(({ name }) => name);
  /** Returns the counters that show no charge; those of projects none of whose calls was served aren't waited for. */
  const untilSettled = async (): Promise<readonly Awaited[]> => {
    measurement.noteCalls();
    const called = countersOf(payers.filter((as) => sent.isCaller(as)));
    const unshown = await measurement.untilSettled(
      ({ name, counter }) => (called.includes(name) ? waitOf_ms(context, counter) : 0),
      () => isPrompt(context) || all.every(isAsRequired),
    );
    return unshown.filter(({ name }) => called.includes(name));
  };
  await sent.send(all);
  let unshown = await untilSettled();
  if (isAlone && unshown.length > 0 && !isPrompt(context)) {
    // An endpoint that is never charged can't show that charges are settled; another can.
    await sent.sendLater(all);
    unshown = await untilSettled();
  }
  to = readings.count;
  const isRight = all.every(isAsRequired);
  if (isRight) measurement.learnLast();
  measurement.end(isRight);
  const open = isPrompt(context) ? [] : unshown;
  return {
    measurement,
    open,
    failed: sent.failed,
    isApart: isKnown || pause_ms === 0 || pause_ms >= 3 * shownWithin_ms(chargePaceOf(context)),
    isMore: readings.called.length > sent.asked,
    judgements: (charged) => judgements(charged, open),
    isAsRequired,
    openOf: (charged) => {
      const own = countersOf(payersOf(context, charged));
      return open.filter(({ name }) => own.includes(name));
    },
  };
}
