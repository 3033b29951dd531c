// Charged calls: what a check sends, labelled by project and feature, and how the growth by it is judged (§2.1, §8).
import type { Finding } from "../../harness/core/finding.ts";
import { Withheld } from "../../harness/core/outcomes.ts";
import type { Asker, RequestSpec } from "../../harness/core/requestSpec.ts";
import type { CheckContext, Shown } from "../../harness/model/check.ts";
import { isServed } from "../../harness/transport/answers.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { fateOf } from "../../harness/transport/fates.ts";
import type { Feature } from "../../specs/generated/operations.ts";
import { baselineRequests } from "../jsonrpc/baselineRequests.ts";
import { usageRequest } from "../shared/requestSpecs.ts";
import { balances } from "../wallet/requests.ts";
import { notQuiet } from "./chargePace.ts";
import type { ChargedGrowth, MeasuredUsage } from "./meterRounds.ts";

/** Judges one figure of one project's growth by some calls. @throws Withheld where its charges aren't settled */
export type Judge = (growth: ChargedGrowth) => Shown;

/** The same, later. */
export type Judgement = () => Shown;

/** Calls that are charged, and what the growth by them must be. */
export interface ChargedCalls extends MeasuredUsage {
  readonly feature: Feature;
  /** Sends the calls anew each time; returns how many there were for each payer. */
  readonly send: (context: CheckContext) => Promise<number>;
  /** Sends one later call for each payer, under the same product, which shows whether charges are settled. */
  readonly sendLater: (context: CheckContext) => Promise<unknown>;
  /** Judges the growth by calls, these or more of their feature. */
  readonly judge: (growths: readonly ChargedGrowth[]) => readonly Judgement[];
}

export const inGrowth =
  (judge: (growth: ChargedGrowth) => Finding): Judge =>
  (growth) => ({ exchange: growth.exchange, finding: judge(growth) });

/** Judges the growth of every project in each of these ways. */
export const inEach =
  (...judges: readonly Judge[]): ChargedCalls["judge"] =>
  (growths) =>
    growths.flatMap((growth) => judges.map((judge) => () => judge(growth)));

/** What is judged; what isn't settled is left out. */
export const shownBy = (judgements: readonly Judgement[]): readonly Shown[] =>
  judgements.flatMap((judgement) => {
    try {
      return [judgement()];
    } catch (error) {
      if (error instanceof Withheld) return [];
      throw error;
    }
  });

/** Whether all findings hold. */
export const allHold = (shown: readonly Shown[]): boolean => shown.every(({ finding }) => finding.outcome === "held");

/** What a check of charges needs to send calls and to read the usage of these askers' projects. */
export const chargeNeeds = (feature: Feature, requests: readonly RequestSpec[], askers: readonly Asker[]) =>
  ({
    feature,
    requests: [...askers.map((as) => usageRequest({ as })), ...requests],
    unless: notQuiet,
    // Of JSON-RPC calls it isn't known which figures they move, so that each is waited for.
    settles: feature === "wallet" ? { window: "wallet", rounds: 4 } : { window: "JSON-RPC", rounds: 4, mostRounds: 48 },
    when: "alone",
  }) as const;

/** Whether a refused call is charged is unspecified. */
export class NotServed extends Withheld {
  readonly exchange: Exchange;
  /** How many calls were served before it. */
  readonly before: number;

  constructor(exchange: Exchange, before: number) {
    super(`the request ${fateOf(exchange)}`);
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

/** A call that is served and charged, which shows how late charges are. */
export const markerOf = (feature: Feature, as: Asker): RequestSpec | undefined =>
  feature === "wallet" ? balances({ as }) : baselineRequests.find((one) => one.feature === feature)?.ask({ as });
