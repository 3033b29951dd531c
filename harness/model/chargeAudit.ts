// What was charged for a run, and what do we know to have spent? Opened before all else, closed after all else.
import type { Feature } from "../../specs/generated/operations.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import type { Exchange } from "../transport/exchange.ts";
import type { CheckContext, Shown } from "./check.ts";

/** One figure of one project. */
export interface Entry {
  /** As the target names it. */
  readonly project: string;
  /** JSON pointer into the usage document, e.g. `/credits/walletApi`. */
  readonly at: string;
  /** By how much it grew, an exact decimal; null where that couldn't be read. */
  readonly charged: string | null;
  /** By how much what we sent should have made it grow: calls that were served, and all that were sent, as whether refused ones count is open (OBS-MET-FAIL). */
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

/** The books of one run, open since before its first call. */
export interface Books {
  /** @param exchanges all that were had since */
  close(
    exchanges: readonly Exchange[],
  ): Promise<{ readonly audit: Audit; readonly differences: readonly Difference[] }>;
}

/**
 * Reads what the projects' figures are; null where nothing is asked whose charges are known.
 * @param parts what the run is going to ask of
 */
export type Auditor = (context: CheckContext, features: readonly Feature[]) => Promise<Books | null>;
