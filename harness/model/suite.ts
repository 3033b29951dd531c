// A suite: everything that judges one interface, and the probes that only observe.
import type { Api, Feature } from "../core/interface.ts";
import type { Stimulus } from "../core/stimulus.ts";
import type { ControlOver } from "../transport/control.ts";
import type { Auditor } from "./chargeAudit.ts";
import type { Check } from "./check.ts";
import type { Law } from "./law.ts";
import type { Probe } from "./probe.ts";

/** Whether callers are told apart: what the owner is served and somebody unauthorized is not. */
export interface AuthSanityCheck {
  readonly api: Api;
  readonly features: readonly Feature[];
  readonly owner: Stimulus;
  readonly unauthorized: Stimulus;
}

export interface Suite {
  readonly checks: readonly Check[];
  readonly laws: readonly Law[];
  readonly authSanityChecks: readonly AuthSanityCheck[];
  /** They judge nothing: they observe what the interface leaves unspecified. */
  readonly probes: readonly Probe[];
  /** Compares what was charged with what was sent. */
  readonly auditor?: Auditor;
  /** How projects are made where a target gives control. */
  readonly control?: ControlOver;
}
