// Laws of credit arithmetic within one usage document (§2.1; register §1.2).
import Big from "big.js";
import { type Finding, must, near, onlyWarning } from "../../harness/core/finding.ts";
import { type Law, type LawReading, lawScopes, NotThere, sum } from "../../harness/model/law.ts";
import { products } from "../shared/figures.ts";
import { type ProjectUsage, usageLaw } from "./document.laws.ts";

const zero = new Big(0);
const atLeastZero = (amount: Big): Big => (amount.lt(0) ? zero : amount);

/** Three figures, each rounded on its own, are off by at most 1 together, as all are whole (register §1.3). */
const slack = { within: 1 };

function figuresOf({ number }: LawReading<ProjectUsage>) {
  const used = number("/creditsUsed");
  const prepaid = number("/prepaidCreditsUsed");
  const remaining = number("/creditsRemaining");
  const limit = number("/subscriptionDetails/creditsLimit");
  // Used beyond prepaid: what counts against the limit.
  const regular = used.minus(prepaid);
  return { remaining, limit, regular };
}

const creditArithmetic = usageLaw({
  "CRD-REM-01": (reading) => {
    const { remaining, limit, regular } = figuresOf(reading);
    const left = limit.minus(regular);
    // Something remains only while the limit isn't used up (register I5); otherwise 0 (I1).
    return near("/creditsRemaining", remaining, remaining.gt(0) ? left : atLeastZero(left), slack);
  },
  "CRD-REM-02": (reading) => {
    const { remaining, limit, regular } = figuresOf(reading);
    // Rounding can hide up to one credit of the excess.
    if (regular.minus(limit).lt(1)) return undefined;
    return must(remaining.eq(0), "/creditsRemaining", "0 where regular credits exceed the limit", remaining);
  },
  "CRD-REM-03": (reading) => {
    const { remaining, limit } = figuresOf(reading);
    const isWithin = remaining.lte(limit.round(0, Big.roundUp));
    const finding = must(isWithin, "/creditsRemaining", `at most creditsLimit, ${limit.toFixed()}`, remaining);
    // Rounding may add up to one credit: entailed beyond that (amendment 12).
    return remaining.minus(limit).gt(slack.within) ? finding : onlyWarning(finding);
  },
  "CRD-USE-01": (reading) => {
    const used = reading.number("/creditsUsed");
    const prepaid = reading.number("/prepaidCreditsUsed");
    if (used.minus(prepaid).lt(-1))
      return must(false, "/creditsUsed", `at least prepaidCreditsUsed, ${prepaid.toFixed()}`, used);
    const { remaining, limit } = figuresOf(reading);
    return remaining.gt(0) ? near("/creditsUsed", used, limit.minus(remaining).plus(prepaid), slack) : undefined;
  },
  "CRD-SUM-01": productSum,
});

/** Rounding moves each of n products by at most a half, and a whole total by another half (register §1.4). */
function productSum({ number, numbers, asker }: LawReading<ProjectUsage>): Finding {
  const credits = numbers("/credits");
  const documented = products.map((product) => {
    const amount = credits.get(product);
    if (!amount) throw new NotThere(`/credits/${product}`);
    return amount;
  });
  const used = number("/creditsUsed");
  const isWhole = used.eq(used.round());
  const bound = (n: number): Big => {
    if (asker?.rounding === "directed") return new Big(n);
    return isWhole ? new Big(n + 1).div(2).round(0, Big.roundDown) : new Big(n).div(2);
  };
  // The sum may include undocumented products or leave them out.
  const strict = sum(documented);
  const wide = sum(credits.values());
  const fits =
    strict.minus(used).abs().lte(bound(documented.length)) || wide.minus(used).abs().lte(bound(credits.size));
  const expected = `within ${bound(credits.size).toFixed()} of the products' sum, ${wide.toFixed()}`;
  return must(fits, "/creditsUsed", expected, used);
}

function knownLimit({ number, asker }: LawReading<ProjectUsage>): Finding | undefined {
  const [at, limit] = ["/subscriptionDetails/creditsLimit", asker?.project.creditsLimit] as const;
  return limit === undefined ? undefined : near(at, number(at), new Big(limit), { within: 0 });
}

export const laws: readonly Law[] = [creditArithmetic, usageLaw({ "CRD-LIM-01": knownLimit }, lawScopes.own)];
