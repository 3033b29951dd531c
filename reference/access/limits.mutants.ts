// Mutants of limits over time (§7.1, §8)
import type { ChangeOf } from "../platform/change.ts";
import type { LimitRules, PlatformLimits } from "../platform/limitRules.ts";
import { mutantsOf, refusedWith } from "../platform/mutant.ts";

const admin = (change: ChangeOf<LimitRules>) => ({ rules: { limits: { admin: change } } });
const bundles = (change: ChangeOf<LimitRules>) => ({ rules: { limits: { bundles: change } } });
const methods = (change: ChangeOf<PlatformLimits["methods"]>) => ({ rules: { limits: { methods: change } } });
const general = (change: ChangeOf<PlatformLimits["general"]>) => ({ rules: { limits: { general: change } } });

const ofSendBundle = "that of sendBundle";
const five = "five per second of its own";

export const mutants = mutantsOf({
  "RATE-ADM-01.limit-4": admin({ most: 4 }),
  "RATE-ADM-01.no-burst": admin({ bucket: { burst: 1, perSecond: 5 } }),
  "RATE-ADM-01.warm-up": admin({ first: 3 }),
  "RATE-ADM-02.limit-6": admin({ most: 6 }),
  "RATE-ADM-02.no-limit": admin({ most: null }),
  "RATE-ADM-02.racy": admin({ seenAfter_ms: 150 }),
  "RATE-ADM-02.per-connection": admin({ per: "connection" }),
  "RATE-ADM-03.403": refusedWith("throttled", 403, "Admin API not enabled for this project"),
  "RATE-ADM-03.503": refusedWith("throttled", 503, "Service Unavailable"),
  "RATE-ADM-03.reset": admin({ excess: "the connection is reset" }),
  "RATE-ADM-03.delay": admin({ excess: "queued" }),
  "RATE-ADM-04.ban-60": admin({ ban_ms: 60_000 }),
  "RATE-ADM-04.latched": admin({ ban_ms: Number.POSITIVE_INFINITY }),
  "RATE-ADM-05.per-minute-100": admin({ besides: { most: 100, window_ms: 60_000 } }),
  "RATE-ADM-05.limit-2-sustained": admin({ bucket: { burst: 5, perSecond: 2 } }),
  "RATE-ADM-05.per-2s": admin({ window_ms: 2_000 }),
  "RATE-SB-01.limit-4": bundles({ most: 4 }),
  "RATE-SB-01.global-3": bundles({ most: 3, per: "platform" }),
  "RATE-SB-02.limit-6": bundles({ most: 6 }),
  "RATE-SB-02.no-limit": bundles({ most: null }),
  "RATE-SB-03.per-key": bundles({ per: "key" }),
  "RATE-SB-03.per-ip": [bundles({ per: "address" }), "RATE-SB-04"],
  "RATE-SB-04.global": [bundles({ per: "platform" }), "RATE-SB-03"],
  "RATE-SB-04.per-ip": [bundles({ per: "address" }), "RATE-SB-03"],
  "RATE-SB-05.shared-bundle-bucket": [methods({ getBundleStatuses: "both" }), "RATE-GEN-01"],
  "RATE-SB-05.all-rpc-5": [
    methods({ getBundleStatuses: ofSendBundle, simulateBundle: ofSendBundle, others: ofSendBundle }),
    "RATE-GEN-",
  ],
  "RATE-GEN-01.status-5": methods({ getBundleStatuses: five }),
  "RATE-GEN-01.status-unlimited": methods({ getBundleStatuses: "none" }),
  "RATE-GEN-01.simulate-5": methods({ simulateBundle: five }),
  "RATE-GEN-02.one-size": [general({ plans: "one for all" }), "RATE-GEN-01"],
  "RATE-GEN-02.burst-off": general({ burst: "ignored" }),
  "RATE-GEN-02.quota-off": general({ quota: "ignored" }),
});
