// Measured calls: labelled calls between settled figures, and what the growth shows of each of them (§2.1, §8).
import Big from "big.js";
import { Withheld } from "../../harness/core/outcomes.ts";
import type { Asker } from "../../harness/core/requestSpec.ts";
import { type CheckContext } from "../../harness/model/check.ts";
import type { Feature } from "../../specs/generated/operations.ts";
import { inTurn } from "../shared/inTurn.ts";
import { reasonOf } from "../shared/reasonOf.ts";
import { untilCaughtUp } from "./accounts.ts";
import { allHold, type ChargedCalls, type Judgement, NotServed, shownBy } from "./chargedCalls.ts";
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
  showsAtOnce,
  slowest_ms,
  slowestJudged_ms,
  usualPause_ms,
  waitFor_ms,
  waits_ms,
} from "./chargePace.ts";
import { type ChargedGrowth, type Growth, type MeterFigures, nameIn, onePerProject, projectOf } from "./reads.ts";
import { Measurement } from "./usageMeasurement.ts";

const [shortest_ms] = waits_ms;

/** Further pauses in which figures must stay the same until they are as required, one after the other. */
const stills_ms = [3_000, usualPause_ms] as const;

/** Calls that were charged together, and what their growth shows of each of them. */
export interface MeasuredCalls {
  readonly measurement: Measurement;
  /** That of the first of them. */
  readonly feature: Feature;
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

export const isBroken = (judgements: readonly Judgement[]): boolean => !allHold(shownBy(judgements));

export const payersOf = (context: CheckContext, { askers, payers = askers }: ChargedCalls): readonly Asker[] =>
  onePerProject(context.target, payers);

/** What a call moves by a known amount in figures by which calls of other features are judged. */
const movedByCall: { readonly [F in Feature]?: string } = { compression: "/requests/compression" };

/** How many calls were sent, by project and feature. */
class CallCounts {
  readonly #context: CheckContext;
  readonly #counts = new Map<string, number>();

  constructor(context: CheckContext) {
    this.#context = context;
  }

  #nameOf(as: Asker, feature: Feature): string {
    return `${projectOf(this.#context.target, as)} ${feature}`;
  }

