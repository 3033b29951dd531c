// Calls that aren't charged: how long is waited for their charges, and what follows (amendment 19).
import { Withheld } from "../../harness/core/outcomes.ts";
import type { Asker, RequestSpec } from "../../harness/core/requestSpec.ts";
import { unmetNeedOf } from "../../harness/engine/unmetNeeds.ts";
import type { CheckContext } from "../../harness/model/check.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import type { Feature } from "../../specs/generated/operations.ts";
import { baselineRequests } from "../jsonrpc/baselineRequests.ts";
import { balances } from "../wallet/requests.ts";
import { type Awaited, chargePaceOf, patience_ms, seconds } from "./chargePace.ts";
import { counterOf } from "./reads.ts";
import { Measurement } from "./usageMeasurement.ts";

/** Told where charges of others show, or where the target says that all do. */
export class NeverCharged extends Withheld {
  /** How long was waited, and what speaks against later charges. */
  readonly how: string;
  /** The last read. */
  readonly exchange: Exchange;

  constructor(how: string, exchange: Exchange) {
    super(`unsettled: ${how}`);
    this.how = how;
    this.exchange = exchange;
  }
}

/** Not charged for the longer of these. */
const least_ms = 60_000;
const timesSlowest = 20;

/** Counters in which calls didn't show. */
export interface Open {
  readonly open: readonly Awaited[];
  /** When the first of these calls was sent. */
  readonly began_ms: number;
  /** The last read. */
  readonly last: Exchange;
}

/** A call that is served and charged, which shows how late charges are. */
export const markerOf = (feature: Feature, as: Asker): RequestSpec | undefined =>
  feature === "wallet" ? balances({ as }) : baselineRequests.find((one) => one.feature === feature)?.ask({ as });

/** How long a counter without charges is waited for, in ms; null where nothing can be compared with it. */
function limitOf(context: CheckContext, one: Awaited): { readonly limit_ms: number; readonly why: string } | null {
  const { settlesWithin_s: agreed_s } = context.target;
  if (agreed_s !== undefined)
    return { limit_ms: agreed_s * 1000, why: `though the target says settlesWithin_s: ${agreed_s}` };
  const slowest = chargePaceOf(context).slowestLike_ms(one.counter);
  if (slowest === null) return null;
  return {
    limit_ms: Math.max(least_ms, timesSlowest * slowest),
    why: `while other charges showed after ${seconds(slowest)}`,
  };
}

/** Calls of other features show how long charges take; once in a run. */
const chargedElsewhere = (context: CheckContext, feature: Feature): Promise<void> =>
  context.once("charges of other features", async () => {
    const markers = context.target.offers.flatMap((one) => (one === feature ? [] : (markerOf(one, "owner") ?? [])));
    const calls = markers.filter((one) => unmetNeedOf(one, context.target) === null);
    if (calls.length === 0) return;
    // Earlier calls of the feature may show meanwhile.
    const isOwn = (at: string): boolean =>
      at.endsWith({ wallet: "/walletApi", compression: "/compression" }[feature as string] ?? "/all");
    const counters = ["/credits/", "/requests/"].map((start) => counterOf(start).filter((at) => !isOwn(at)));
    chargePaceOf(context).pending.clear();
    const measurement = await Measurement.begin(context, { askers: ["owner"], counters });
    for (const call of calls) await context.ask(context.fresh(call));
    await measurement.untilShown(() => patience_ms);
  });

/** What is left of the time after which open counters count as never charged. */
export async function leftAfter(context: CheckContext, feature: Feature, { open, began_ms }: Open) {
  const isAlone = chargePaceOf(context).slowest_ms === null || open.some((one) => limitOf(context, one) === null);
  if (isAlone) await chargedElsewhere(context, feature);
  return (one: Awaited, now_ms: number): number | null =>
    open.some(({ name }) => name === one.name)
      ? Math.max(0, (limitOf(context, one)?.limit_ms ?? 0) - (now_ms - began_ms))
      : null;
}

/** Notes why open counters aren't judged for the rest of the run. */
export function noteLapses(context: CheckContext, { open, began_ms, last }: Open): void {
  const waited_ms = last.sentAt_ms - began_ms;
  for (const one of open) {
    const limit = limitOf(context, one);
    const isOver = limit !== null && waited_ms >= limit.limit_ms;
    const lapse = isOver
      ? new NeverCharged(`not charged within ${seconds(waited_ms)}, ${limit.why}`, last)
      : new Withheld(`unsettled: no charge showed within ${seconds(waited_ms)}; it may show later`);
    chargePaceOf(context).lapses.set(one.name, lapse);
  }
}
