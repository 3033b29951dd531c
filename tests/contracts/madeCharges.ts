// Charged calls of a made platform, and what was found of them
import { type ChargedCalls, inEach, type Judgement } from "../../contracts/metering/attempts.ts";
import { grewBy } from "../../contracts/metering/reads.ts";
import type { Asker } from "../../harness/core/requestSpec.ts";
import type { Feature } from "../../specs/generated/operations.ts";
import type { MadeMeter, Ways } from "./madeMeter.ts";

export const [requests, credits] = ["/requests/walletApi", "/credits/walletApi"] as const;

/** Each call counts once and costs so much, which shows so late. */
export const costs = (price: number, lag_ms = 0): Ways => ({
  calls: () => ({ [requests]: [1, lag_ms], [credits]: [price, lag_ms] }),
});

export interface Sending extends Partial<Pick<ChargedCalls, "send" | "sendLater" | "judge">> {
  readonly as?: Asker;
  readonly feature?: Feature;
}

/** One call that must cost 100 credits and count once. */
export const oneCall = (
  meter: MadeMeter,
  { as = "paid", feature = "wallet", ...rest }: Sending = {},
): ChargedCalls => ({
  askers: [as],
  counters: [[credits], [requests]],
  feature,
  send: () => meter.call(as),
  sendLater: () => meter.call(as),
  judge: inEach(
    (growth) => grewBy(growth, credits, 100 * growth.calls),
    (growth) => grewBy(growth, requests, growth.calls),
  ),
  ...rest,
});

export const outcomeOf = (judgement: Judgement): string => {
  try {
    return judgement().finding.outcome;
  } catch (error) {
    return (error as Error).message;
  }
};

/** Whether restless figures were searched for, in all projects; no other measurement here reads the free one. */
export const hasSearched = ({ reads }: MadeMeter): boolean => reads.some((one) => String(one).startsWith("free"));
