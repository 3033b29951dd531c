// A suite: the checks, laws and probes of one interface.
import type { Api, Feature, Interface, RequirementId } from "../core/interface.ts";
import type { RequestSpec } from "../core/requestSpec.ts";
import type { ControlOver } from "../transport/control.ts";
import type { Auditor } from "./chargeAudit.ts";
import { type Check, type CheckContext, citedBy } from "./check.ts";
import type { Law } from "./law.ts";
import type { Probe } from "./probe.ts";
import type { SampleFinder, Samples } from "./sampleFinder.ts";

/** What a healthy platform serves. */
export interface HealthCheck {
  readonly api: Api;
  readonly features: readonly Feature[];
  readonly owner: RequestSpec;
}

/** Shows whether a platform distinguishes callers: it must serve `owner` and refuse `unauthorized`. */
export interface AuthSanityCheck extends HealthCheck {
  readonly unauthorized: RequestSpec;
  /** The owner's request may be refused, too: callers are distinguished where the refusals differ. */
  readonly mayBeRefused?: boolean;
}

export interface Suite {
  readonly checks: readonly Check[];
  readonly laws: readonly Law[];
  readonly authSanityChecks: readonly AuthSanityCheck[];
  /** Beside those, of features that may serve everybody. */
  readonly healthChecks?: readonly HealthCheck[];
  readonly probes: readonly Probe[];
  readonly auditor?: Auditor;
  /** Remarks on the run as a whole, in sentences without a full stop, made at its end. */
  readonly remarks?: (context: CheckContext) => Promise<readonly string[]>;
  /** Samples that a run can make of its seed, and finders of others; both where the target gives none. */
  readonly make?: (seed: number) => Samples;
  /** As `make`, but a platform may not know them: a refusal that rests on one alone proves nothing. */
  readonly suppose?: (seed: number) => { readonly [pointer: string]: string };
  readonly finders?: readonly SampleFinder[];
  /** Makes projects where the target grants control. */
  readonly control?: ControlOver;
}

/** Requirements that no check of the suite cites, whatever is planned. */
export function uncheckedIdsOf({ checks }: Suite, { requirements }: Interface): readonly RequirementId[] {
  const checked = new Set(checks.flatMap(citedBy));
  return requirements.map(({ id }) => id).filter((id) => !checked.has(id));
}
