// The honest limits over time, and which of them governs a call (§8)
import type { Governed, Limits } from "../platform/limitRules.ts";
import { perSecond } from "./limiter.ts";

export const honestLimits: Limits = {
  admin: perSecond(5),
  bundles: perSecond(5),
  methods: {
    sendBundle: "that of sendBundle",
    getBundleStatuses: "the plan's",
    simulateBundle: "the plan's",
    others: "the plan's",
  },
  general: { plans: "each its own", burst: "allowed", quota: "enforced" },
};

export const governing = ({ methods }: Limits, method: string): Governed =>
  method === "sendBundle" || method === "getBundleStatuses" || method === "simulateBundle"
    ? methods[method]
    : methods.others;
