// Requirements over generated input as checks, which the engine plans, pays for and paces
import fc from "fast-check";
import type { Generates } from "../harness/core/generation.ts";
import type { Json } from "../harness/core/json.ts";
import type { Stimulus } from "../harness/core/stimulus.ts";
import type { Check, CheckContext, Needs, Shown } from "../harness/model/check.ts";
import type { Target } from "../harness/target/target.ts";
import type { Feature } from "../specs/generated/operations.ts";
import type { RequirementId } from "../specs/generated/requirements.ts";
import { type Source, tried } from "./trial.ts";

/** Values are plain JSON, so that a case can be saved; predicates make requests of them. */
export type Arbitraries<Values> = { readonly [Name in keyof Values]: fc.Arbitrary<Values[Name]> };

/** Cases made from the target's sample data; null where it has none. */
export type ArbitraryFor<Values> = (target: Target) => fc.Arbitrary<Values> | null;

/**
 * Judges one case by the answers to its requests. @throws Withheld or Inconclusive where it can't, which is no
 * counterexample
 */
export type Predicate<Values> = (values: Values, context: CheckContext) => Promise<Shown>;

export interface Options extends Omit<Needs, "requests" | "generates"> {
  /** The property's name, one word, for replay lines. */
  readonly name: string;
  readonly feature: Feature;
  /** The requests of one case, at most. */
  readonly each: readonly Stimulus[];
  /** Numbers of cases that differ from the usual ones. */
  readonly cases?: Partial<Generates["cases"]>;
}

/** In this process a case takes about a millisecond per request; on a port the pace decides. */
const usualCases: Generates["cases"] = { many: 200, some: 12, few: 5 };

/** A property whose cases aren't records of values. */
export function propertyOf<Case>(
  ids: RequirementId | readonly RequirementId[],
  sourceFor: (context: CheckContext) => Source<Case>,
  options: Options,
): Check {
  const { name, feature, each, cases = {}, ...needs } = options;
  const generates: Generates = { property: name, cases: { ...usualCases, ...cases }, each };
  return {
    ids: typeof ids === "string" ? [ids] : ids,
    shows: [],
    feature,
    needs: { ...needs, requests: [], generates },
    optional: true,
    when: "any",
    run: (context) => tried(sourceFor(context), generates, context),
  };
}

export function property<Values extends object>(
  ids: RequirementId | readonly RequirementId[],
  arbitraries: Arbitraries<Values>,
  holds: Predicate<Values>,
  options: Options,
): Check {
  const arbitrary = fc.record<Values>({ ...arbitraries }, { noNullPrototype: true });
  return propertyFrom(ids, () => arbitrary, holds, options);
}

const lacking = "the target lacks the sample data that cases are made from";

/** A property whose cases are made from the target's sample data. */
export function propertyFrom<Values extends object>(
  ids: RequirementId | readonly RequirementId[],
  casesFor: ArbitraryFor<Values>,
  holds: Predicate<Values>,
  options: Options,
): Check {
  const sourceFor = ({ target }: CheckContext): Source<Values> => {
    const arbitrary = casesFor(target);
    if (!arbitrary) throw new Error(lacking);
    return {
      generate: () => arbitrary,
      ranIn: () => "",
      restored: (values) => values as unknown as Values,
      judge: async (values, context) => ({ shown: await holds(values, context), values: values as unknown as Json }),
    };
  };
  return propertyOf(ids, sourceFor, {
    ...options,
    unless: (target) => options.unless?.(target) ?? (casesFor(target) ? null : lacking),
  });
}
