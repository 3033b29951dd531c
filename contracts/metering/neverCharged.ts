// Calls that aren't charged: how long is waited for their charges, and what follows (amendment 19).
import { notSettled, Withheld } from "../../harness/core/outcomes.ts";
import { unmetNeedOf } from "../../harness/engine/unmetNeeds.ts";
import { type CheckContext } from "../../harness/model/check.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import type { Feature } from "../../specs/generated/operations.ts";
import { markerOf } from "./chargedCalls.ts";
import {
  type Awaited,
  chargePaceOf,
  learnPace,
  patience_ms,
  seconds,
  slowest_ms,
  slowestJudged_ms,
} from "./chargePace.ts";
import type { MeasuredCalls } from "./measuredCalls.ts";
import { counterOf } from "./meterRounds.ts";
import { Measurement } from "./usageMeasurement.ts";

/** Told where charges of others show, or where the target says that all do. */
export class NeverCharged extends Withheld {
  /** How long was waited, and what speaks against later charges. */
  readonly how: string;
  /** The last read. */
  readonly exchange: Exchange;

  constructor(how: string, exchange: Exchange) {
    super({ kind: "notSettled", detail: how });
    this.how = how;
    this.exchange = exchange;
  }
}

/** Not charged for the longer of 60 s and so many times the slowest delay (amendment 19). */
const never = { least_ms: 60_000, timesSlowest: 20 } as const;

/** How long a counter without charges is waited for, in ms; null where nothing can be compared with it. */
export function waitLimitOf(
  context: CheckContext,
  { counter }: Awaited,
): { readonly limit_ms: number; readonly why: string } | null {
  const { settlesWithin_s: agreed_s } = context.target;
  if (agreed_s !== undefined)
    return { limit_ms: agreed_s * 1000, why: `though the target says settlesWithin_s: ${agreed_s}` };
  const slowest = slowest_ms(chargePaceOf(context), counter);
  if (slowest === null || slowest > slowestJudged_ms) return null;
  return {
    limit_ms: Math.max(never.least_ms, never.timesSlowest * slowest),
    why: `while other charges showed after ${seconds(slowest)}`,
  };
}

/** Calls of other features show how long charges take; once in a run. */
export const chargedElsewhere = (context: CheckContext, feature: Feature): Promise<void> =>
  context.once("charges of other features", async () => {
    const markers = context.target.offers.flatMap((other) =>
      other === feature ? [] : (markerOf(other, "owner") ?? []),
    );
    const calls = markers.filter((call) => unmetNeedOf(call, context.target) === null);
    if (calls.length === 0) return;
    // Earlier calls of the feature may show meanwhile.
    const isOwn = (at: string): boolean =>
      at.endsWith({ wallet: "/walletApi", compression: "/compression" }[feature as string] ?? "/all");
    const counters = ["/credits/", "/requests/"].map((start) => counterOf(start).filter((at) => !isOwn(at)));
    const measurement = await Measurement.begin(context, { askers: ["owner"], counters });
    for (const call of calls) await context.ask(context.fresh(call));
    measurement.noteCalls();
    await measurement.untilSettled(() => patience_ms);
  });

/**
 * Waits until open counters count as never charged, and notes why they aren't judged for the rest of the run.
 * @param began_ms when the first calls were sent that they don't show
 */
export async function closeOpen(
  context: CheckContext,
  { open, measurement }: MeasuredCalls,
  began_ms: number,
): Promise<void> {
  if (open.length === 0) return;
  const within_ms = (awaited: Awaited): number =>
    (waitLimitOf(context, awaited)?.limit_ms ?? 0) - (measurement.readings.began_ms - began_ms);
  const unshown = (await measurement.untilSettled(within_ms)).map(({ name }) => name);
  const waited_ms = measurement.readings.now_ms - began_ms;
  const lapses = open
    .filter(({ name }) => unshown.includes(name))
    .map((awaited) => {
      const limit = waitLimitOf(context, awaited);
      const lapse =
        limit !== null && waited_ms >= limit.limit_ms
          ? new NeverCharged(`not charged within ${seconds(waited_ms)}, ${limit.why}`, measurement.readings.last)
          : notSettled(`no charge showed within ${seconds(waited_ms)}; it may show later`);
      return [awaited.name, lapse] as const;
    });
  learnPace(context, { lapses: new Map([...chargePaceOf(context).lapses, ...lapses]) });
}
