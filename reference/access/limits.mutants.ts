// Mutants of limits over time (§7.1, §8)
import type { LimitRules, Limits } from "../platform/limitRules.ts";
import { mutant } from "../platform/mutant.ts";
import type { Refusal, RuleChange } from "../platform/rules.ts";

const admin = (change: Partial<LimitRules>): { readonly rules: RuleChange } => ({
  rules: { limits: { admin: change } },
});
const bundles = (change: Partial<LimitRules>): { readonly rules: RuleChange } => ({
  rules: { limits: { bundles: change } },
});
const methods = (change: Partial<Limits["methods"]>): { readonly rules: RuleChange } => ({
  rules: { limits: { methods: change } },
});
const general = (change: Partial<Limits["general"]>): { readonly rules: RuleChange } => ({
  rules: { limits: { general: change } },
});
const throttled = (refusal: Refusal): { readonly rules: RuleChange } => ({
  rules: { refusals: { throttled: refusal } },
});

const five = "five per second of its own";

export const mutants = [
  mutant("RATE-ADM-01.limit-4", admin({ most: 4 })),
  mutant("RATE-ADM-01.no-burst", admin({ bucket: { burst: 1, perSecond: 5 } })),
  mutant("RATE-ADM-01.warm-up", admin({ first: 3 })),
  mutant("RATE-ADM-02.limit-6", admin({ most: 6 })),
  mutant("RATE-ADM-02.no-limit", admin({ most: null })),
  mutant("RATE-ADM-02.racy", admin({ seenAfter_ms: 150 })),
  mutant("RATE-ADM-02.per-connection", admin({ per: "connection" })),
  mutant(
    "RATE-ADM-03.403",
    throttled({ status: 403, message: "Admin API not enabled for this project", error: "Forbidden" }),
  ),
  mutant("RATE-ADM-03.503", throttled({ status: 503, message: "Service Unavailable", error: "Service Unavailable" })),
  mutant("RATE-ADM-03.reset", admin({ excess: "the connection is reset" })),
  mutant("RATE-ADM-03.delay", admin({ excess: "queued" })),
  mutant("RATE-ADM-04.ban-60", admin({ ban_ms: 60_000 })),
  mutant("RATE-ADM-04.latched", admin({ ban_ms: Number.POSITIVE_INFINITY })),
  mutant("RATE-ADM-05.per-minute-100", admin({ besides: { most: 100, window_ms: 60_000 } })),
  mutant("RATE-ADM-05.limit-2-sustained", admin({ bucket: { burst: 5, perSecond: 2 } })),
  mutant("RATE-ADM-05.per-2s", admin({ window_ms: 2_000 })),
  mutant("RATE-SB-01.limit-4", bundles({ most: 4 })),
  mutant("RATE-SB-01.global-3", bundles({ most: 3, per: "platform" })),
  mutant("RATE-SB-02.limit-6", bundles({ most: 6 })),
  mutant("RATE-SB-02.no-limit", bundles({ most: null })),
  mutant("RATE-SB-03.per-key", bundles({ per: "key" })),
  mutant("RATE-SB-03.per-ip", bundles({ per: "address" }), "RATE-SB-04"),
  mutant("RATE-SB-04.global", bundles({ per: "platform" }), "RATE-SB-03"),
  mutant("RATE-SB-04.per-ip", bundles({ per: "address" }), "RATE-SB-03"),
  mutant("RATE-SB-05.shared-bundle-bucket", methods({ getBundleStatuses: "both" }), "RATE-GEN-01"),
  mutant(
    "RATE-SB-05.all-rpc-5",
    methods({
      getBundleStatuses: "that of sendBundle",
      simulateBundle: "that of sendBundle",
      others: "that of sendBundle",
    }),
    "RATE-GEN-",
  ),
  mutant("RATE-GEN-01.status-5", methods({ getBundleStatuses: five })),
  mutant("RATE-GEN-01.status-unlimited", methods({ getBundleStatuses: "none" })),
  mutant("RATE-GEN-01.simulate-5", methods({ simulateBundle: five })),
  mutant("RATE-GEN-02.one-size", general({ plans: "one for all" }), "RATE-GEN-01"),
  mutant("RATE-GEN-02.burst-off", general({ burst: "ignored" })),
  mutant("RATE-GEN-02.quota-off", general({ quota: "ignored" })),
];
