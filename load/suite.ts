// The suite of checks and probes, those of rate limits included
import { suite as contracts } from "../contracts/suite.ts";
import type { Suite } from "../harness/model/suite.ts";
import { limitProbes } from "./generated/limitProbes.ts";
import { rates } from "./generated/rates.ts";

export const suite: Suite = {
  ...contracts,
  checks: [...contracts.checks, ...rates],
  probes: [...contracts.probes, ...limitProbes],
};