  add(charged: ChargedCalls, count: number): void {
    for (const as of payersOf(this.#context, charged))
      this.#counts.set(this.#nameOf(as, charged.feature), this.of(as, charged.feature) + count);
  }

  of(as: Asker, feature: Feature): number {
    return this.#counts.get(this.#nameOf(as, feature)) ?? 0;
  }

  /** What calls of other features are known to have added. */
  ofOthers(askers: readonly Asker[], feature: Feature): MeterFigures {
    return new Map(
      askers.flatMap((as) =>
        Object.entries(movedByCall).flatMap(([other, at]) =>
          other === feature ? [] : [[nameIn(this.#context, as, at), new Big(this.of(as, other as Feature))] as const],
        ),
      ),
    );
  }
}

/** A context that counts what is asked for through it; requests that the engine repeats count once. */
function counting(context: CheckContext): { readonly context: CheckContext; asked(): number } {
  let asked = 0;
  return {
    context: {
      ...context,
      ask: (requestSpec) => {
        asked += 1;
        return context.ask(requestSpec);
      },
      atOnce: (requestSpecs) => {
        asked += requestSpecs.length;
        return context.atOnce(requestSpecs);
      },
    },
    asked: () => asked,
  };
}

/**
 * Settles the figures of some projects before calls.
 * @throws Withheld where charges take too long
 */
async function settledBefore(context: CheckContext, askers: readonly Asker[]) {
  const { isShown, owed } = await untilCaughtUp(context, askers);
  const pace = chargePaceOf(context);
  if (shownWithin_ms(pace) > slowestJudged_ms)
    throw new Withheld(`unsettled: charges take ${seconds(shownWithin_ms(pace))} to show`);
  // Where nothing shows, it has waited for as long as it waits for any charge.
  if (isPrompt(context) || isShown || owed.size > 0) return { pause_ms: 0, owed };
  return { pause_ms: quiet_ms(pace, slowest_ms(pace) === null ? doubtedPause_ms : usualPause_ms), owed };
}

/** Sends all of them; features have paces of their own, so that those of several are sent side by side. */
async function sendAll(context: CheckContext, all: readonly ChargedCalls[], counts: CallCounts) {
  const failed = new Map<ChargedCalls, Error>();
  const send = async (charged: ChargedCalls): Promise<void> => {
    const count = await charged.send(context).catch((error: unknown) => {
      reasonOf(error);
      failed.set(charged, error as Error);
      return error instanceof NotServed ? error.before : 0;
    });
    counts.add(charged, count);
  };
  const features = [...new Set(all.map(({ feature }) => feature))];
  await Promise.all(
    features.map((feature) =>
      inTurn(
        all.filter((charged) => charged.feature === feature),
        send,
      ),
    ),
  );
  return failed;
}

/** How long a counter is waited for, in ms. */
const usualWait_ms = (context: CheckContext, { counter }: Awaited): number =>
  isPrompt(context) ? longestWait_ms(chargePaceOf(context)) : waitFor_ms(chargePaceOf(context), counter);

/** Reads until figures are as required, or have stood still for longer than any charge took. */
async function untilSettled(
  context: CheckContext,
  measurement: Measurement,
  isShown: boolean,
  isAsRequired: () => boolean,
): Promise<void> {
  for (const still_ms of isPrompt(context) || !isShown ? [shortest_ms] : [shortest_ms, ...stills_ms]) {
    const pace = chargePaceOf(context);
    const late_ms = still_ms === shortest_ms ? still_ms : Math.max(still_ms, 1.5 * shownWithin_ms(pace));
    // The last call shows last, and the calls took that long; short waits show how late.
    if (!showsAtOnce(pace)) await measurement.untilStill(shortest_ms);
    await measurement.untilStill(showsAtOnce(pace) ? late_ms : Math.max(late_ms, 1.5 * measurement.spread_ms));
    if (!isAsRequired()) continue;
    measurement.noteLast();
    return;
  }
}

/** Sends labelled calls between settled figures, and reads until their charges show and stand still. */
export async function measureCalls(
  context: CheckContext,
  all: readonly ChargedCalls[],
  isAlone = false,
): Promise<MeasuredCalls> {
  const { target } = context;
  const askers = onePerProject(
    target,
    all.flatMap((charged) => charged.askers),
  );
  const projects = askers.map((as) => projectOf(target, as));
  const payers = onePerProject(
    target,
    all.flatMap((charged) => payersOf(context, charged)),
  );
  const counters = all[0]?.counters ?? [];
  const { pause_ms, owed } = await settledBefore(context, askers);
  const measurement = await Measurement.begin(context, { askers, payers, counters }, pause_ms, owed);
  const isKnown = slowest_ms(chargePaceOf(context)) !== null;
  const counted = counting(context);
  const counts = new CallCounts(context);
  const failed = await sendAll(counted.context, all, counts);
  /** With which read it ends; those after it may show other calls. */
  let to: number | null = null;
  const growthsOf = ({ askers: own, feature }: ChargedCalls, open: readonly Awaited[]) => {
    const between = { from: 0, to: to ?? measurement.reads };
    const growths = measurement.growths({ open, others: counts.ofOthers(askers, feature), between });
    return own.map(
      (as): ChargedGrowth => ({
        // Each project has one.
        ...(growths[projects.indexOf(projectOf(target, as))] as Growth),
        calls: counts.of(as, feature),
      }),
    );
  };
  let open = await measurement.untilShown((awaited) => usualWait_ms(context, awaited));
  if (isAlone && open.length > 0 && !isPrompt(context)) {
    // An endpoint that is never charged can't show that charges are settled; another can.
    for (const charged of all) {
      await charged.sendLater(counted.context);
      counts.add(charged, 1);
    }
    open = await measurement.untilShown((awaited) => usualWait_ms(context, awaited));
  }
  const isShown = !measurement.isUnmoved(open);
  const isAsRequired = (charged: ChargedCalls): boolean => isShown && !isBroken(charged.judge(growthsOf(charged, [])));
  await untilSettled(context, measurement, isShown, () => all.every(isAsRequired));
  to = measurement.reads;
  measurement.end(all.every(isAsRequired));
  const openHere = isPrompt(context) ? [] : open;
  return {
    measurement,
    feature: all[0]?.feature ?? "wallet",
    open: openHere,
    failed,
    isApart: isKnown || pause_ms === 0 || pause_ms >= 3 * shownWithin_ms(chargePaceOf(context)),
    isMore: measurement.sent > counted.asked(),
    judgements: (charged) => charged.judge(growthsOf(charged, openHere)),
    isAsRequired,
    openOf: (charged) => {
      const own = awaitedBy(context, payersOf(context, charged), counters).map(({ name }) => name);
      return openHere.filter(({ name }) => own.includes(name));
    },
  };
}
