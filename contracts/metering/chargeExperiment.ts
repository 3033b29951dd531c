// The charge experiment: calls of many checks sent together, judged by their totals, and confirmed alone (§2.1, §8).
import { Inconclusive, notSettled, Withheld } from "../../harness/core/outcomes.ts";
import { questionOf, type RequestSpec } from "../../harness/core/requestSpec.ts";
import { unmetNeedOf } from "../../harness/engine/unmetNeeds.ts";
import { type Check, type CheckContext, type Shown, scenario } from "../../harness/model/check.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { reasonOf } from "../shared/reasonOf.ts";
import { usageRequest } from "../shared/requestSpecs.ts";
import { allHold, type ChargedCalls, chargeNeeds, type Judgement, shownBy } from "./chargedCalls.ts";
import {
  awaitedBy,
  chargePaceOf,
  doubtedPause_ms,
  isLate,
  isPrompt,
  lapseOf,
  learnPace,
  learnRestless,
  quiet_ms,
  seconds,
  shownWithin_ms,
  showsNothing,
  slowest_ms,
} from "./chargePace.ts";
import { isBroken, type MeasuredCalls, measureCalls } from "./measuredCalls.ts";
import { type MeterFigures, minus } from "./meterRounds.ts";
import { chargedElsewhere, closeOpen, waitLimitOf } from "./neverCharged.ts";
import { oddAnswersAmong } from "./oddAnswers.ts";
import { Readings } from "./readings.ts";
import { payersOf } from "./sentCalls.ts";
import { moving_ms } from "./settledStart.ts";

/** The longest wait for charges in one run, all in all. */
const longestWaitOfRun_ms = 20 * 60_000;

/** Whose projects are called. */
const callers = ["paid", "second", "other", "free"] as const;

const movedIn = (growth: MeterFigures): readonly string[] =>
  [...growth].flatMap(([name, amount]) => (amount.eq(0) ? [] : [name]));

/** Enough reads for a fraction of a credit per read to show. */
const idleReads = 10;

/** What moves without calls, as late counts of reads do, is judged no more; found out once in a run (OBS-MET-SELF). */
export const findRestless = (context: CheckContext): Promise<void> =>
  context.once("figures without calls", async () => {
    const askers = callers.filter((as) => unmetNeedOf(usageRequest({ as }), context.target) === null);
    // Whatever moves is found, so that nothing needs to settle first.
    const isLate = !isPrompt(context);
    const pause_ms = isLate ? quiet_ms(chargePaceOf(context), doubtedPause_ms) : 0;
    const readings = await Readings.begin(context, { askers, counters: [] }, pause_ms);
    for (let nth = 0; nth < idleReads; nth += 1) {
      await context.wait(isLate ? moving_ms : 0);
      await readings.read();
    }
    const { byReads } = chargePaceOf(context);
    const inAll = minus(readings.lastRound.figures, readings.start.round.figures);
    learnPace(context, { byReads: new Set([...byReads, ...movedIn(inAll)]) });
    learnRestless(context, movedIn(readings.total()));
  });

/** Charged calls that are sent together with those of other checks, by the check that judges them. */
const sharing = new Map<Check, ChargedCalls>();

interface ChargingOptions extends Partial<Pick<Check, "optional">> {
  /** What is sent besides the reads. */
  readonly requests: readonly RequestSpec[];
  readonly run: Check["run"];
}

/** A check of charged calls, which are sent together with those of others. */
export function charging(
  id: RequirementId,
  charged: ChargedCalls,
  { requests, run, optional = false }: ChargingOptions,
): Check {
  const check = { ...scenario(id, chargeNeeds(charged.feature, requests, charged.askers), run), optional };
  sharing.set(check, charged);
  return check;
}

/** Credits of JSON-RPC calls aren't known, so that they would hide those of wallet calls. */
const windowOf = ({ feature }: ChargedCalls): string => (feature === "wallet" ? "wallet" : "JSON-RPC");

/** Measures the calls of all checks of this run that share a window; undefined where these share none. */
async function measuredTogether(context: CheckContext, charged: ChargedCalls): Promise<MeasuredCalls | undefined> {
  const window = windowOf(charged);
  if (![...sharing.values()].includes(charged)) return undefined;
  const { all, found } = await context.once(`charges of ${window} calls`, async () => {
    const together = new Set<ChargedCalls>();
    for (const [check, other] of sharing)
      if (windowOf(other) === window && !together.has(other) && (await context.isRunnable(check))) together.add(other);
    const measure = measuredUntilShown(context, [...together]).catch((error: unknown) => {
      reasonOf(error);
      return undefined;
    });
    return { all: together, found: await measure };
  });
  return all.has(charged) ? found : undefined;
}

