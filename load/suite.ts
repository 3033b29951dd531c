// Everything that judges by what is sent at set times, with all that contracts gathers: promises on limits over time.
import { suite as contracts } from "../contracts/suite.ts";
import type { Suite } from "../harness/model/suite.ts";
import { limitProbes } from "./generated/limitProbes.ts";
import { rates } from "./generated/rates.ts";

export const suite: Suite = {
  ...contracts,
  checks: [...contracts.checks, ...rates],
  probes: [...contracts.probes, ...limitProbes],
};
