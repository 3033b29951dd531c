// The whole suite: contracts, rate limits and properties.
import type { Suite } from "../harness/model/suite.ts";
import { suite as load } from "../load/suite.ts";
import { properties } from "../property/generated/properties.ts";

export const suite: Suite = { ...load, checks: [...load.checks, ...properties] };
