// The whole suite: contracts, rate limits and properties.
import { suite as load } from "../load/suite.ts";
import type { LoadSuite } from "../load/traffic/mix.ts";
import { properties } from "../property/generated/properties.ts";

export const suite: LoadSuite = { ...load, checks: [...load.checks, ...properties] };
