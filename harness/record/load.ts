// What did a platform show under load? The part of a run's record that only load runs have.
import type { OperationId, RequirementId } from "../core/interface.ts";

/**
 * What became of a request under load: served; refused for our rate; refused or answered otherwise; failed by a fault, a
 * gateway or a server error, of which laws don't judge.
 */
export const loadOutcomes = ["served", "limited", "refused", "failed"] as const;
export type LoadOutcome = (typeof loadOutcomes)[number];

/** Latencies of one operation and outcome. A histogram can be added to those of other generators and other nights. */
export interface Latencies {
  readonly operation: OperationId;
  readonly outcome: LoadOutcome;
  readonly count: number;
  readonly p50_ms: number;
  readonly p95_ms: number;
  readonly p99_ms: number;
  readonly max_ms: number;
  /** HdrHistogram V2, compressed, in base64; in µs. */
  readonly histogram: string;
}

/** One steady rate, and what came of it. */
export interface LoadPhase {
  readonly name: string;
  readonly seconds: number;
  /** Requests per second that were asked for. */
  readonly perSecond: number;
  readonly requests: number;
  readonly served: number;
  readonly limited: number;
  readonly failed: number;
  /** Of those that were served; null where none was. */
  readonly p95_ms: number | null;
}

/** The target's own bound on the latency of an operation. */
export interface LatencyBound {
  readonly operation: OperationId;
  readonly bound_ms: number;
  /** Of those that were served. */
  readonly p95_ms: number;
  readonly isKept: boolean;
}

/** The highest step that kept every bound, and why the next didn't. */
export interface Knee {
  /** Null where not even the first step kept them. */
  readonly perSecond: number | null;
  /** Null where every step kept them. */
  readonly brokenBy: string | null;
}

export interface LoadReport {
  readonly shape: string;
  /** `k6 2.2.0` */
  readonly generator: string;
  readonly seed: number;
  /** The last exchange that isn't of the load; its own have higher numbers. Left out where the run is nothing but a load. */
  readonly after?: number;
  readonly phases: readonly LoadPhase[];
  /** Iterations that the generator couldn't begin at their time. */
  readonly dropped: number;
  /** Answers that all laws judged while the load was on. */
  readonly judged: number;
  /** How many of them broke each requirement. */
  readonly broken: readonly { readonly id: RequirementId; readonly times: number }[];
  readonly latencies: readonly Latencies[];
  readonly bounds: readonly LatencyBound[];
  readonly knee: Knee | null;
  /** Why the run says less than it should; null where it went as it was told. */
  readonly doubt: string | null;
  /** Why nothing was asked, by no fault of anybody; null where something was. */
  readonly withheld: string | null;
  /** What wasn't asked, and why. */
  readonly left: readonly { readonly operation: OperationId; readonly reason: string }[];
  /** k6's own report, a file in the run's folder; left out where there is none. */
  readonly dashboard?: string;
}
