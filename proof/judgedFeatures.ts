// What a mutant is about: the features that it is judged on, and whether rates decide it
import { type Check, citedBy } from "../harness/model/check.ts";
import { loadSuite, rateRequirements } from "../load/suite.ts";
import { alsoBroken } from "../reference/generated/alsoBroken.ts";
import { mutants } from "../reference/generated/mutants.ts";
import type { Mutant } from "../reference/platform/mutant.ts";
import { type Feature, operations } from "../specs/generated/operations.ts";

/** A check's feature, and those whose operations it calls besides. */
const featuresOf = ({ feature, needs }: Check): readonly Feature[] => [
  feature,
  ...needs.requests.flatMap(({ operation }) => operations.find(({ id }) => id === operation)?.feature ?? []),
];

/** The requirement that a mutant breaks, or that a benign variant is about. */
export const requirementOfMutant = (id: string): string => id.slice(0, id.indexOf("."));

/** The further requirements that a mutant is declared to break, as ids or prefixes of ids. */
export const declaredBesides = (mutant: Mutant): readonly string[] => [
  ...mutant.also,
  ...alsoBroken.flatMap(([id, ...breaks]) => (id === mutant.id ? breaks : [])),
];

/** Whether only requests at set times show it. */
export const isAboutRates = (id: string): boolean =>
  rateRequirements.some((requirement) => requirement === requirementOfMutant(id));

/** Features of the checks and probes of its requirement and of those that it breaks besides. */
export function judgedFeatures(id: string): readonly Feature[] {
  const mutant = mutants.find((one) => one.id === id);
  return featuresAbout([requirementOfMutant(id), ...(mutant ? declaredBesides(mutant) : [])]);
}

/** Features of the checks and probes of some requirements, given by ids or prefixes of ids. */
export function featuresAbout(requirements: readonly string[]): readonly Feature[] {
  const isAbout = (requirement: string): boolean => requirements.some((prefix) => requirement.startsWith(prefix));
  return [
    ...new Set([
      ...loadSuite.checks.filter((check) => citedBy(check).some(isAbout)).flatMap(featuresOf),
      ...loadSuite.probes.filter(({ informs }) => informs.some(isAbout)).flatMap(({ features }) => features),
    ]),
  ];
}
