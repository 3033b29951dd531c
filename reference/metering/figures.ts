// The figures of a ledger, over a span, rounded (§2.1)
import Big from "big.js";
import {
  type ChargedProduct,
  chargedProducts,
  type LedgerEntry,
  type Metered,
  metered,
  noCredits,
  perProduct,
  type Span,
  type Stream,
  streams,
  sumOfAmounts,
  type UsageLedger,
} from "../platform/ledger.ts";
import type { KeyScope, Rounding, UsageRules } from "../platform/rules.ts";
import { utcDayOf } from "./calendar.ts";

export interface UsageFigures {
  readonly remaining: Big;
  readonly used: Big;
  readonly prepaidUsed: Big;
  readonly prepaidRemaining: Big;
  readonly products: { readonly [P in ChargedProduct]: Big };
  readonly requests: { readonly [P in Metered]: number };
  readonly bytes: { readonly [S in Stream]: number };
}

/** Unrounded figures, except that `rules.rounding` may round products too early. */
export function figuresOf(
  ledger: UsageLedger,
  creditsLimit: number,
  rules: UsageRules,
  spanOf: (scope: KeyScope) => Span,
): UsageFigures {
  const found = new Map<KeyScope, readonly LedgerEntry[]>();
  const entriesOf = (figure: keyof UsageRules["scopes"]): readonly LedgerEntry[] => {
    const scope = rules.scopes[figure];
    const entries = found.get(scope) ?? ledger.within(spanOf(scope));
    found.set(scope, entries);
    return entries;
  };
  const prepaid = (entries: readonly LedgerEntry[]): Big => sumOfAmounts(entries.map((entry) => entry.prepaid));
  const total = (entries: readonly LedgerEntry[]): Big => sumOfAmounts(entries.map(({ credits }) => credits));
  const inProducts = entriesOf("products");
  const inRemaining = entriesOf("remaining");
  const left = new Big(creditsLimit).minus(total(inRemaining).minus(prepaid(inRemaining)));
  return {
    remaining: left.lt(0) ? noCredits : left,
    used: total(entriesOf("used")),
    prepaidUsed: prepaid(entriesOf("prepaidUsed")),
    prepaidRemaining: prepaidLeft(ledger, rules),
    products: perProduct(chargedProducts, (product) =>
      accumulated(
        inProducts.filter((entry) => entry.product === product),
        rules.rounding,
      ),
    ),
    requests: perProduct(metered, (product) => count(entriesOf("requests"), product, "requests")),
    bytes: perProduct(streams, (stream) => count(entriesOf("bytes"), stream, "bytes")),
  };
}

const count = (entries: readonly LedgerEntry[], product: ChargedProduct, what: "requests" | "bytes"): number =>
  entries.reduce((total, entry) => (entry.product === product ? total + entry[what] : total), 0);

function prepaidLeft(ledger: UsageLedger, { prepaidBalance }: UsageRules): Big {
  const used = ledger.purchased.minus(ledger.prepaidLeft);
  const left = ledger.purchased.minus(used.times({ falls: 1, stays: 0, "falls twice": 2 }[prepaidBalance]));
  return left.lt(0) ? noCredits : left;
}

/** The honest sum keeps every fraction; the others round before the end. */
function accumulated(entries: readonly LedgerEntry[], { each }: Rounding): Big {
  if (each === "never") return sumOfAmounts(entries.map(({ credits }) => credits));
  const parts = new Map<unknown, Big>();
  for (const entry of entries) {
    const part = each === "daily" ? utcDayOf(entry.at_ms) : entry;
    parts.set(part, (parts.get(part) ?? noCredits).plus(entry.credits));
  }
  const mode = each === "up" ? Big.roundUp : Big.roundHalfUp;
  return sumOfAmounts([...parts.values()].map((credits) => credits.round(0, mode)));
}

const modes = {
  nearest: Big.roundHalfUp,
  "half even": Big.roundHalfEven,
  down: Big.roundDown,
  up: Big.roundUp,
} as const;

/** Rounded once, at the end. */
export const shownAmount = (amount: Big, { last }: Rounding): number => amount.round(0, modes[last]).toNumber();
