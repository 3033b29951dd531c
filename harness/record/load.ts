// The record of a load: outcomes, latencies and bounds, in runs that loaded the platform.
import type { OperationId, RequirementId } from "../core/interface.ts";
import type { Reason } from "../core/reason.ts";

/**
 * The outcome of a request under load. `limited`: refused for our rate · `refused`: any other answer · `timeout`: no
 * answer in time · `failed`: any other fault, a gateway page or a server error, which laws don't judge.
 */
export const loadOutcomes = ["served", "limited", "refused", "failed", "timeout"] as const;
export type LoadOutcome = (typeof loadOutcomes)[number];

/** Latencies of one operation and outcome. Histograms of several generators and runs can be merged. */
export interface Latencies {
  readonly operation: OperationId;
  readonly outcome: LoadOutcome;
  readonly count: number;
  readonly p50_ms: number;
  readonly p95_ms: number;
  readonly p99_ms: number;
  readonly max_ms: number;
  /** HdrHistogram V2 of µs, compressed, in base64. */
  readonly histogram: string;
}

export interface LoadPhase {
  readonly name: string;
  readonly seconds: number;
  /** The rate intended, in requests per second. */
  readonly perSecond: number;
  readonly requests: number;
  readonly served: number;
  readonly limited: number;
  /** Timeouts included. */
  readonly failed: number;
  /** Of those that were served; null where none was. */
  readonly p95_ms: number | null;
}

/** What was sent and answered in one stretch of a load. Latencies are of those served; null where none was. */
export interface LoadStretch extends Pick<LoadPhase, "seconds" | "requests" | "served" | "limited" | "failed"> {
  /** Since the load began. */
  readonly from_s: number;
  /** How many requests were to be sent. */
  readonly due: number;
  readonly p50_ms: number | null;
  readonly p95_ms: number | null;
  readonly p99_ms: number | null;
}

/** What was sent to what shares a limit, and answered: counts for each stretch of `overTime`. */
export interface LimitTraffic {
  /** An operation that has a stated limit of its own, else an API. */
  readonly name: string;
  readonly requests: readonly number[];
  readonly limited: readonly number[];
  /** Timeouts included. */
  readonly failed: readonly number[];
}

/** The bound that a target sets on the latency of an operation; nulls where no answer was measured. */
export interface LatencyBound extends Pick<Latencies, "operation"> {
  readonly bound_ms: number;
  readonly p95_ms: number | null;
  readonly isKept: boolean | null;
}

/** The highest rate that kept every bound, and why the next didn't. */
export interface Knee {
  /** Requests per second; null where the first step broke a bound. */
  readonly perSecond: number | null;
  /** Null where no step broke a bound. */
  readonly brokenBy: string | null;
}

/** The part of a load that one of several generators sent. */
export interface LoadPartReport {
  /** From 1. */
  readonly nth: number;
  readonly of: number;
  /** Requests that it was to send. */
  readonly planned: number;
  readonly begun: number;
  readonly dropped: number;
  /** By the clock of its machine; null where it didn't begin. */
  readonly beganAt: string | null;
  /** How far it is behind most others, at least and at most, by the dates of answers; null where they don't say. */
  readonly behind_ms: readonly [least: number, most: number] | null;
  /** Why its generator failed; null where it didn't. */
  readonly failure: string | null;
  /** k6's own report, a file in the run's folder; left out where there is none. */
  readonly dashboard?: string;
}

export interface LoadReport {
  readonly shape: string;
  /** E.g. `k6 2.2.0`. */
  readonly generator: string;
  readonly seed: number;
  /** Number of the last exchange before the load; left out where the run is only a load. */
  readonly after?: number;
  readonly phases: readonly LoadPhase[];
  /** Requests that the generator couldn't send in time. */
  readonly dropped: number;
  readonly judged: number;
  /** How many of them broke each requirement. */
  readonly broken: readonly { readonly id: RequirementId; readonly times: number }[];
  readonly latencies: readonly Latencies[];
  /** Of all that was served; left out by older versions, and where there are no latencies. */
  readonly latency?: Pick<Latencies, "p50_ms" | "p95_ms" | "p99_ms">;
  /** Of all requests, in order of time; left out by older versions, and where nothing was sent. */
  readonly overTime?: readonly LoadStretch[];
  /** The same by limit; left out by older versions, and where nothing was sent. */
  readonly byLimit?: readonly LimitTraffic[];
  readonly bounds: readonly LatencyBound[];
  readonly knee: Knee | null;
  /**
   * How far the generator fell behind, or its parts were apart, so that latencies, their bounds and the knee are
   * withheld; left out where it kept up.
   */
  readonly lag?: string;
  /** What `lag` says, as data; left out where that is, and by older versions. */
  readonly lagReason?: Reason;
  /** Why the load ended early, as a sentence without a full stop; left out where it didn't. */
  readonly stopped?: string;
  /** Why the results are unreliable; null where the load ran as intended. */
  readonly doubt: string | null;
  /** What `doubt` says, as data; left out where it is null, and by older versions. */
  readonly reason?: Reason;
  /** Why no load was sent; null where one was. */
  readonly withheld: string | null;
  /** Operations that were left out, and why. */
  readonly left: readonly { readonly operation: OperationId; readonly reason: string }[];
  /** Left out where one generator sent all. */
  readonly parts?: readonly LoadPartReport[];
  /** k6's own report, a file in the run's folder; left out where there is none. */
  readonly dashboard?: string;
}
