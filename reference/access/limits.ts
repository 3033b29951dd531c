// Which limits over time are there, and under which is a call? (§8)
import { type LimitRules, perSecond } from "./limiter.ts";

/** Under which limit calls of a JSON-RPC method are. */
export type Governed = "the plan's" | "that of sendBundle" | "both" | "five per second of its own" | "none";

export interface Limits {
  /** On the usage endpoint. */
  readonly admin: LimitRules;
  readonly bundles: LimitRules;
  /** By method; `others` are all that aren't named. */
  readonly methods: { readonly [M in "sendBundle" | "getBundleStatuses" | "simulateBundle" | "others"]: Governed };
  /** What of a plan's general limit holds. */
  readonly general: {
    readonly plans: "each its own" | "one for all";
    readonly burst: "allowed" | "ignored";
    readonly quota: "kept" | "ignored";
  };
}

export const honestLimits: Limits = {
  admin: perSecond(5),
  bundles: perSecond(5),
  methods: {
    sendBundle: "that of sendBundle",
    getBundleStatuses: "the plan's",
    simulateBundle: "the plan's",
    others: "the plan's",
  },
  general: { plans: "each its own", burst: "allowed", quota: "kept" },
};

export interface LimitChange {
  readonly admin?: Partial<LimitRules>;
  readonly bundles?: Partial<LimitRules>;
  readonly methods?: Partial<Limits["methods"]>;
  readonly general?: Partial<Limits["general"]>;
}

export const changedLimits = (limits: Limits, change: LimitChange = {}): Limits => ({
  admin: { ...limits.admin, ...change.admin },
  bundles: { ...limits.bundles, ...change.bundles },
  methods: { ...limits.methods, ...change.methods },
  general: { ...limits.general, ...change.general },
});

export const governing = ({ methods }: Limits, method: string): Governed =>
  method === "sendBundle" || method === "getBundleStatuses" || method === "simulateBundle"
    ? methods[method]
    : methods.others;
