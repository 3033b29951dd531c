// How is a promise tried for generated input? A law over drawn values, as a check that the engine plans, pays for and paces.
import fc from "fast-check";
import type { Generates } from "../harness/core/generation.ts";
import type { Json } from "../harness/core/json.ts";
import type { Stimulus } from "../harness/core/stimulus.ts";
import type { Check, CheckContext, Needs, Shown } from "../harness/model/check.ts";
import type { Target } from "../harness/target/target.ts";
import type { Feature } from "../specs/generated/operations.ts";
import type { RequirementId } from "../specs/generated/requirements.ts";
import { type Source, tried } from "./trial.ts";

/** Values are plain JSON, so that a case can be written down; what they stand for is made by the law. */
export type Arbitraries<Values> = { readonly [Name in keyof Values]: fc.Arbitrary<Values[Name]> };

/** Where cases are made of what the target gives; null where it doesn't give that. */
export type CasesFor<Values> = (target: Target) => fc.Arbitrary<Values> | null;

/**
 * Judges one case by what its own requests drew.
 * @throws Withheld or Inconclusive where it can't: neither is a counter-example
 */
export type Predicate<Values> = (values: Values, context: CheckContext) => Promise<Shown>;

export interface Options extends Omit<Needs, "requests" | "generates"> {
  /** Of the property: one word, which replay lines name. */
  readonly name: string;
  readonly feature: Feature;
  /** What one case asks, at most. */
  readonly each: readonly Stimulus[];
  /** Where others than usual. */
  readonly cases?: Partial<Generates["cases"]>;
}

/** In this process a case takes about a millisecond for each request; on a port the pace decides. */
const usualCases: Generates["cases"] = { many: 200, some: 12, few: 5 };

/** Cases that are drawn otherwise than as a record of values. */
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

const lacking = "the target doesn't give what cases are made of";

/** The same of cases that are made of the target's samples. */
export function propertyFrom<Values extends object>(
  ids: RequirementId | readonly RequirementId[],
  casesFor: CasesFor<Values>,
  holds: Predicate<Values>,
  options: Options,
): Check {
  const sourceFor = ({ target }: CheckContext): Source<Values> => {
    const arbitrary = casesFor(target);
    if (!arbitrary) throw new Error(lacking);
    return {
      draw: () => arbitrary,
      ranIn: () => "",
      // Written down as they are: values are JSON.
      restored: (values) => values as unknown as Values,
      judge: async (values, context) => ({ shown: await holds(values, context), values: values as unknown as Json }),
    };
  };
  return propertyOf(ids, sourceFor, {
    ...options,
    unless: (target) => options.unless?.(target) ?? (casesFor(target) ? null : lacking),
  });
}
