// Comparison of one usage document with the model (§2.1)
import Big from "big.js";
import { amountAt, dayAt, figureAt } from "../../contracts/usage/usageReader.ts";
import type { Target } from "../../harness/targets/target.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { roundedWithin } from "../creditRounding.ts";
import { expectedOf, isWithin, unspecifiedOf } from "./figures.ts";
import { bought, cycleIn, type KeyName, type ModelState, type ProjectName, projectOfKey, type Range } from "./state.ts";
import { ModelViolation } from "./statefulTest.ts";

/** Both prepaid totals may be rounded. */
const ofTwoTotals = 2;

const textOf = ({ least, most }: Range): string => {
  if (most === null) return `at least ${least.toFixed()}`;
  return least.eq(most) ? least.toFixed() : `${least.toFixed()} to ${most.toFixed()}`;
};

/** The first figure that contradicts the model; null where none does. @throws Withheld where one isn't a number */
export function wrongIn(exchange: Exchange, state: ModelState, reader: KeyName, target: Target): ModelViolation | null {
  const name = projectOfKey(reader);
  const start = dayAt(exchange, "/creditCycle/start");
  const cycle = cycleIn(state, name);
  if (start !== cycle)
    return new ModelViolation("CYC-ANCH-01", exchange, "/creditCycle/start", JSON.stringify(cycle), start);
  for (const { at, range, breaks } of expectedOf(state, reader, roundedWithin(target))) {
    const got = amountAt(exchange, at);
    if (!isWithin(got, range)) return new ModelViolation(breaks(got), exchange, at, textOf(range), got);
  }
  return tooMany(exchange, state, name) ?? notMirrored(exchange, state, name);
}

/** Each call counts under one product. */
function tooMany(exchange: Exchange, state: ModelState, name: ProjectName): ModelViolation | null {
  const { products, range } = unspecifiedOf(state, name);
  const got = products.reduce((sum, product) => sum.plus(amountAt(exchange, `/requests/${product}`)), new Big(0));
  if (isWithin(got, range)) return null;
  const expected = `${textOf(range)} in ${products.join(", ")} together`;
  return new ModelViolation("MET-REQ-01", exchange, "/requests", expected, got);
}

/** Used and remaining prepaid credits add up, unless another cycle has used some. */
function notMirrored(exchange: Exchange, state: ModelState, name: ProjectName): ModelViolation | null {
  const cycle = cycleIn(state, name);
  const used = figureAt(exchange, "/prepaidCreditsUsed");
  const left = figureAt(exchange, "/prepaidCreditsRemaining");
  if (!used || !left || state[name].uses.some((use) => use.cycle !== cycle)) return null;
  if (used.plus(left).minus(bought).abs().lte(ofTwoTotals)) return null;
  const expected = `${bought} bought less ${used.toFixed()} used`;
  return new ModelViolation("CRD-PRE-01", exchange, "/prepaidCreditsRemaining", expected, left);
}
