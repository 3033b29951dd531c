// Which mutants each property finds, and what it finds on the honest platform
import { benignVariants } from "../reference/generated/benignVariants.ts";
import { mutants } from "../reference/generated/mutants.ts";
import { type FoundBy, sharesOf, subtleNames } from "./mutantsByProperties.ts";
import { type ProofTable, percent } from "./table.ts";
import { tryByProperties } from "./workerPool.ts";

const registered: readonly string[] = mutants.map(({ id }) => id);

/** Mutants named in one row, at most. */
const shown = 4;

function named(mutants: readonly string[]): string {
  if (mutants.length === 0) return "–";
  const further = mutants.length > shown ? [`and ${mutants.length - shown} more`] : [];
  return [...mutants.slice(0, shown), ...further].join(" · ");
}

/** Properties in the order of the suite; in each row mutants that no example finds come first. */
export function tableOfFindings(all: readonly FoundBy[]): ProofTable {
  const isFound = (name: string): boolean =>
    all.some(({ mutant, properties }) => mutant === name && properties.length > 0);
  const shareOf = (names: readonly string[]): string => percent(names.filter(isFound).length, names.length);
  const known = [...registered, ...subtleNames];
  const alarms = all.filter(({ mutant, properties }) => properties.length > 0 && !known.includes(mutant ?? ""));
  const isSubtle = (mutant: string): boolean => subtleNames.includes(mutant);
  return {
    title: "What properties find",
    summary: [
      `Of ${registered.length} registered mutants properties find ${shareOf(registered)}`,
      `of ${subtleNames.length} that no example finds, ${shareOf(subtleNames)}`,
      `${alarms.length === 0 ? "no" : alarms.length} false alarms.`,
    ].join("; "),
    columns: ["property", "mutants found", "found by no other property", "found by no example either", "by name"],
    rows: sharesOf(all).map(({ property, found: count, alone, only }) => {
      const mine = all.flatMap(({ mutant, properties }) =>
        mutant !== null && properties.length === 1 && properties[0] === property ? [mutant] : [],
      );
      const inOrder = [...mine.filter(isSubtle), ...mine.filter((mutant) => !isSubtle(mutant))];
      return [property, count, alone, only, named(inOrder)];
    }),
    wrong: [
      ...alarms.map(
        ({ mutant, properties }) => `${mutant ?? "The honest platform"} is accused by ${properties.join(", ")}.`,
      ),
      ...subtleNames.filter((id) => !isFound(id)).map((id) => `No property finds this mutant: ${id}.`),
    ],
  };
}

/** Registered mutants and benign variants, those that no example finds, and the honest platform. */
export const propertyTable = async (): Promise<ProofTable> =>
  tableOfFindings(await tryByProperties([...registered, ...benignVariants.map(({ id }) => id), ...subtleNames]));
