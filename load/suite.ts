// The suite of checks and probes, those of rate limits included
import { contractSuite as contracts } from "../contracts/suite.ts";
import type { RequirementId } from "../harness/core/interface.ts";
import { limitProbes } from "./generated/limitProbes.ts";
import { rates } from "./generated/rates.ts";
import { reads } from "./reads.ts";
import type { LoadSuite } from "./traffic/mix.ts";

export const loadSuite: LoadSuite = {
  ...contracts,
  checks: [...contracts.checks, ...rates],
  probes: [...contracts.probes, ...limitProbes],
  reads,
  script: new URL("k6/dataPlatform.ts", import.meta.url),
};

/** Requirements that checks decide by requests at set times. */
export const rateRequirements: readonly RequirementId[] = [...new Set(rates.flatMap(({ ids }) => ids))];
