// The charge audit of a run: what the platform charged, compared with what the run sent.
import type { Feature, RequirementId } from "../core/interface.ts";
import type { CheckContext, Shown } from "./check.ts";

export interface AuditEntry {
  /** As the target names it. */
  readonly project: string;
  /** JSON pointer to a figure, e.g. `/credits/reads`. */
  readonly at: string;
  /** Its growth as an exact decimal; null where it couldn't be read. */
  readonly charged: string | null;
  /** Its expected growth as exact decimals: `least` by calls that were served, `most` by all that were sent. */
  readonly spent: { readonly least: string; readonly most: string };
  readonly result: "agrees" | "differs" | "open";
  /** Why it is open, else null. */
  readonly reason: string | null;
}

/** A difference that no delay of charges explains. */
export interface AuditDifference {
  readonly id: RequirementId;
  readonly shown: Shown;
}

export interface Audit {
  readonly entries: readonly AuditEntry[];
  /** Why there are none, else null. */
  readonly reason: string | null;
  /** The longest that a charge took to show; left out where none did. */
  readonly shownAfter_s?: number;
}

/** An audit that was opened before the first call of a run. */
export interface OpenAudit {
  close(): Promise<{
    readonly audit: Audit;
    readonly differences: readonly AuditDifference[];
    /** Projects whose figures moved without calls of the run. */
    readonly usedByOthers: readonly string[];
  }>;
}

/**
 * Opens the audit; null where the run calls nothing of known charge.
 * @param features those that the run will call
 */
export type Auditor = (context: CheckContext, features: readonly Feature[]) => Promise<OpenAudit | null>;
