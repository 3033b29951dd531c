// The charge window: calls of many checks between two settled reads, distinguished by project and feature (§2.1, §8).

import Big from "big.js";
import type { Asker, RequestSpec } from "../../harness/core/requestSpec.ts";
import { type Check, type CheckContext, scenario } from "../../harness/model/check.ts";
import type { Target } from "../../harness/targets/target.ts";
import type { Feature } from "../../specs/generated/operations.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { inTurn } from "../shared/inTurn.ts";
import { reasonOf } from "../shared/reasonOf.ts";
import {
  type Attempt,
  allHold,
  type ChargedCalls,
  isShownWrong,
  pauseBefore,
  shownBy,
  usualWait_ms,
} from "./attempts.ts";
import { type Awaited, awaitedBy, chargePaceOf, isPrompt, waits_ms } from "./chargePace.ts";
import { type ChargedGrowth, type Growth, nameIn, onePerProject, projectOf } from "./reads.ts";
import { findRestless } from "./restless.ts";
import { chargeNeeds, NotServed } from "./served.ts";
import { Measurement } from "./usageMeasurement.ts";

/** Charged calls that may share a window, by the check that judges them. */
const sharing = new Map<Check, ChargedCalls>();

interface ChargingOptions extends Partial<Pick<Check, "optional">> {
  /** What is sent besides the reads. */
  readonly requests: readonly RequestSpec[];
  readonly run: Check["run"];
}

/** A check of charged calls, which share a window with those of others. */
export function charging(
  id: RequirementId,
  charged: ChargedCalls,
  { requests, run, optional = false }: ChargingOptions,
): Check {
  const check = { ...scenario(id, chargeNeeds(charged.feature, requests, charged.askers), run), optional };
  sharing.set(check, charged);
  return check;
}

/** What a call moves by a known amount in figures by which calls of other features are judged. */
const known: { readonly [F in Feature]?: string } = { compression: "/requests/compression" };

/** Credits of JSON-RPC calls aren't known, so that they would hide those of wallet calls. */
const windowOf = ({ feature }: ChargedCalls): string => (feature === "wallet" ? "wallet" : "JSON-RPC");

type Attempts = ReadonlyMap<ChargedCalls, Attempt | Error>;

/**
 * What the window shows of some calls; undefined where they don't share one.
 * @throws what was thrown while they were sent
 */
export async function sharedAttempt(context: CheckContext, charged: ChargedCalls): Promise<Attempt | undefined> {
  const window = windowOf(charged);
  if (![...sharing.values()].includes(charged)) return undefined;
  const attempts = await context.once(`charge window of ${window} calls`, async () => {
    const all = new Set<ChargedCalls>();
    for (const [check, one] of sharing)
      if (windowOf(one) === window && !all.has(one) && (await context.isRunnable(check))) all.add(one);
    const measure = () =>
      measured(context, [...all]).catch((error: unknown): Attempts => {
        reasonOf(error);
        return new Map();
      });
    const isWrong = (found: Attempts): boolean =>
      !isPrompt(context) &&
      2 * [...found.values()].filter((one) => !(one instanceof Error) && isShownWrong(one)).length > found.size;
    let found = await measure();
    // Where most are wrong, late charges of earlier calls may have shown in it, or figures move by themselves.
    if (isWrong(found) && chargePaceOf(context).isLate) found = await measure();
    const known = chargePaceOf(context).restless.size;
    if (isWrong(found)) await findRestless(context);
    return chargePaceOf(context).restless.size > known ? measure() : found;
  });
  const found = attempts.get(charged);
  if (found instanceof Error) throw found;
  return found;
}

const [shortest_ms] = waits_ms;

/** Pauses in which charges must stay as they are, one after the other until they are as required; in ms. */
const pauses_ms = [3_000, 6_000];

/** Calls that were sent, by project and feature, and what was thrown while they were. */
interface Sent {
  callsOf(as: Asker, feature: Feature): number;
  readonly failed: ReadonlyMap<ChargedCalls, Error>;
}

const payersOf = (target: Target, { askers, payers = askers }: ChargedCalls): readonly Asker[] =>
  onePerProject(target, payers);

