// The result of comparing runs: the value from which every view of a comparison is made.
import type { Json } from "../../harness/core/json.ts";
import type { JudgedRequirement, Run } from "../../harness/record/run.ts";
import type { Share } from "../scorecard/shares.ts";
import type { Kind } from "../words.ts";
import type {
  Both,
  ChargeChange,
  FreshnessChange,
  LatencyChange,
  LatencyRatio,
  LimitChange,
  LoadChange,
  Scorecard,
  SlownessBound,
  VendorFigures,
} from "./comparedFigures.ts";

/** Only ever extended from here on; see reports/README.md. */
export const comparisonFormat = 2;

/** One of the runs, the base first. */
export interface ComparedRun
  extends Pick<
    Run,
    "id" | "version" | "target" | "command" | "startedAt" | "endedAt" | "complete" | "exitCode" | "totals" | "spent"
  > {
  /** The target's name; with the run's place where several runs share it. */
  readonly name: string;
}

/** A requirement's state in one run; `absent`: that run didn't plan it. */
export interface State {
  readonly kind: Kind | "absent";
  /** Why it was withheld, is inconclusive, or deviates; or how far it holds. */
  readonly reason: string | null;
  /** Members that weren't tried, or in part only, where it is verified in part. */
  readonly untried?: readonly string[];
}

/** Where a breach occurred, in the words of the run. */
export interface ShownBreach {
  /** The exchange's title; null where the run doesn't have it. */
  readonly title: string | null;
  readonly at: string;
  readonly expected: string;
  /** `missing` where it is. */
  readonly got: string;
  readonly isMissing?: true;
}

type Named = Pick<JudgedRequirement, "id" | "sentence" | "clause" | "level">;

export interface RequirementChange extends Named, Both<State> {
  /** The first breach, where it is broken now. */
  readonly shown: ShownBreach | null;
  /** Of nights: broken again after it had held, on so many of so many. */
  readonly again?: { readonly broken: number; readonly of: number };
}

export interface MutedRequirement extends RequirementChange {
  readonly why: "flaky";
  /** On so many of so many nights, with the interval of that share. */
  readonly broken: number;
  readonly of: number;
  readonly rate: readonly [number, number];
}

export interface RequirementChanges {
  readonly broken: readonly RequirementChange[];
  readonly fixed: readonly RequirementChange[];
  /** Broken now as the list of known deviations says, whatever was before; left out by older versions. */
  readonly known?: readonly RequirementChange[];
  /** Judged before, and now withheld or inconclusive. */
  readonly unjudged: readonly RequirementChange[];
  /** Holds now, withheld or inconclusive before. */
  readonly verified: readonly RequirementChange[];
  /** Verified in both, now without members that were tried before. */
  readonly narrower: readonly RequirementChange[];
  /** Verified in both, now with members that weren't tried before. */
  readonly wider: readonly RequirementChange[];
  /** Broken now, which doesn't count, as it is on some nights and isn't on others; only where nights are compared. */
  readonly muted?: readonly MutedRequirement[];
  /** Broken in both, now also at other places. */
  readonly brokenElsewhere: readonly RequirementChange[];
  /** Ids whose sentence differs between the runs: not compared. */
  readonly reworded: readonly string[];
  /** Ids that one of the runs didn't plan, and that are broken in neither: not compared. */
  readonly unplanned: readonly string[];
}

/** One case of a probe whose answer changed; several values where it varies. */
export interface ChangedAnswer extends Both<readonly Json[]> {
  readonly case: string;
}

/** An unspecified behaviour that changed. Never a breach. */
export interface Drift {
  readonly id: string;
  readonly question: string;
  readonly clause: string;
  readonly cases: readonly ChangedAnswer[];
  /** The earliest run of this target that observed what is observed now, by its place, and when it began. */
  readonly firstSeen: { readonly run: number; readonly at: string };
}

/**
 * A member that appeared in, vanished from, or changed its type in answers to the same requests. `was` and `is`: types
 * seen there, in alphabetical order; none where there was nothing.
 */
export interface ShapeChange extends Both<readonly string[]> {
  readonly operation: string;
  readonly status: number;
  readonly outcome: "served" | "refused";
  /** Array items merged (`/items/*`), and so are members named by ids (`/<base58>`). */
  readonly at: string;
  readonly change: "appeared" | "vanished" | "other type";
  /** How many of the objects (answers, items) that could have it had it. */
  readonly seen: Both<Share>;
}

/** One later run, or another vendor's, against the base. */
export interface Pair {
  /** Places among the runs. */
  readonly base: number;
  readonly head: number;
  readonly exitCode: 0 | 1 | 3;
  readonly requirements: RequirementChanges;
  readonly observations: readonly Drift[];
  readonly shapes: readonly ShapeChange[];
  readonly latency: readonly LatencyChange[];
  readonly limits: readonly LimitChange[];
  readonly charges: readonly ChargeChange[];
  readonly freshness: readonly FreshnessChange[];
  /** Of loads, and where a bound was asked for; left out otherwise, and by older versions. */
  readonly latencyRatios?: readonly LatencyRatio[];
  /** Left out unless both are only loads. */
  readonly load?: LoadChange;
  /** Left out without `--slower`. */
  readonly bound?: SlownessBound;
  /** Left out unless they are of two vendors. */
  readonly scorecard?: Scorecard;
  /** What couldn't be compared, as sentences. */
  readonly notes: readonly string[];
}

export interface MatrixRow extends Named {
  /** Run by run. */
  readonly kinds: readonly State["kind"][];
}

export interface Comparison {
  readonly format: typeof comparisonFormat;
  /** Of the Assay that compared. */
  readonly version: string;
  readonly interface: { readonly name: string; readonly version: string };
  readonly runs: readonly ComparedRun[];
  readonly exitCode: 0 | 1 | 3;
  /** Every other run against the first. */
  readonly pairs: readonly Pair[];
  /** Worst first. */
  readonly matrix: readonly MatrixRow[];
  /** Run by run; left out unless they are of several vendors. */
  readonly vendors?: readonly VendorFigures[];
}
