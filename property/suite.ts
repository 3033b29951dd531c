// Everything that judges: what contracts gathers, and its promises over generated input.
import { suite as contracts } from "../contracts/suite.ts";
import type { Suite } from "../harness/suite.ts";
import { properties } from "./generated/properties.ts";

export const suite: Suite = { ...contracts, checks: [...contracts.checks, ...properties] };
