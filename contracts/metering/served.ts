// Calls that must be served, as whether a refused one is charged is unspecified, and what their checks need (§2.1).
import { Withheld } from "../../harness/core/outcomes.ts";
import type { Asker, RequestSpec } from "../../harness/core/requestSpec.ts";
import type { CheckContext } from "../../harness/model/check.ts";
import { isServed } from "../../harness/transport/answers.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { fateOf } from "../../harness/transport/fates.ts";
import type { Feature } from "../../specs/generated/operations.ts";
import { usageRequest } from "../shared/requestSpecs.ts";
import { notQuiet } from "./chargePace.ts";

/** What a check of charges needs to send calls and to read the usage of these askers' projects. */
export const chargeNeeds = (feature: Feature, requests: readonly RequestSpec[], askers: readonly Asker[]) =>
  ({
    feature,
    requests: [...askers.map((as) => usageRequest({ as })), ...requests],
    unless: notQuiet,
    settles: { window: feature === "wallet" ? "wallet" : "JSON-RPC", rounds: 4 },
    when: "alone",
  }) as const;

/** Whether a refused call is charged is unspecified. */
export class NotServed extends Withheld {
  readonly exchange: Exchange;
  /** How many calls were served before it. */
  readonly before: number;

  constructor(exchange: Exchange, before: number) {
    super(`not tested: the request ${fateOf(exchange)}`);
    this.exchange = exchange;
    this.before = before;
  }
}

/** Sends one call after the other; returns how many. @throws NotServed */
export async function sendServed(context: CheckContext, requestSpecs: readonly RequestSpec[]): Promise<number> {
  for (const [nth, requestSpec] of requestSpecs.entries()) {
    const exchange = await context.ask(context.fresh(requestSpec));
    if (!isServed(exchange)) throw new NotServed(exchange, nth);
  }
  return requestSpecs.length;
}
