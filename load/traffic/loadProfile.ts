// How a target may be loaded, as its file says it.
import type { Target } from "../../harness/targets/target.ts";

/** A load ends early where more fails, or p95 of what is served is higher, within its last seconds. */
export interface StopBounds {
  readonly failedShare: number;
  readonly p95_ms: number;
  readonly within_s: number;
}

export interface LoadProfile {
  /** Requests per second of the whole mix, at most; by default the pace. */
  readonly perSecond?: number;
  /** Duration of each load shape, by name. */
  readonly seconds: { readonly [shape: string]: number };
  /** How often an operation is called relative to others of its API; 1 by default. */
  readonly weights: { readonly [operation: string]: number };
  /** Upper bounds of the 95th percentile, by operation. */
  readonly latencyP95_ms: { readonly [operation: string]: number };
  readonly stop: Partial<StopBounds>;
  /** Costly operations that may be called other than on loopback. */
  readonly operations: readonly string[];
}

declare module "../../harness/targets/target.ts" {
  interface TargetExtras {
    readonly load?: Partial<LoadProfile>;
  }
}

export const loadProfileOf = ({ load }: Pick<Target, "load">): LoadProfile => ({
  seconds: {},
  weights: {},
  latencyP95_ms: {},
  stop: {},
  operations: [],
  ...load,
});
