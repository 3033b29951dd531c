// Planned checks and probes: each with what it lacks on the target.
import type { Check } from "../model/check.ts";
import type { Probe } from "../model/probe.ts";

export interface PlannedCheck {
  readonly check: Check;
  /** The reason for which it is withheld; null where it runs. */
  readonly lacks: string | null;
}

export interface PlannedProbe {
  readonly probe: Probe;
  /** Whether it trips a limit. */
  readonly disturbs: boolean;
  /** The reason for which it is withheld; null where it runs. */
  readonly lacks: string | null;
}
