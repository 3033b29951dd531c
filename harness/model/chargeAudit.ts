// The charge audit of a run: what was charged against what was sent, opened before all else and closed after it.
import type { Feature, RequirementId } from "../core/interface.ts";
import type { Exchange } from "../transport/exchange.ts";
import type { CheckContext, Shown } from "./check.ts";

/** One figure of one project. */
export interface Entry {
  /** As the target names it. */
  readonly project: string;
  /** JSON pointer to a figure, e.g. `/credits/reads`. */
  readonly at: string;
  /** By how much it grew, an exact decimal; null where that couldn't be read. */
  readonly charged: string | null;
  /** By how much what we sent should have made it grow: calls that were served at least, all that were sent at most. */
  readonly spent: { readonly least: string; readonly most: string };
  readonly result: "agrees" | "differs" | "open";
  /** Why it is open. */
  readonly reason: string | null;
}

/** A difference that no lag explains. */
export interface Difference {
  readonly id: RequirementId;
  readonly shown: Shown;
}

export interface Audit {
  readonly entries: readonly Entry[];
  /** Why there are none. */
  readonly reason: string | null;
}

/** The charge audit of one run, open since before its first call. */
export interface OpenAudit {
  /** @param exchanges all since then */
  close(
    exchanges: readonly Exchange[],
  ): Promise<{ readonly audit: Audit; readonly differences: readonly Difference[] }>;
}

/**
 * Reads the projects' figures; null where nothing is asked whose charges are known.
 * @param features what the run is going to ask of
 */
export type Auditor = (context: CheckContext, features: readonly Feature[]) => Promise<OpenAudit | null>;
