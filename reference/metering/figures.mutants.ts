// Mutants of credit figures (§2.1; register §1.6)
import { benignVariantsOf, mutantsOf, numberAt, replaced, usageDoc, whereCalled } from "../platform/mutant.ts";
import type { KeyScope, UsageRules } from "../platform/rules.ts";
import { creditsLimitIn, inProducts } from "../platform/usageParts.ts";
import type { Doc, ResponseMutation } from "../platform/wire.ts";

const regular = (doc: Doc): number => numberAt(doc, "/creditsUsed") - numberAt(doc, "/prepaidCreditsUsed");

const remaining = (from: (doc: Doc, honest: number) => number): ResponseMutation =>
  replaced("/creditsRemaining", (honest, doc) => from(doc, Number(honest)));
const used = (from: (doc: Doc, honest: number) => number): ResponseMutation =>
  replaced("/creditsUsed", (honest, doc) => from(doc, Number(honest)));

/** Products and total moved apart by so many credits. */
const residual = (credits: number): ResponseMutation =>
  replaced(
    "/credits/rpc",
    (honest, doc) => Number(honest) + credits - (inProducts(doc) - numberAt(doc, "/creditsUsed")),
  );

type Figure = keyof UsageRules["scopes"];
const credits: readonly Figure[] = ["products", "used", "prepaidUsed", "remaining"];
/** Figures that sum over other entries. */
const summed = (scope: KeyScope, figures: readonly Figure[] = [...credits, "requests", "bytes"]) => ({
  rules: { scopes: Object.fromEntries(figures.map((figure) => [figure, scope])) },
});

export const mutants = mutantsOf({
  "CRD-REM-01.minus-total": [
    remaining((doc) => Math.max(0, creditsLimitIn(doc) - numberAt(doc, "/creditsUsed"))),
    "CRD-USE-",
  ],
  "CRD-REM-01.plus-prepaid": [remaining((doc, honest) => honest + numberAt(doc, "/prepaidCreditsRemaining")), "CRD-"],
  "CRD-REM-01.minus-products": [remaining((doc) => Math.max(0, creditsLimitIn(doc) - inProducts(doc))), "CRD-"],
  "CRD-REM-02.absolute": [remaining((doc) => Math.abs(creditsLimitIn(doc) - regular(doc))), "CRD-", "MET-WAL-04"],
  "CRD-REM-03.bonus-added": [remaining((_, honest) => (honest > 0 ? honest + 300_000 : 0)), "CRD-"],
  "CRD-REM-03.prepaid-added": [
    remaining(
      (doc, honest) => honest + numberAt(doc, "/prepaidCreditsRemaining") + numberAt(doc, "/prepaidCreditsUsed"),
    ),
    "CRD-",
  ],
  "CRD-USE-01.regular-only": [used(regular), "CRD-"],
  "CRD-USE-01.prepaid-twice": [used((doc, honest) => honest + numberAt(doc, "/prepaidCreditsUsed")), "CRD-"],
  "CRD-USE-02.prepaid-lifetime": [{ rules: { scopes: { prepaidUsed: "lifetime" } } }, "CRD-"],
  "CRD-USE-02.used-last-cycle": [{ rules: { scopes: { used: "cycle and the one before" } } }, "CRD-"],
  "CRD-USE-02.remaining-stale": [
    { rules: { scopes: { remaining: "until the last full hour" } } },
    "CRD-",
    "MET-WAL-04",
  ],
  "CRD-PRE-01.not-decremented": [{ rules: { prepaidBalance: "stays" } }, "CRD-"],
  "CRD-PRE-01.double-decrement": [{ rules: { prepaidBalance: "falls twice" } }, "CRD-"],
  "CRD-SUM-01.product-not-totalled": [used((doc, honest) => honest - numberAt(doc, "/credits/compression")), "CRD-"],
  "CRD-SUM-01.total-regular-only": [used(regular), "CRD-"],
  "CRD-SUM-01.product-double": [
    replaced("/credits/other", (honest, doc) => Number(honest) + numberAt(doc, "/credits/walletApi")),
    "CRD-ROUND-02",
  ],
  "CRD-ROUND-01.round-each": [{ rules: { rounding: { each: "nearest" } } }, "CRD-"],
  "CRD-ROUND-01.ceil-each": [{ rules: { rounding: { each: "up" } } }, "CRD-"],
  "CRD-ROUND-01.round-daily": { rules: { rounding: { each: "daily" } } },
  "CRD-ROUND-02.truncate": { rules: { rounding: { last: "down" } } },
  "CRD-ROUND-02.ceil": [{ rules: { rounding: { last: "up" } } }, "CRD-"],
  "CRD-ROUND-03.read-rounds-state": { rules: { rounding: { reading: "writes back" } } },
  // Two reads show two limits, as calls between them use credits.
  "CRD-LIM-01.limit-is-remaining": [{ rules: { limitShown: "what remains" } }, "CRD-", "AUTH-ADM-EQ-01"],
  "CRD-LIM-01.limit-with-prepaid": [{ rules: { limitShown: "with prepaid" } }, "CRD-"],
  "CRD-LIM-01.limit-monthly-on-yearly": [{ rules: { limitShown: "a twelfth where invoiced yearly" } }, "CRD-"],
  "CRD-SCOPE-01.lifetime-products": [{ rules: { scopes: { products: "lifetime" } } }, "CRD-"],
  "CRD-SCOPE-01.reset-on-month": [summed("calendar month", credits), "CRD-"],
  "CRD-SCOPE-01.prepaid-used-carried": [{ rules: { scopes: { prepaidUsed: "lifetime" } } }, "CRD-"],
  "CRD-SCOPE-01.remaining-carried": [{ rules: { scopes: { remaining: "lifetime" } } }, "CRD-"],
  "CRD-SCOPE-02.requests-lifetime": { rules: { scopes: { requests: "lifetime" } } },
  "CRD-SCOPE-02.bytes-lifetime": { rules: { scopes: { bytes: "lifetime" } } },
  "CRD-SCOPE-02.requests-billing-window": { rules: { scopes: { requests: "billing window" } } },
  "CRD-SCOPE-03.scoped-to-billing": [summed("billing window"), "CRD-"],
  "CRD-MONO-01.daily-reset": [summed("day"), "CRD-"],
  "CRD-MONO-01.stale-replica": [{ rules: { replicas: "every other one entry behind" } }, "CRD-"],
  "CRD-MONO-01.decrement": [{ rules: { refusedCalls: "give back a credit" } }, "CRD-", "USG-NNEG-01"],
});

