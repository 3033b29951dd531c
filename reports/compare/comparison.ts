// What did two or more runs find otherwise? The value from which every view of a comparison is made.
import type { Json } from "../../harness/core/json.ts";
import type { JudgedRequirement, Run } from "../../harness/record/run.ts";
import type { Kind } from "../words.ts";

export const comparisonFormat = 1;

/** One of the runs, the base first. */
export interface ComparedRun
  extends Pick<
    Run,
    "id" | "version" | "target" | "command" | "startedAt" | "endedAt" | "complete" | "exitCode" | "totals" | "spent"
  > {
  /** The target's name; where several have one, with the place among the runs. */
  readonly name: string;
}

/** What became of a requirement in one run; `absent`: that run didn't plan it. */
export interface State {
  readonly kind: Kind | "absent";
  /** Why it was withheld, is inconclusive, or deviates. */
  readonly reason: string | null;
}

/** Where a breach shows, in the words of the run. */
export interface Shown {
  /** Of the exchange; null where the run doesn't have it. */
  readonly title: string | null;
  readonly at: string;
  readonly expected: string;
  readonly got: string;
}

export interface Change extends Pick<JudgedRequirement, "id" | "sentence" | "clause" | "level"> {
  readonly was: State;
  readonly is: State;
  /** Of what is broken now, the first. */
  readonly shown: Shown | null;
}

export interface Changes {
  readonly broken: readonly Change[];
  readonly mended: readonly Change[];
  /** Judged before, and now withheld or inconclusive. */
  readonly unjudged: readonly Change[];
  /** Holds, and couldn't be told before. */
  readonly verified: readonly Change[];
  /** Broken in both, but now at other places too. */
  readonly brokenElsewhere: readonly Change[];
  /** Ids whose sentence was reworded between the versions that judged: not compared. */
  readonly reworded: readonly string[];
  /** Ids that one of the runs didn't plan, and that are broken in neither: not compared. */
  readonly unplanned: readonly string[];
}

/** One of a probe's questions that was answered otherwise; several values where it varies. */
export interface OtherAnswer {
  readonly case: string;
  readonly was: readonly Json[];
  readonly is: readonly Json[];
}

/** What the interface leaves open, and the platform does otherwise now. Never a breach. */
export interface Drift {
  readonly id: string;
  readonly question: string;
  readonly clause: string;
  readonly cases: readonly OtherAnswer[];
  /** The earliest of the runs at this target that saw what is seen now, by its place, and when it began. */
  readonly firstSeen: { readonly run: number; readonly at: string };
}

/** A member that answers to the same questions have, or lack, or have with another type. */
export interface ShapeChange {
  readonly operation: string;
  readonly status: number;
  readonly outcome: "served" | "refused";
  /** Array items merged (`/items/*`), members named by ids too (`/<base58>`). */
  readonly at: string;
  readonly change: "appeared" | "vanished" | "other type";
  /** Types that were seen there, in alphabetical order; none where there was nothing. */
  readonly was: readonly string[];
  readonly is: readonly string[];
  /** Of so many objects (answers, items) that could have it, so many had it. */
  readonly seen: { readonly was: Share; readonly is: Share };
}

export interface Share {
  readonly have: number;
  readonly of: number;
}

/** A measured figure in both runs; what is told of it is told for all such figures together. */
export interface Measured {
  readonly was: Figures;
  readonly is: Figures;
  /** By how much it is more now, with its interval and the corrected p; null where there are too few figures. */
  readonly shift: { readonly by: number; readonly from: number; readonly to: number; readonly p: number } | null;
  /** The shift can't be explained by chance and is worth telling. */
  readonly isReported: boolean;
}

export interface Figures {
  readonly count: number;
  readonly median: number;
  readonly p95: number;
}

/** In milliseconds, of served answers to the same questions. */
export interface LatencyChange extends Measured {
  readonly operation: string;
}

/** How the limits of one operation showed. */
export interface LimitChange {
  readonly operation: string;
  /** What answers say of it, e.g. `x-ratelimit-limit: 5`. */
  readonly stated: { readonly was: readonly string[]; readonly is: readonly string[] };
  readonly wasMet: LimitMet;
  readonly isMet: LimitMet;
  /** Whether other limits are stated to the same asker. */
  readonly isReported: boolean;
}

export interface LimitMet {
  /** Within any second. */
  readonly mostServed: number;
  readonly throttled: number;
}

/** Of one figure that the audits of both runs looked at. */
export interface ChargeChange {
  readonly project: string;
  readonly at: string;
  readonly was: Charge;
  readonly is: Charge;
  /** Charged as spent in one run and otherwise in the other. */
  readonly isReported: boolean;
}

export interface Charge {
  readonly charged: string | null;
  readonly spent: string;
  readonly result: "agrees" | "differs" | "open";
}

/** In slots behind the newest that any of the runs had seen by then. */
export interface FreshnessChange extends Measured {
  readonly figure: string;
  readonly operation: string;
}

/** One later run, or one other vendor, against the base. */
export interface Pair {
  /** Places among the runs. */
  readonly base: number;
  readonly head: number;
  readonly exitCode: 0 | 1 | 3;
  readonly requirements: Changes;
  readonly observations: readonly Drift[];
  readonly shapes: readonly ShapeChange[];
  readonly latency: readonly LatencyChange[];
  readonly limits: readonly LimitChange[];
  readonly charges: readonly ChargeChange[];
  readonly freshness: readonly FreshnessChange[];
  /** What couldn't be compared, as sentences. */
  readonly notes: readonly string[];
}

export interface MatrixRow extends Pick<JudgedRequirement, "id" | "sentence" | "clause" | "level"> {
  /** Run by run. */
  readonly kinds: readonly State["kind"][];
}

export interface Comparison {
  readonly format: typeof comparisonFormat;
  /** Of Assay, by which the comparison was made. */
  readonly version: string;
  readonly interface: { readonly name: string; readonly version: string };
  readonly runs: readonly ComparedRun[];
  readonly exitCode: 0 | 1 | 3;
  /** Every other run against the first. */
  readonly pairs: readonly Pair[];
  /** Worst first. */
  readonly matrix: readonly MatrixRow[];
}