async function sendAll(context: CheckContext, all: readonly ChargedCalls[]): Promise<Sent> {
  const { target } = context;
  const nameOf = (as: Asker, feature: Feature): string => `${projectOf(target, as)} ${feature}`;
  const calls = new Map<string, number>();
  const failed = new Map<ChargedCalls, Error>();
  const send = async (one: ChargedCalls): Promise<void> => {
    const count = await one.send(context).catch((error: unknown) => {
      reasonOf(error);
      failed.set(one, error as Error);
      return error instanceof NotServed ? error.before : 0;
    });
    for (const as of payersOf(target, one)) {
      const name = nameOf(as, one.feature);
      calls.set(name, (calls.get(name) ?? 0) + count);
    }
  };
  // Features have paces of their own.
  const features = [...new Set(all.map(({ feature }) => feature))];
  const ofFeature = features.map((feature) => all.filter((one) => one.feature === feature));
  await Promise.all(ofFeature.map((some) => inTurn(some, send)));
  return { callsOf: (as, feature) => calls.get(nameOf(as, feature)) ?? 0, failed };
}

/** What calls of other features are known to have added. */
const knownOfOthers = (context: CheckContext, askers: readonly Asker[], feature: Feature, { callsOf }: Sent) =>
  new Map(
    askers.flatMap((as) =>
      Object.entries(known).flatMap(([other, at]) =>
        other === feature ? [] : [[nameIn(context, as, at), new Big(callsOf(as, other as Feature))] as const],
      ),
    ),
  );

/** Measures all of them together. */
async function measured(context: CheckContext, all: readonly ChargedCalls[]): Promise<Attempts> {
  const { target } = context;
  const pace = chargePaceOf(context);
  const askers = onePerProject(
    target,
    all.flatMap((one) => one.askers),
  );
  const projects = askers.map((as) => projectOf(target, as));
  const payers = onePerProject(
    target,
    all.flatMap((one) => payersOf(target, one)),
  );
  const counters = all[0]?.counters ?? [];
  const pause_ms = await pauseBefore(context, askers);
  const measurement = await Measurement.begin(context, { askers, payers, counters }, pause_ms);
  for (const project of projects) pace.settled.delete(project);
  const sent = await sendAll(context, all);
  const growthsOf = ({ askers: own, feature }: ChargedCalls, open: readonly Awaited[] = []) => {
    const growths = measurement.growths(open, knownOfOthers(context, askers, feature, sent));
    return own.map((as): ChargedGrowth => {
      // Each project has one.
      const growth = growths[projects.indexOf(projectOf(target, as))] as Growth;
      return { ...growth, calls: sent.callsOf(as, feature) };
    });
  };
  const open = await measurement.untilShown((one) => usualWait_ms(context, one));
  const isShown = !measurement.isUnmoved(open);
  const isAsRequired = (one: ChargedCalls): boolean => isShown && allHold(shownBy(one.judge(growthsOf(one))));
  let isSettled = false;
  const late_ms = 1.5 * pace.shownWithin_ms;
  const longer = isPrompt(context) || !isShown ? [] : new Set(pauses_ms.map((one) => Math.max(one, late_ms)));
  for (const still_ms of [shortest_ms, ...longer]) {
    if (pace.isAtOnce) await measurement.untilStill(still_ms);
    else {
      // The last call shows last, and the calls took that long; short waits show how late.
      await measurement.untilStill(shortest_ms);
      await measurement.untilStill(Math.max(still_ms, 1.5 * measurement.spread_ms));
    }
    if (!all.every(isAsRequired)) continue;
    measurement.noteLast();
    for (const project of projects) pace.settled.add(project);
    isSettled = true;
    break;
  }
  if (isSettled) measurement.rest();
  else pace.ended(measurement);
  const { last, began_ms } = measurement;
  const attemptOf = (one: ChargedCalls): Attempt => {
    const own = awaitedBy(context, payersOf(target, one), counters).map(({ name }) => name);
    return {
      judgements: one.judge(growthsOf(one, open)),
      isAsRequired: isAsRequired(one),
      paused_ms: pause_ms || Number.POSITIVE_INFINITY,
      isMore: false,
      open: open.filter(({ name }) => own.includes(name)),
      last,
      began_ms,
    };
  };
  return new Map(all.map((one) => [one, sent.failed.get(one) ?? attemptOf(one)] as const));
}
