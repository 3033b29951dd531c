// Charged calls of a made platform, and what was found of them
import { type ChargedCalls, inEach, type Judgement } from "../../contracts/metering/chargedCalls.ts";
import { charging, settled } from "../../contracts/metering/chargeExperiment.ts";
import { chargePaceOf } from "../../contracts/metering/chargePace.ts";
import { grewBy } from "../../contracts/metering/meterRounds.ts";
import { balances } from "../../contracts/wallet/requests.ts";
import type { Asker } from "../../harness/core/requestSpec.ts";
import type { Feature } from "../../specs/generated/operations.ts";
import { MadeMeter, type Ways } from "./madeMeter.ts";

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
  send: (context) => meter.call(as, 1, context),
  sendLater: (context) => meter.call(as, 1, context),
  judge: inEach(
    (growth) => grewBy(growth, credits, 100 * growth.calls),
    (growth) => grewBy(growth, requests, growth.calls),
  ),
  ...rest,
});

const outcomeOf = (judgement: Judgement): string => {
  try {
    return judgement().finding.outcome;
  } catch (error) {
    return (error as Error).message;
  }
};

/** Whether restless figures were searched for, in all projects; no other measurement here reads the free one. */
export const hasSearched = ({ reads }: MadeMeter): boolean => reads.some((one) => String(one).startsWith("free"));

export type Make = (meter: MadeMeter) => readonly ChargedCalls[];

export const outcomesOf = (meter: MadeMeter, charged: ChargedCalls): Promise<unknown> =>
  settled(meter.context, charged).then(
    (judgements) => judgements.map(outcomeOf),
    (error: unknown) => (error as Error).message,
  );

/** What is found of calls that some checks of a run send together, and how many were sent. */
export async function judged(ways: Ways, make: Make, prepare: (meter: MadeMeter) => unknown = () => null) {
  const runnable = new Set<unknown>();
  const meter = new MadeMeter({ ...ways, runnable: ({ needs }) => runnable.has(needs) });
  prepare(meter);
  const all = make(meter);
  for (const charged of all) {
    const options = { requests: [balances({ as: "paid" })], run: () => Promise.resolve([]) };
    runnable.add(charging("MET-WAL-01", charged, options).needs);
  }
  const found: unknown[] = [];
  for (const charged of all) found.push(await outcomesOf(meter, charged));
  return { found, calls: meter.calls.length, meter, pace: chargePaceOf(meter.context) };
}
