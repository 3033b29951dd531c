// The rules of limits over time, and which of them governs a call (§8)
import { rule } from "./change.ts";

/** How requests are counted; the interface names none (OBS-RATE-ALGO). The reference's own comes first. */
export const algorithms = [
  "sliding log",
  "sliding log of all that comes",
  "windows at set times",
  "windows from the first request",
  "weighted windows",
  "bucket",
  "blocks for one window",
] as const;
export type Algorithm = (typeof algorithms)[number];

interface Bucket {
  readonly burst: number;
  readonly perSecond: number;
}

interface Window {
  readonly most: number;
  readonly window_ms: number;
}

export const perSecond = (most: number) => ({
  /** Requests per window; null: unlimited. */
  most: rule<number | null>(most),
  window_ms: rule<number>(1_000),
  /** Whose requests are counted together. */
  per: rule("project", "key", "address", "connection", "platform"),
  /** Set: a token bucket of this size, refilled so many per second. */
  bucket: rule<Bucket | null>(null),
  /** A further limit. */
  besides: rule<Window | null>(null),
  /** A served request counts only after this time. */
  seenAfter_ms: rule<number>(0),
  /** Requests in the first second of a connection. */
  first: rule<number | null>(null),
  /** After an excess nothing is served for this time. */
  ban_ms: rule<number>(0),
  excess: rule("refused", "queued", "the connection is reset"),
});
export type LimitRules = Readonly<ReturnType<typeof perSecond>>;

/** The limit that governs calls of a JSON-RPC method. */
type Governed = "the plan's" | "that of sendBundle" | "both" | "five per second of its own" | "none";

export const honestLimits = {
  /** On the usage endpoint. */
  admin: rule<LimitRules>(perSecond(5)),
  bundles: rule<LimitRules>(perSecond(5)),
  /** By method; `others` are all that aren't named. */
  methods: {
    sendBundle: rule<Governed>("that of sendBundle"),
    getBundleStatuses: rule<Governed>("the plan's"),
    simulateBundle: rule<Governed>("the plan's"),
    others: rule<Governed>("the plan's"),
  },
  /** Which properties of a plan's general limit are enforced. */
  general: {
    plans: rule("each its own", "one for all"),
    burst: rule("allowed", "ignored"),
    quota: rule("enforced", "ignored"),
  },
} as const;
export type PlatformLimits = typeof honestLimits;

export const governing = ({ methods }: PlatformLimits, method: string): Governed =>
  method === "sendBundle" || method === "getBundleStatuses" || method === "simulateBundle"
    ? methods[method]
    : methods.others;
