// What is everything that judges, and what only looks?

import type { AuthSanityCheck } from "../engine/authSanity.ts";
import type { Auditor } from "./chargeAudit.ts";
import type { Check } from "./check.ts";
import type { Law } from "./law.ts";
import type { Probe } from "./probe.ts";

/** Everything that judges: values made by contracts/ and property/. */
export interface Suite {
  readonly checks: readonly Check[];
  readonly laws: readonly Law[];
  readonly authSanityChecks: readonly AuthSanityCheck[];
  /** What judges nothing: looks at what the interface leaves open. */
  readonly probes: readonly Probe[];
  /** What compares what was charged with what was spent. */
  readonly auditor?: Auditor;
}
