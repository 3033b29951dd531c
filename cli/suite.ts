// Everything that judges: what contracts gathers, promises over generated input, and promises on limits over time.
import type { Suite } from "../harness/model/suite.ts";
import { suite as load } from "../load/suite.ts";
import { properties } from "../property/generated/properties.ts";

export const suite: Suite = { ...load, checks: [...load.checks, ...properties] };
