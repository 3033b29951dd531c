// Requirements over generated input as checks, which the engine plans, pays for and paces

import type fc from "fast-check";
import { resultOf } from "../contracts/shared/jsonRpcOracles.ts";
import { maskedBy } from "../contracts/shared/masked.ts";
import type { Generates } from "../harness/core/generation.ts";
import type { Json } from "../harness/core/json.ts";
import { Withheld } from "../harness/core/outcomes.ts";
import { otherNeed } from "../harness/core/reason.ts";
import type { RequestSpec } from "../harness/core/requestSpec.ts";
import {
  type Check,
  type CheckContext,
  type Ids,
  listOfIds,
  type Needs,
  type Oracle,
  type Shown,
} from "../harness/model/check.ts";
import type { Target } from "../harness/targets/target.ts";
import { isServed } from "../harness/transport/answers.ts";
import type { Exchange } from "../harness/transport/exchange.ts";
import type { Feature } from "../specs/generated/operations.ts";
import { type Arbitraries, recordArbitrary } from "./arbitraries/lists.ts";
import { type CaseSource, tryProperty } from "./trial.ts";

/**
 * Judges one case by the answers to its requests. @throws Withheld or Inconclusive where it can't, which is no
 * counterexample
 */
type Predicate<Values> = (values: Values, context: CheckContext) => Promise<Shown>;

export interface PropertyOptions extends Omit<Needs, "requests" | "generates"> {
  /** The property's name, one word, for replay lines. */
  readonly name: string;
  readonly feature: Feature;
  /** The requests of one case, at most; none by default, as a test project costs nothing. */
  readonly each?: readonly RequestSpec[];
  /** Numbers of cases that differ from the usual ones. */
  readonly cases?: Partial<Generates["cases"]>;
}

/** In this process a case takes about a millisecond per request; on a port the pace decides. */
const usualCases: Generates["cases"] = { many: 200, some: 12, few: 5 };

/** A property whose cases aren't records of values. */
export function propertyOf<Case>(
  ids: Ids,
  sourceFor: (context: CheckContext) => CaseSource<Case>,
  propertyOptions: PropertyOptions,
): Check {
  const { name, feature, each = [], cases = {}, ...needs } = propertyOptions;
  const generates: Generates = { property: name, cases: { ...usualCases, ...cases }, each };
  return {
    ids: listOfIds(ids),
    shows: [],
    feature,
    needs: { ...needs, requests: [], generates },
    optional: true,
    when: "any",
    run: (context) => tryProperty(sourceFor(context), generates, context),
  };
}

/** A property of values that are plain JSON, so that a case can be saved; its predicate makes requests of them. */
export function property<Values extends object>(
  ids: Ids,
  arbitraries: Arbitraries<Values>,
  holds: Predicate<Values>,
  options: PropertyOptions,
): Check {
  const arbitrary = recordArbitrary(arbitraries);
  return propertyFrom(ids, () => arbitrary, holds, options);
}

const lacking = otherNeed("the target doesn't have the sample data that cases are made from");

/** A property whose cases are made from the target's sample data; none where it has none. */
export function propertyFrom<Values extends object>(
  ids: Ids,
  casesFor: (target: Target) => fc.Arbitrary<Values> | null,
  holds: Predicate<Values>,
  options: PropertyOptions,
): Check {
  const sourceFor = ({ target }: CheckContext): CaseSource<Values> => {
    const arbitrary = casesFor(target);
    if (!arbitrary) throw new Withheld(lacking);
    return {
      generate: () => arbitrary,
      ranIn: () => null,
      restored: (values) => values as unknown as Values,
      judge: async (values, context) => ({ shown: await holds(values, context), values: values as unknown as Json }),
    };
  };
  return propertyOf(ids, sourceFor, {
    ...options,
    unless: (target) => options.unless?.(target) ?? (casesFor(target) ? null : lacking),
  });
}

/** Sends a request and judges the answer by an oracle. */
export async function judgeAnswer(context: CheckContext, requestSpec: RequestSpec, oracle: Oracle): Promise<Shown> {
  const exchange = await context.ask(requestSpec);
  return { exchange, finding: await oracle(exchange, context) };
}

/** A list in the result of a request that is served. @throws Withheld where there is none */
export function listAt(exchange: Exchange, at: string): readonly Json[] {
  const list = resultOf(exchange, at);
  if (!isServed(exchange) || !Array.isArray(list)) throw maskedBy(exchange);
  return list as readonly Json[];
}