/** Only in the demo's main project: elsewhere the ledger is known exactly, so any shift is a breach. */
const onMain = whereCalled(({ project }) => project?.name === "main");

/** What the demo's main project has used at the start. */
const usedBefore = 259_004;

/** 500 credits more than the limit, all the surplus by plain RPC; what is used since comes on top. */
const overLimit = (totals: (since: number, doc: Doc) => Doc): ResponseMutation =>
  usageDoc((doc) => {
    const since = numberAt(doc, "/creditsUsed") - usedBefore;
    const surplus = creditsLimitIn(doc) + 500 - usedBefore;
    const credits = { ...(doc["credits"] as Doc), rpc: numberAt(doc, "/credits/rpc") + surplus };
    return { ...doc, creditsUsed: numberAt(doc, "/creditsUsed") + surplus, ...totals(since, doc), credits };
  });

/** Prepaid credits pay what goes beyond the limit. */
const fromPrepaid = (since: number, doc: Doc): Doc => ({
  prepaidCreditsUsed: 750 + since,
  prepaidCreditsRemaining: numberAt(doc, "/prepaidCreditsRemaining") - since,
  creditsRemaining: 250,
});

export const benignVariants = benignVariantsOf({
  "CRD-REM-01.ok-rounded-totals": onMain(remaining((_, honest) => honest + 1)),
  "CRD-REM-04.ok-over-limit": onMain(overLimit(fromPrepaid)),
  "CRD-REM-04.ok-overage": onMain(overLimit(() => ({ prepaidCreditsUsed: 0, creditsRemaining: 0 }))),
  "CRD-SUM-01.ok-residual-6": onMain(residual(6)),
  "CRD-SUM-01.ok-residual-5": onMain(residual(-5)),
  "CRD-SUM-02.ok-sum-differs": onMain(residual(3)),
  "CRD-ROUND-02.ok-tie-up": { rules: { rounding: { last: "nearest" } } },
  "CRD-ROUND-02.ok-tie-even": { rules: { rounding: { last: "half even" } } },
});