/** Measures them, and once more where earlier charges may have shown, or only others show how late charges are. */
async function measuredUntilShown(context: CheckContext, all: readonly ChargedCalls[]): Promise<MeasuredCalls> {
  const first = await measureCalls(context, all);
  if (isPrompt(context)) return first;
  const { began_ms } = first.measurement.readings;
  let found = first;
  if (first.open.some((awaited) => waitLimitOf(context, awaited) === null)) {
    await chargedElsewhere(context, all[0]?.feature ?? "wallet");
    if (first.open.every((awaited) => waitLimitOf(context, awaited) !== null)) found = await measureCalls(context, all);
  }
  await closeOpen(context, found, began_ms);
  const pace = chargePaceOf(context);
  const isShownLater = found.open.some((awaited) => lapseOf(pace, awaited) === null);
  const wrong = all.filter((charged) => isBroken(found.judgements(charged)));
  if (!isShownLater && !(isLate(pace) && 2 * wrong.length > all.length)) return found;
  const second = await measureCalls(context, all);
  await closeOpen(context, second, second.measurement.readings.began_ms);
  return second;
}

/** @throws Withheld where calls can't be judged, except on the reference, where no charge can be late */
function refuseUnjudgeable(context: CheckContext, charged: ChargedCalls): void {
  const pace = chargePaceOf(context);
  if (isPrompt(context)) return;
  if (pace.waited_ms > longestWaitOfRun_ms)
    throw notSettled(
      `charges take ${seconds(shownWithin_ms(pace))} to show; this run waited ${seconds(pace.waited_ms)} for them`,
    );
  const lapses = awaitedBy(context, payersOf(context, charged), charged.counters).map((one) => lapseOf(pace, one));
  // If no charge has ever shown, earlier ones may show at any time.
  const first = showsNothing(pace) ? [...pace.lapses.values()][0] : lapses.every((one) => one) ? lapses[0] : null;
  if (first) throw first;
}

const oddAnswer = "an answer with members that other answers to the request don't have, as by a proxy";

/** What a measurement shows of some calls. @throws what was thrown while they were sent */
function judgementsIn({ failed, judgements }: MeasuredCalls, charged: ChargedCalls): readonly Judgement[] {
  const error = failed.get(charged);
  if (error) throw error;
  return judgements(charged);
}

/** Measures calls alone, and once more where only this finds them wrong, as an earlier charge may have shown in it. */
async function measuredAlone(context: CheckContext, charged: ChargedCalls, isSuspect: boolean): Promise<MeasuredCalls> {
  const alone = await measureCalls(context, [charged], true);
  const isEnough = isSuspect || isPrompt(context) || !isBroken(judgementsIn(alone, charged));
  return isEnough ? alone : measureCalls(context, [charged], true);
}

async function settle(context: CheckContext, charged: ChargedCalls): Promise<readonly Judgement[]> {
  refuseUnjudgeable(context, charged);
  const isSure = isPrompt(context);
  const isPaceKnown = slowest_ms(chargePaceOf(context)) !== null;
  const first = (await measuredTogether(context, charged)) ?? (await measuredUntilShown(context, [charged]));
  const judgements = judgementsIn(first, charged);
  // Where charges turn out to be as late as was paused, one of the calls alone shows whether earlier ones had a part.
  if (first.isAsRequired(charged) && (first.isApart || isPaceKnown)) return judgements;
  // If no charge of any product shows, the calls alone show no more.
  if (!isPrompt(context) && showsNothing(chargePaceOf(context))) return judgements;
  // Another check's calls in the same window are no sign of a wrong charge.
  const isSuspect = isBroken(judgements) && !first.isMore;
  // What moves by itself is no finding, and no earlier charge is as late as finding that takes.
  if (!isPrompt(context) && isSuspect) await findRestless(context);
  const isLapsed = first.openOf(charged).every((awaited) => lapseOf(chargePaceOf(context), awaited) !== null);
  if (isLapsed && first.isApart && !isBroken(judgements) && !isSure) return judgements;
  const alone = await measuredAlone(context, charged, isSuspect);
  const confirmed = judgementsIn(alone, charged);
  if (!isBroken(confirmed)) return confirmed;
  if (alone.isMore) throw new Withheld("a request was repeated, so more was charged");
  const isOdd = oddAnswersAmong(context.exchanges(), ({ requestSpec }) => questionOf(requestSpec));
  if (alone.measurement.readings.called.some(isOdd)) throw new Inconclusive({ kind: "doubtful", outcome: oddAnswer });
  return confirmed;
}

/**
 * Judges charged calls by settled figures, first together with those of other checks, and alone where these are wrong;
 * once in a run.
 * @throws Withheld where no figure settles, with the time waited
 */
export function settled(context: CheckContext, charged: ChargedCalls): Promise<readonly Judgement[]> {
  const known = context.once("settled charges", () => new Map<ChargedCalls, Promise<readonly Judgement[]>>());
  const judged = known.get(charged) ?? settle(context, charged);
  known.set(charged, judged);
  // After a fault another check may try again.
  judged.catch((error: unknown) => error instanceof Withheld || known.delete(charged));
  return judged;
}

/** The same, all figures together. @throws Withheld where nothing is broken, and a figure isn't settled */
export async function judgeSettled(context: CheckContext, charged: ChargedCalls): Promise<readonly Shown[]> {
  const judgements = await settled(context, charged);
  const shown = shownBy(judgements);
  return allHold(shown) ? judgements.map((judgement) => judgement()) : shown;
}
