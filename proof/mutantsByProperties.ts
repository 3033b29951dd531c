// Mutants that properties find, and those among them that nothing else finds
import { contractSuite as contracts } from "../contracts/suite.ts";
import { defaultSeed, type Scale } from "../harness/core/generation.ts";
import type { Check } from "../harness/model/check.ts";
import { properties } from "../property/generated/properties.ts";
import { benignVariants } from "../reference/generated/benignVariants.ts";
import { mutants } from "../reference/generated/mutants.ts";
import type { Variant } from "../reference/platform/mutant.ts";
import { sequential } from "../reference/stateful.mutants.ts";
import { subtle } from "../reference/subtle.mutants.ts";
import type { Feature } from "../specs/generated/operations.ts";
import { findingsOfRun, inProcess } from "./inProcess.ts";
import { judgedFeatures } from "./judgedFeatures.ts";

/** The properties whose counterexamples a mutant caused; `mutant` null: the honest platform. */
export interface FoundBy {
  readonly mutant: string | null;
  readonly properties: readonly string[];
}

/** Names of all properties, in the order of the suite. */
export const propertyNames: readonly string[] = properties.flatMap(({ needs }) => needs.generates?.property ?? []);

const narrow = [...subtle, ...sequential];

/** Names of mutants that no example finds. */
export const subtleNames: readonly string[] = narrow.map(({ id }) => id);

interface Trial {
  readonly scale: Scale;
  readonly checks?: readonly Check[];
  /** Null: all that the target offers. */
  readonly features?: readonly Feature[] | null;
}

/** The names of the properties that find a mutant. */
async function found(
  variant: Variant | undefined,
  { scale, checks = properties, features = null }: Trial,
): Promise<readonly string[]> {
  const options = inProcess({ ...contracts, checks, probes: [] }, variant);
  const generation = { seed: defaultSeed, scale, shrinks: false };
  const { verdicts } = await findingsOfRun({ ...options, observe: [], generation }, features);
  return [
    ...new Set(verdicts.flatMap(({ breaches }) => breaches.flatMap((breach) => breach.counterexample?.property ?? []))),
  ];
}

/**
 * Registered mutants, each of which examples find: on the features that they are judged on, a dozen cases of each
 * property.
 * Subtle ones, on all features: hundreds of cases of the properties about the requirement that they break, a dozen of
 * others.
 * The honest platform (null): hundreds of cases of all properties.
 */
export const foundByProperties = async (mutant: string | null): Promise<FoundBy> => ({
  mutant,
  properties: await propertiesThatFind(mutant),
});

async function propertiesThatFind(id: string | null): Promise<readonly string[]> {
  if (id === null) return found(undefined, { scale: "many" });
  const registered = [...mutants, ...benignVariants].find((one) => one.id === id);
  if (registered) return found(registered, { scale: "some", features: judgedFeatures(id) });
  const mutant = narrow.find((one) => one.id === id);
  if (!mutant) throw new Error(`no mutant ${id}`);
  const isAbout = ({ ids }: Check): boolean => ids.includes(mutant.breaks);
  const own = await found(mutant, { scale: "many", checks: properties.filter(isAbout) });
  const others = await found(mutant, { scale: "some", checks: properties.filter((one) => !isAbout(one)) });
  return [...own, ...others];
}

export interface FoundShare {
  readonly property: string;
  readonly found: number;
  /** Found by no other property. */
  readonly alone: number;
  /** Found by no example either. */
  readonly only: number;
}

export const sharesOf = (all: readonly FoundBy[]): readonly FoundShare[] =>
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
