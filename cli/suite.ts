// The whole suite: contracts, rate limits and properties.
import { dataPlatform } from "../contracts/shared/interface.ts";
import type { RequirementId } from "../harness/core/interface.ts";
import { citedBy } from "../harness/model/check.ts";
import { uncheckedIdsOf } from "../harness/model/suite.ts";
import { suite as load } from "../load/suite.ts";
import type { LoadSuite } from "../load/traffic/mix.ts";
import { properties } from "../property/generated/properties.ts";

export const suite: LoadSuite = { ...load, checks: [...load.checks, ...properties] };

/** The requirements that a check of this version covers. */
export const checkedIds: ReadonlySet<RequirementId> = new Set(suite.checks.flatMap(citedBy));

export const uncheckedIds = uncheckedIdsOf(suite, dataPlatform);
