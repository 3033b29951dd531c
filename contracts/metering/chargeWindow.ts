// The charge window: calls of many checks between two settled reads, told apart by project and feature (§2.1, §8).

import Big from "big.js";
import type { Asker, Stimulus } from "../../harness/core/stimulus.ts";
import { type Check, type CheckContext, scenario } from "../../harness/model/check.ts";
import type { Feature } from "../../specs/generated/operations.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { reasonOf } from "./accounts.ts";
import { type Attempt, allHold, type ChargedCalls, pauseBefore, shownBy, usualWait_ms } from "./attempts.ts";
import { type Awaited, paceOf } from "./chargePace.ts";
import { type ChargedGrowth, nameIn, projectOf } from "./reads.ts";
import { chargeNeeds, NotServed } from "./served.ts";
import { awaitedBy, Measurement } from "./usageMeasurement.ts";

/** Charged calls that may share a window, by the check that judges them. */
const sharing = new Map<Check, ChargedCalls>();

interface ChargingOptions extends Partial<Pick<Check, "optional">> {
  /** What is sent besides the reads. */
  readonly requests: readonly Stimulus[];
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
  const all = new Set<ChargedCalls>();
  for (const [check, one] of sharing) if (windowOf(one) === window && (await context.isRunnable(check))) all.add(one);
  if (all.size < 2 || !all.has(charged)) return undefined;
  const attempts = await context.once(`charge window of ${window} calls`, () =>
    measured(context, [...all]).catch((error: unknown): Attempts => {
      reasonOf(error);
      return new Map();
    }),
  );
  const found = attempts.get(charged);
  if (found instanceof Error) throw found;
  return found;
}

/** Pauses in which charges must stay as they are, one after the other until they are as required; in ms. */
const pauses_ms = [0, 3_000, 6_000];

/** Measures all of them together. */
async function measured(context: CheckContext, all: readonly ChargedCalls[]): Promise<Attempts> {
  const { target } = context;
  const pace = paceOf(context);
  const named = (as: Asker): string => projectOf(target, as);
  const byProject = (askers: readonly Asker[]): readonly Asker[] => [
    ...new Map(askers.map((as) => [named(as), as])).values(),
  ];
  const askers = byProject(all.flatMap((one) => one.askers));
  const projects = askers.map(named);
  const payersOf = (one: ChargedCalls): readonly Asker[] => byProject(one.payers ?? one.askers);
  const counters = all[0]?.counters ?? [];
  const pause_ms = await pauseBefore(context, askers);
  const measurement = await Measurement.begin(
    context,
    { askers, payers: byProject(all.flatMap(payersOf)), counters },
    pause_ms ?? 0,
  );
  for (const project of projects) pace.settled.delete(project);

  const [calls, failed] = [new Map<string, number>(), new Map<ChargedCalls, Error>()];
  for (const one of pause_ms === null ? [] : all) {
    const count = await one.send(context).catch((error: unknown) => {
      reasonOf(error);
      failed.set(one, error as Error);
      return error instanceof NotServed ? error.before : 0;
    });
    for (const as of payersOf(one)) {
      const name = `${named(as)} ${one.feature}`;
      calls.set(name, (calls.get(name) ?? 0) + count);
    }
  }
  const callsOf = (as: Asker, feature: Feature): number => calls.get(`${named(as)} ${feature}`) ?? 0;
  const knownOfOthers = (feature: Feature) =>
    new Map(
      askers.flatMap((as) =>
        Object.entries(known).flatMap(([other, at]) =>
          other === feature ? [] : [[nameIn(context, as, at), new Big(callsOf(as, other as Feature))] as const],
        ),
      ),
    );
  const growthsOf = ({ askers: own, feature }: ChargedCalls, open: readonly Awaited[] = []) => {
    const growths = measurement.growths(open, knownOfOthers(feature));
    return own.flatMap((as): ChargedGrowth[] => {
      const growth = growths[projects.indexOf(named(as))];
      return growth ? [{ ...growth, calls: callsOf(as, feature) }] : [];
    });
  };
  const open = await measurement.untilShown((one) => (pause_ms === null ? 0 : usualWait_ms(context, one)));
  const isShown = !measurement.isUnmoved(open);
  const isAsRequired = (one: ChargedCalls): boolean => isShown && allHold(shownBy(one.judge(growthsOf(one))));
  for (const still_ms of target.isReference || !isShown ? pauses_ms.slice(0, 1) : pauses_ms) {
    await measurement.untilStill(
      Math.max(still_ms, still_ms && 1.5 * (pace.slowest_ms ?? 0), 1.5 * measurement.spread_ms),
    );
    if (!all.every(isAsRequired)) continue;
    measurement.noteLast();
    for (const project of projects) pace.settled.add(project);
    break;
  }
  pace.ended(measurement);
  const { last } = measurement;
  const began_ms = pause_ms === null ? (context.exchanges()[0]?.sentAt_ms ?? 0) : measurement.began_ms;
  return new Map(
    all.map((one) => {
      const own = awaitedBy(context, payersOf(one), counters).map(({ name }) => name);
      const attempt: Attempt = {
        judgements: one.judge(growthsOf(one, open)),
        isAsRequired: isAsRequired(one),
        paused_ms: pause_ms || Number.POSITIVE_INFINITY,
        isMore: false,
        open: open.filter(({ name }) => own.includes(name)),
        last,
        began_ms,
      };
      return [one, failed.get(one) ?? attempt] as const;
    }),
  );
}
