// The honest rules of usage documents: spans, rounding, cycles (§2.1)
import type { UsageRules } from "../platform/rules.ts";

export const honestUsage: UsageRules = {
  creditCycle: "current",
  billingCycle: "as creditCycle",
  dateOffset_h: 0,
  dateHint: "ignored",
  scopes: {
    products: "cycle",
    used: "cycle",
    prepaidUsed: "cycle",
    remaining: "cycle",
    requests: "cycle",
    bytes: "cycle",
  },
  rounding: { each: "never", last: "nearest", totals: "rounded", reading: "leaves the ledger" },
  prepaidBalance: "falls",
  limitShown: "of the plan",
  replicas: "fresh",
};
