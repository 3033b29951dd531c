// The budget of a run: the requests, credits and seconds that a target allows, and what was spent.
import { operationOf } from "../core/interface.ts";
import { BudgetSpent } from "../core/outcomes.ts";
import type { BudgetReason } from "../core/reason.ts";
import { keyHolder, type RequestSpec } from "../core/requestSpec.ts";
import type { Target } from "./target.ts";

export interface Spent {
  readonly requests: number;
  /** Of calls of known price, refused ones included, since a platform may charge for them. */
  readonly credits: number;
  /** Calls whose price neither the interface nor the target shows. */
  readonly unpriced: number;
}

type Priced = Pick<Target, "prices" | "interface">;

/** Credits per call; null where the price isn't known. */
export const priceOf = (target: Priced, operation: RequestSpec["operation"]): number | null =>
  operation === null ? null : (target.prices[operation] ?? operationOf(target.interface, operation)?.credits ?? null);

/** The price of requests that no operation describes: that of all operations of the API, if they have the same one. */
function priceOn(target: Priced, api: RequestSpec["api"]): number | null {
  const there = target.interface.operations.filter((one) => one.api === api);
  const [price = null, ...others] = new Set(there.map(({ credits }) => credits));
  return price === null || others.length > 0 ? null : Math.max(...there.map(({ id }) => target.prices[id] ?? price));
}

/** Credits that a request may cost: without a valid key nothing is charged. Null where the price isn't known. */
export const costOf = (target: Priced, requestSpec: RequestSpec): number | null => {
  const price =
    requestSpec.operation === null ? priceOn(target, requestSpec.api) : priceOf(target, requestSpec.operation);
  return price !== null && keyHolder(requestSpec) === null ? 0 : price;
};

export const nothingSpent: Spent = { requests: 0, credits: 0, unpriced: 0 };

export function spentOn(target: Priced, requestSpec: RequestSpec): Spent {
  const price = costOf(target, requestSpec);
  return { requests: 1, credits: price ?? 0, unpriced: price === null ? 1 : 0 };
}

export const totalSpent = (all: readonly Spent[]): Spent =>
  all.reduce(
    (sum, { requests, credits, unpriced }) => ({
      requests: sum.requests + requests,
      credits: sum.credits + credits,
      unpriced: sum.unpriced + unpriced,
    }),
    nothingSpent,
  );

export function budgetOf(target: Priced & Pick<Target, "budget">) {
  const { requests = Infinity, credits = Infinity, seconds = Infinity } = target.budget;
  let spent = nothingSpent;
  const refusals: BudgetReason[] = [];
  const refused = (of: BudgetReason["of"], most: number, spending?: BudgetReason["spending"]): BudgetSpent => {
    const reason: BudgetReason = { kind: "budgetSpent", of, most, ...(spending ? { spending } : {}) };
    refusals.push(reason);
    return new BudgetSpent(reason);
  };
  let began_ms: number | null = null;
  /**
   * Takes the cost of one request.
   * @param at_ms when it will be sent, as Unix time; the budget's seconds count from the first request
   * @throws BudgetSpent where that would exceed the budget; nothing is taken then, and a cheaper request may still fit
   */
  const take = (requestSpec: RequestSpec, at_ms: number): void => {
    const { operation } = requestSpec;
    const price = costOf(target, requestSpec);
    if (spent.requests >= requests) throw refused("requests", requests);
    if (at_ms - (began_ms ?? at_ms) > seconds * 1000) throw refused("seconds", seconds);
    if (spent.credits + (price ?? 0) > credits)
      throw refused("credits", credits, { soFar: spent.credits, operation, price });
    began_ms ??= at_ms;
    spent = totalSpent([spent, spentOn(target, requestSpec)]);
  };
  return {
    get spent() {
      return spent;
    },
    take,
    /** Why requests were refused, in the order in which they were. */
    refusals: refusals as readonly BudgetReason[],
    /** Takes the cost of all of them together. @throws BudgetSpent likewise; nothing is taken then */
    takeAll: (requestSpecs: readonly RequestSpec[], at_ms: number): void => {
      const before = spent;
      try {
        for (const requestSpec of requestSpecs) take(requestSpec, at_ms);
      } catch (error) {
        spent = before;
        throw error;
      }
    },
  };
}
