// What is measured in two runs, and who of two vendors is better in it.

import type { Share } from "../scorecard/shares.ts";

/** What the base and another run found. */
export interface Both<Value> {
  readonly was: Value;
  readonly is: Value;
}

/** A figure measured in both runs; significance holds for all figures of a kind together. */
export interface ComparedMeasure extends Both<ComparedFigures> {
  /** By how much it grew, with its interval and the corrected p; null where there are too few values. */
  readonly shift: { readonly by: number; readonly from: number; readonly to: number; readonly p: number } | null;
  /** Whether the shift is significant, and large enough to matter. */
  readonly isReported: boolean;
}

export interface ComparedFigures {
  readonly count: number;
  readonly median: number;
  readonly p95: number;
}

/** In milliseconds, of served answers to the same requests. */
export interface LatencyChange extends ComparedMeasure {
  readonly operation: string;
  /** Of nights: since when a percentile is on another level, and which. */
  readonly since?: Both<number> & { readonly at: string; readonly percentile: "p50" | "p95" };
}

/**
 * A quantile of latency in ms, and how many times what it was it is, with its interval of 95 %; an end is null where
 * there are too few answers for it.
 */
export interface ComparedQuantile extends Both<number> {
  readonly ratio: number;
  readonly from: number | null;
  readonly to: number | null;
}

/** Latencies of one operation's served answers. */
export interface LatencyRatio {
  /** Null for all operations together, which both called in the same proportions. */
  readonly operation: string | null;
  readonly answers: Both<number>;
  readonly p50: ComparedQuantile;
  readonly p95: ComparedQuantile;
  /** Whether it is surely slower or faster, and by enough to matter. */
  readonly isReported: boolean;
  /** What its p95 is to `--slower`; left out without that. `unjudged`: too few answers for an interval. */
  readonly bound?: "exceeded" | "kept" | "unsure" | "unjudged";
}

/** What `--slower` asked for, and what came of it. */
export interface SlownessBound {
  /** How many times the baseline's p95 is too slow. */
  readonly times: number;
  /** `unjudged`: no p95 could be judged. */
  readonly verdict: "exceeded" | "kept" | "unjudged";
  /** Why nothing could be judged, as a sentence without a full stop; else null. */
  readonly reason: string | null;
}

/** A load as it was asked for and as it was; of several nights together, described as the last of them. */
export interface ComparedLoad {
  readonly shape: string;
  readonly phases: readonly { readonly perSecond: number; readonly seconds: number }[];
  /** How many generators sent it. */
  readonly parts: number;
  readonly requests: number;
  readonly asked_perSecond: number;
  readonly reached_perSecond: number;
}

/** A share of all requests; the difference with its interval of 95 %, from -1 to 1. */
export interface ShareChange extends Both<Share> {
  readonly by: number;
  readonly from: number;
  readonly to: number;
  /** Whether the interval leaves out 0. */
  readonly isReported: boolean;
}

export const loadAspects = ["shape", "rate", "duration", "mix", "parts"] as const;

export interface LoadChange extends Both<ComparedLoad> {
  /** In what they aren't the same load. */
  readonly differs: readonly (typeof loadAspects)[number][];
  readonly limited: ShareChange;
  /** Timeouts included. */
  readonly failed: ShareChange;
}

/** The rate limits of one operation, as stated and as met. */
export interface LimitChange {
  readonly operation: string;
  /** What answers state, e.g. `x-ratelimit-limit: 5`. */
  readonly stated: Both<readonly string[]>;
  readonly wasMet: LimitMet;
  readonly isMet: LimitMet;
  /** Whether the limits stated to the same role changed. */
  readonly isReported: boolean;
  /** Which of them allow more, where they changed and each names its period. */
  readonly higher?: "was" | "is";
}

export interface LimitMet {
  /** Within any second. */
  readonly mostServed: number;
  readonly throttled: number;
}

/** One counter in the charge audits of both runs. */
export interface ChargeChange extends Both<Charge> {
  readonly project: string;
  readonly at: string;
  /** Charged as expected in one run only. */
  readonly isReported: boolean;
}

export interface Charge {
  readonly charged: string | null;
  readonly spent: string;
  readonly result: "agrees" | "differs" | "open";
  /** Of one that differs. */
  readonly thanExpected?: "more" | "less";
}

/** In slots behind the newest that any of the runs had seen by then. */
export interface FreshnessChange extends ComparedMeasure {
  readonly figure: string;
  readonly operation: string;
}

/** The better side; `neither`: they differ, but none is better throughout; `unmeasured`: nothing tells. */
export type Better = keyof Both<unknown> | "neither" | "same" | "unmeasured";

export interface Scored<Side> extends Both<Side> {
  readonly better: Better;
}

type Counts<Name extends string> = { readonly [name in Name]: number };

/** Two vendors, aspect by aspect: never added up. */
export interface Scorecard {
  /**
   * Of requirements judged at both: broken (known issues included), warned, broken here alone; and how many are broken
   * here that weren't judged there.
   */
  readonly conformance: Scored<Counts<"broken" | "warned" | "alone" | "unjudgedThere">> & Counts<"judged">;
  /** In how many of the operations measured it is faster; the ratio is of all answers to the same requests. */
  readonly latency: Scored<number> & Counts<"of"> & { readonly ratio: LatencyRatio | null };
  /** For how many of the operations that state limits at both it states higher ones, and how many differ. */
  readonly limits: Scored<number> & Counts<"of" | "differ">;
  /** How many of the counters that were audited at both charge more than expected, or less. */
  readonly credits: Scored<Counts<"more" | "less">> & Counts<"of">;
  /** Of loads, in place of `limits`: what was rate-limited, and what failed. */
  readonly load?: { readonly [share in "limited" | "failed"]: Better };
}

/** In ms, with its interval of 95 %; an end is null where there are too few answers for it. */
export interface QuantileBetween {
  readonly ms: number;
  readonly from_ms: number | null;
  readonly to_ms: number | null;
}

/** A limit of one vendor, in requests per second; ends are null where the period isn't known. */
export interface OwnLimit {
  /** Of what: an operation with a limit of its own, else an API; null where answers state it for all they are to. */
  readonly of: string | null;
  readonly is: "measured" | "stated";
  /** `5 in 1 s`. */
  readonly text: string;
  /** Where it varied, the least and the most. */
  readonly least: number | null;
  readonly most: number | null;
}

/** What one of several vendors' runs found of what all of them were asked. */
export interface VendorFigures {
  /** Of requirements judged at every vendor, known issues counted as broken; `elsewhere`: broken, not judged at all. */
  readonly conformance: Counts<"judged" | "broken" | "warned" | "elsewhere"> | null;
  /** Of served answers to requests that all of them served, or of loads; null without, or where the loads differ. */
  readonly latency: {
    readonly answers: number;
    readonly p50: QuantileBetween;
    /** Null where there are too few answers for an interval. */
    readonly p95: QuantileBetween | null;
  } | null;
  /** Of loads. */
  readonly refusals: { readonly limited: Share; readonly failed: Share } | null;
  /** Measured ones; where none is, those that answers state. */
  readonly limits: readonly OwnLimit[];
  /** Of counters audited at every vendor, how many charge more than expected, or less. */
  readonly charges: Counts<"audited" | "more" | "less"> | null;
}
