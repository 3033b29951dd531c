// Types of the rules of limits over time (§8)

/** How requests are counted; the interface names none (OBS-RATE-ALGO). */
export type Algorithm =
  | "sliding log"
  | "sliding log of all that comes"
  | "windows at set times"
  | "windows from the first request"
  | "weighted windows"
  | "bucket"
  | "blocks for one window";

export interface LimitRules {
  /** Requests per window; null: unlimited. */
  readonly most: number | null;
  readonly window_ms: number;
  /** Whose requests are counted together. */
  readonly per: "project" | "key" | "address" | "connection" | "platform";
  /** Set: a token bucket of this size, refilled so many per second. */
  readonly bucket: { readonly burst: number; readonly perSecond: number } | null;
  /** A further limit. */
  readonly besides: { readonly most: number; readonly window_ms: number } | null;
  /** A served request counts only after this time. */
  readonly seenAfter_ms: number;
  /** Requests in the first second of a connection. */
  readonly first: number | null;
  /** After an excess nothing is served for this time. */
  readonly ban_ms: number;
  readonly excess: "refused" | "queued" | "the connection is reset";
}

/** The limit that governs calls of a JSON-RPC method. */
export type Governed = "the plan's" | "that of sendBundle" | "both" | "five per second of its own" | "none";

export interface Limits {
  /** On the usage endpoint. */
  readonly admin: LimitRules;
  readonly bundles: LimitRules;
  /** By method; `others` are all that aren't named. */
  readonly methods: { readonly [M in "sendBundle" | "getBundleStatuses" | "simulateBundle" | "others"]: Governed };
  /** Which properties of a plan's general limit are enforced. */
  readonly general: {
    readonly plans: "each its own" | "one for all";
    readonly burst: "allowed" | "ignored";
    readonly quota: "enforced" | "ignored";
  };
}
