// Settlement of charges: settled once a later charge of the same counter shows (amendments 5 and 19).
import { Withheld } from "../../harness/core/outcomes.ts";
import type { CheckContext, Shown } from "../../harness/model/check.ts";
import {
  type Attempt,
  allHold,
  attempt,
  type ChargedCalls,
  isBrokenAttempt,
  isShownWrong,
  type Judgement,
  shownBy,
} from "./attempts.ts";
import { awaitedBy, chargePaceOf, isPrompt, seconds } from "./chargePace.ts";
import { sharedAttempt } from "./chargeWindow.ts";
import { leftAfter, noteLapses } from "./neverCharged.ts";
import { type MeasuredUsage, projectOf } from "./reads.ts";
import { findRestless } from "./restless.ts";

/** So many first attempts may find what the second doesn't. */
const enoughDoubts = 2;
/** The longest wait for charges in one run, all in all. */
const longestWaitOfRun_ms = 20 * 60_000;

/** @throws Withheld where calls can't be judged, except on the reference, where no charge can be late */
function refuseUnjudgeable(context: CheckContext, { askers, payers = askers, counters }: MeasuredUsage): void {
  const pace = chargePaceOf(context);
  const { slowest_ms, shownWithin_ms, waited_ms } = pace;
  if (isPrompt(context)) return;
  if (waited_ms > longestWaitOfRun_ms)
    throw new Withheld(
      `unsettled: charges take ${seconds(shownWithin_ms)} to show; this run waited ${seconds(waited_ms)} for them`,
    );
  const lapses = awaitedBy(context, payers, counters).map((one) => pace.lapseOf(one));
  // If no charge has ever shown, earlier ones may show at any time.
  const first = slowest_ms === null ? [...pace.lapses.values()][0] : lapses.every((one) => one) ? lapses[0] : null;
  if (first) throw first;
}

/**
 * Judges charged calls by settled figures, first with those that share their window, then alone, then once more; once
 * in a run.
 * @throws Withheld where no figure settles, with the time waited
 */
export function settled(context: CheckContext, charged: ChargedCalls): Promise<readonly Judgement[]> {
  const known = context.once("settled charges", () => new Map<ChargedCalls, Promise<readonly Judgement[]>>());
  const found = known.get(charged) ?? settle(context, charged);
  known.set(charged, found);
  // After a fault another check may try again.
  found.catch((error: unknown) => error instanceof Withheld || known.delete(charged));
  return found;
}

async function settle(context: CheckContext, charged: ChargedCalls): Promise<readonly Judgement[]> {
  const pace = chargePaceOf(context);
  refuseUnjudgeable(context, charged);
  const known_ms = pace.slowest_ms;
  // What grew as required may have grown by an earlier charge, if charges turn out to be as late as was paused.
  const isRight = ({ isAsRequired, paused_ms }: Attempt): boolean =>
    isAsRequired && (known_ms !== null || paused_ms >= 3 * pace.shownWithin_ms);
  const shared = await sharedAttempt(context, charged);
  if (shared && isRight(shared)) return shared.judgements;
  // Where nothing showed, waiting as long again for each check would show no more.
  const isUnshown = shared && shared.open.length > 0 && !isPrompt(context);
  // What the window found needs no repetition but the calls alone.
  const isConfirming = !!shared && isShownWrong(shared);
  const first = isUnshown ? shared : await attempt(context, charged, { isConfirming });
  refuseUnjudgeable(context, charged);
  pace.doubts += Number(isBrokenAttempt(first));
  if (pace.doubts >= enoughDoubts) await findRestless(context);
  const isAsRequired = first.isAsRequired || (first.open.length === 0 && !isBrokenAttempt(first));
  const isEnough = isShownWrong(first) && (isConfirming || pace.isConfirmed);
  let last = isRight({ ...first, isAsRequired }) || isEnough ? first : await repeated(context, charged, first);
  // What one attempt alone finds may be an earlier charge.
  if (isBrokenAttempt(last) && !isBrokenAttempt(first)) last = await repeated(context, charged, last);
  if (last.isAsRequired) for (const as of charged.askers) pace.settled.add(projectOf(context.target, as));
  else if (isBrokenAttempt(last)) {
    // The engine repeats a suspicious request between health checks, which cost as well.
    if (last.isMore) throw new Withheld("not tested: a request was repeated, so more was charged");
    await findRestless(context);
    pace.confirmed += Number(isBrokenAttempt(last));
  }
  return last.judgements;
}

/** The same, all figures together. @throws Withheld where nothing is broken, and a figure isn't settled */
export async function judgeSettled(context: CheckContext, charged: ChargedCalls): Promise<readonly Shown[]> {
  const judgements = await settled(context, charged);
  const shown = shownBy(judgements);
  return allHold(shown) ? judgements.map((judgement) => judgement()) : shown;
}

/** A second attempt, after which counters that never showed a charge lapse. */
async function repeated(context: CheckContext, charged: ChargedCalls, first: Attempt): Promise<Attempt> {
  const left_ms = await leftAfter(context, charged.feature, first);
  const isCharged = isPrompt(context) || chargePaceOf(context).slowest_ms !== null;
  // If no charge of any product shows, no other attempt is worth its time.
  const last = isCharged ? await attempt(context, charged, { left_ms }) : first;
  const open = last.open.filter(({ name }) => first.open.some((one) => one.name === name));
  if (!last.isAsRequired) noteLapses(context, { ...last, open, began_ms: first.began_ms });
  return last;
}
