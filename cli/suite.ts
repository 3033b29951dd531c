// The whole suite: contracts, rate limits, properties, and checks of the user's own.
import { suiteWith } from "../custom/suite.ts";
import type { RequirementId } from "../harness/core/interface.ts";
import { citedBy } from "../harness/model/check.ts";
import { uncheckedIdsOf } from "../harness/model/suite.ts";
import { suite as load } from "../load/suite.ts";
import type { LoadSuite } from "../load/traffic/mix.ts";
import { properties } from "../property/generated/properties.ts";
import { custom, targetForm } from "./custom.ts";

const own: LoadSuite = { ...load, checks: [...load.checks, ...properties] };

export const suite = custom ? suiteWith(own, custom) : own;

/** The requirements that a check of this version covers. */
export const checkedIds: ReadonlySet<RequirementId> = new Set(suite.checks.flatMap(citedBy));

export const uncheckedIds = uncheckedIdsOf(suite, targetForm.interface);
