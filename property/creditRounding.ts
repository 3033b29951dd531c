// Credits are summed exactly and rounded once, in any order of use (§2.1; register §1)
import Big from "big.js";
import fc from "fast-check";
import { controlOf } from "../contracts/shared/control.ts";
import { usageRequest } from "../contracts/shared/requestSpecs.ts";
import {
  amountAt,
  nothingFell,
  numberIs,
  totalIs,
  type UsageReader,
  usageReaderOf,
} from "../contracts/usage/usageReader.ts";
import type { Check, CheckContext, Shown } from "../harness/model/check.ts";
import type { Target } from "../harness/targets/target.ts";
import { type Increment, someIncrements } from "./arbitraries/increments.ts";
import { property } from "./property.ts";

const zero = new Big(0);

const used = ({ credits, times }: Increment): Big => new Big(credits).times(times);
const sumOf = (increments: readonly Increment[]): Big => increments.reduce((total, one) => total.plus(used(one)), zero);

/** More than all increments can use. */
const purchased = "1000000";

async function usedBy(
  context: CheckContext,
  increments: readonly Increment[],
  creditsLimit = 1_000_000,
): Promise<UsageReader> {
  const reader = await usageReaderOf(context, { plan: { creditsLimit }, prepaid: purchased });
  for (const increment of increments) await use(reader, increment);
  return reader;
}

/** The most that control counts in one request. */
const atOnce = 1_000;

async function use({ project }: UsageReader, { product, credits, times, pool }: Increment): Promise<void> {
  for (let left = times; left > 0; left -= atOnce)
    await project.consume(product, credits, { times: Math.min(left, atOnce), pool });
}

const broke = (shown: readonly Shown[]): Shown => {
  const first = shown.find(({ finding }) => finding.outcome === "broken") ?? shown[0];
  if (!first) throw new Error("a ledger without increments");
  return first;
};

/**
 * Half a credit either way, as rounding of ties is unspecified; almost one where a target declares directed rounding.
 */
export const roundedWithin = ({ rounding }: Target): number => (rounding === "directed" ? 0.9999 : 0.5);

const productsOf = (increments: readonly Increment[]) => [...new Set(increments.map(({ product }) => product))];

const ledger = { increments: someIncrements, creditsLimit: fc.constantFrom(1_000_000, 20, 0) };
const usageOfOwner = usageRequest({ as: "owner" });
const ofLedgers = { feature: "usage", each: [usageOfOwner], control: { reads: 0, of: controlOf.billing } } as const;

const products = property(
  "CRD-ROUND-01",
  ledger,
  async ({ increments, creditsLimit }, context) => {
    const exchange = await (await usedBy(context, increments, creditsLimit)).read();
    return broke(
      productsOf(increments).map((product) => {
        const sum = sumOf(increments.filter((one) => one.product === product));
        return numberIs(exchange, `/credits/${product}`, sum, roundedWithin(context.target));
      }),
    );
  },
  { ...ofLedgers, name: "productsRoundedOnce", cases: { many: 1_000, some: 8, few: 0 } },
);

/** What remains is at least 0, and may be computed from rounded totals. */
const totals = property(
  "CRD-USE-02",
  ledger,
  async ({ increments, creditsLimit }, context) => {
    const exchange = await (await usedBy(context, increments, creditsLimit)).read();
    const all = sumOf(increments);
    const prepaid = sumOf(increments.filter(({ pool }) => pool === "prepaid"));
    const left = new Big(creditsLimit).minus(all.minus(prepaid));
    return broke([
      totalIs(exchange, "/creditsUsed", all),
      totalIs(exchange, "/prepaidCreditsUsed", prepaid),
      totalIs(exchange, "/prepaidCreditsRemaining", new Big(purchased).minus(prepaid)),
      numberIs(exchange, "/creditsRemaining", left.gt(0) ? left : zero, 1),
    ]);
  },
  { ...ofLedgers, name: "totalsOfLedger", cases: { many: 500, some: 4, few: 0 } },
);

/** Reading after each increment changes nothing: the last read equals the only read of a positive control project. */
const reads = property(
  "CRD-ROUND-03",
  { increments: someIncrements },
  async ({ increments }, context) => {
    const reader = await usageReaderOf(context, { prepaid: purchased });
    const shown: Shown[] = [];
    let before = await reader.read();
    for (const increment of increments) {
      await use(reader, increment);
      const after = await reader.read();
      shown.push(nothingFell(before, after));
      before = after;
    }
    const positiveControl = await (await usedBy(context, increments)).read();
    const places = productsOf(increments).map((product) => `/credits/${product}`);
    return broke([...shown, ...places.map((at) => numberIs(before, at, amountAt(positiveControl, at)))]);
  },
  {
    ...ofLedgers,
    each: Array.from({ length: 8 }, () => usageOfOwner),
    name: "readsChangeNothing",
    cases: { many: 200, some: 2, few: 0 },
  },
);

export const properties: readonly Check[] = [products, totals, reads];
