// Which mutants do generated cases find, and which of them does nothing else find?

import { suite as contracts } from "../contracts/suite.ts";
import type { Scale } from "../harness/core/generation.ts";
import { usualSeed } from "../harness/core/generation.ts";
import { Engine } from "../harness/engine/engine.ts";
import type { Check } from "../harness/model/check.ts";
import { properties } from "../property/generated/properties.ts";
import { benignVariants } from "../reference/generated/benignVariants.ts";
import { mutants } from "../reference/generated/mutants.ts";
import type { Variant } from "../reference/platform/mutant.ts";
import { sequential } from "../reference/stateful.mutants.ts";
import { subtle } from "../reference/subtle.mutants.ts";
import type { Feature } from "../specs/generated/operations.ts";
import { inProcess } from "./inProcess.ts";
import { judgedFeatures } from "./judgedFeatures.ts";

/** By which properties' counter-examples a mutant was found; `lie` null: the honest platform. */
export interface FoundBy {
  readonly mutant: string | null;
  readonly properties: readonly string[];
}

/** Every name of a property, in the order of the suite. */
export const propertyNames: readonly string[] = properties.flatMap(({ needs }) => needs.generates?.property ?? []);

const narrow = [...subtle, ...sequential];

/** Lies so narrow that no example finds them, by their names. */
export const subtleNames: readonly string[] = narrow.map(({ id }) => id);

interface Trial {
  readonly scale: Scale;
  readonly checks?: readonly Check[];
  /** Null: all. */
  readonly features?: readonly Feature[] | null;
}

/** The names of the properties that find a mutant. */
async function found(
  variant: Variant | undefined,
  { scale, checks = properties, features = null }: Trial,
): Promise<readonly string[]> {
  const options = inProcess({ ...contracts, checks, probes: [] }, variant);
  const offers = features ?? options.target.offers;
  const engine = new Engine({
    ...options,
    target: { ...options.target, offers },
    observe: [],
    generation: { seed: usualSeed, scale, shrinks: false },
  });
  const verdicts = await engine.run();
  return [
    ...new Set(verdicts.flatMap(({ breaches }) => breaches.flatMap((breach) => breach.counterexample?.property ?? []))),
  ];
}

/**
 * Registered lies on the parts that they are judged on, in a dozen cases of each property: examples find each of them.
 * Subtle ones in hundreds of cases of each property about the requirement that they break, and in a dozen of all others, whatever part they are of.
 * The honest platform (null) in hundreds of all.
 */
export async function foundByProperties(id: string | null): Promise<FoundBy> {
  const registered = [...mutants, ...benignVariants].find((one) => one.id === id);
  if (registered)
    return {
      mutant: id,
      properties: await found(registered, { scale: "some", features: judgedFeatures(registered.id) }),
    };
  if (id === null) return { mutant: id, properties: await found(undefined, { scale: "many" }) };
  const mutant = narrow.find((one) => one.id === id);
  if (!mutant) throw new Error(`no mutant ${id}`);
  const isAbout = ({ ids }: Check): boolean => ids.includes(mutant.breaks);
  const own = await found(mutant, { scale: "many", checks: properties.filter(isAbout) });
  return {
    mutant: id,
    properties: [
      ...own,
      ...(await found(mutant, { scale: "some", checks: properties.filter((one) => !isAbout(one)) })),
    ],
  };
}

export interface Share {
  readonly property: string;
  readonly found: number;
  /** That no other property finds. */
  readonly alone: number;
  /** That no example finds either. */
  readonly only: number;
}

export const sharesOf = (all: readonly FoundBy[]): readonly Share[] =>
  propertyNames.map((property) => {
    const mine = all.filter(({ mutant, properties: by }) => mutant !== null && by.includes(property));
    const alone = mine.filter(({ properties: by }) => by.length === 1);
    return {
      property,
      found: mine.length,
      alone: alone.length,
      only: alone.filter(({ mutant }) => subtleNames.includes(mutant ?? "")).length,
    };
  });
