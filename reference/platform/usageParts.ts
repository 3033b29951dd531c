// Parts of usage documents that mutants of several rooms read or change
import { chargedProducts } from "./ledger.ts";
import { bothChanges, numberAt, replaced } from "./mutant.ts";
import type { Doc, ResponseMutation } from "./wire.ts";

export const creditsLimitIn = (doc: Doc): number => numberAt(doc, "/subscriptionDetails/creditsLimit");
/** The sum of all products' credits. */
export const inProducts = (doc: Doc): number =>
  chargedProducts.reduce((total, product) => total + numberAt(doc, `/credits/${product}`), 0);
/** The document with other credits of its products. */
export const creditsOf = (
  doc: Doc,
  amount: (product: (typeof chargedProducts)[number], honest: number) => number,
): Doc => ({
  ...doc,
  credits: Object.fromEntries(
    chargedProducts.map((product) => [product, amount(product, numberAt(doc, `/credits/${product}`))]),
  ),
});

/** Changes the first and last days of both cycles. */
export const everyCycleDate = (change: (day: string, edge: "start" | "end") => string): ResponseMutation =>
  (["/creditCycle", "/subscriptionDetails/billingCycle"] as const)
    .map((cycle) =>
      replaced(cycle, (window) => {
        if (window === null) return null;
        const { start, end } = window as { start: string; end: string };
        return { start: change(start, "start"), end: change(end, "end") };
      }),
    )
    .reduce(bothChanges);
