// Benign variants that the register doesn't name
import { plusDays, utcDayOf } from "./metering/calendar.ts";
import { replaced, usageDoc, type Variant } from "./platform/mutant.ts";
import { creditsOf, everyCycleDate } from "./platform/usageParts.ts";
import { isDocValue, type Value } from "./platform/wire.ts";
import { paying } from "./proxy.mutants.ts";
import { exactFigures } from "./usage/document.ts";
import { own } from "./usage/mutations.ts";

const totals = ["creditsUsed", "prepaidCreditsUsed", "prepaidCreditsRemaining"] as const;
const reversed = (value: Value): Value =>
  isDocValue(value)
    ? Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([name, member]) => [name, reversed(member)]),
      )
    : value;

/** Other choices where the interface leaves behaviour unspecified. */
export const benign: readonly Variant[] = [
  {
    id: "totals rounded down, what remains of the plan up",
    answer: own((doc, project, now_ms) => {
      const { used, prepaidUsed, prepaidRemaining, remaining } = exactFigures(project, now_ms);
      const down = [used, prepaidUsed, prepaidRemaining].map((amount) => amount.round(0, 0).toNumber());
      return {
        ...doc,
        ...Object.fromEntries(totals.map((member, nth) => [member, down[nth] ?? 0])),
        creditsRemaining: remaining.round(0, 3).toNumber(),
      };
    }),
  },
  {
    id: "products that end in a half rounded down",
    answer: own((doc, project, now_ms) => {
      const exact = exactFigures(project, now_ms).products;
      return creditsOf(doc, (product) => Math.max(0, exact[product].minus("0.000000000001").round(0).toNumber()));
    }),
  },
  {
    id: "prepaid credits pay first, what they can pay whole",
    proxy: paying((left, amount) => (amount <= left ? "prepaid" : "regular")),
  },
  { id: "prepaid credits pay only what names them", proxy: paying(() => "regular") },
  {
    id: "a cycle ends on the day on which the next one starts",
    answer: everyCycleDate((day, edge) => (edge === "end" ? plusDays(day, 1) : day)),
  },
  {
    id: "an invoicing week",
    answer: replaced("/subscriptionDetails/billingCycle", (window, _doc, { now_ms }) => {
      const monday = plusDays(utcDayOf(now_ms), -((new Date(now_ms).getUTCDay() + 6) % 7));
      return window && { start: monday, end: plusDays(monday, 6) };
    }),
  },
  { id: "members in another order", answer: usageDoc((doc) => reversed(doc)) },
];
