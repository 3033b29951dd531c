// The whole suite: contracts, rate limits, properties, and checks of the user's own.

import type { RequirementId } from "../harness/core/interface.ts";
import { citedBy } from "../harness/model/check.ts";
import { uncheckedIdsOf } from "../harness/model/suite.ts";
import { loadSuite as load } from "../load/suite.ts";
import type { LoadSuite } from "../load/traffic/mix.ts";
import { properties } from "../property/generated/properties.ts";
import type { InvokedProject } from "./invocation.ts";

/** Of the interface alone. */
export const wholeSuite: LoadSuite = { ...load, checks: [...load.checks, ...properties] };

/** What judges in a project, and which requirements its checks cover. */
export interface Judges {
  readonly suite: LoadSuite;
  /** The requirements that a check of this version covers. */
  readonly checkedIds: ReadonlySet<RequirementId>;
  readonly uncheckedIds: readonly RequirementId[];
}

export function judgesOf({ extended, form }: InvokedProject): Judges {
  const all = extended(wholeSuite);
  return {
    suite: all,
    checkedIds: new Set(all.checks.flatMap(citedBy)),
    uncheckedIds: uncheckedIdsOf(all, form.interface),
  };
}
