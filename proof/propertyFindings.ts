// Which mutants each property finds: the table of docs/propertyFindings.md, from `assay mutants --properties --json`
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { mutants } from "../reference/generated/mutants.ts";
import { type FoundBy, propertyNames, sharesOf, subtleNames } from "./mutantsByProperties.ts";
import { PublishedDocument, percent, type Table } from "./publishedTable.ts";

export const script = "proof/propertyFindings.ts";
export const findingsDocument = new PublishedDocument("propertyFindings.md");

const registered: readonly string[] = mutants.map(({ id }) => id);

/** A digest of mutants and properties: a change of either asks for a new table. */
export const stateOf = (
  mutants: readonly string[] = [...registered, ...subtleNames],
  properties = propertyNames,
): string =>
  createHash("sha256")
    .update(JSON.stringify([mutants, properties]))
    .digest("hex")
    .slice(0, 12);

/** Mutants named in one row, at most. */
const shown = 4;

function named(mutants: readonly string[]): string {
  if (mutants.length === 0) return "–";
  const further = mutants.length > shown ? [`and ${mutants.length - shown} more`] : [];
  return [...mutants.slice(0, shown), ...further].join(" · ");
}

/** Properties in the order of the suite; in each row mutants that no example finds come first. */
export function tableOf(all: readonly FoundBy[]): Table {
  const found = (names: readonly string[]): string => {
    const some = all.filter(
      ({ mutant, properties }) => mutant !== null && names.includes(mutant) && properties.length > 0,
    );
    return percent(some.length, names.length);
  };
  const known = [...registered, ...subtleNames];
  const alarms = all.filter(({ mutant, properties }) => properties.length > 0 && !known.includes(mutant ?? "")).length;
  const isSubtle = (mutant: string): boolean => subtleNames.includes(mutant);
  return {
    by: script,
    summary: [
      `Of ${registered.length} registered mutants properties find ${found(registered)}`,
      `of ${subtleNames.length} that no example finds, ${found(subtleNames)}`,
      `${alarms === 0 ? "no" : alarms} false alarms (state ${stateOf()}).`,
    ].join("; "),
    columns: ["property", "mutants found", "found by no other property", "found by no example either", "by name"],
    rows: sharesOf(all).map(({ property, found: count, alone, only }) => {
      const mine = all.flatMap(({ mutant, properties }) =>
        mutant !== null && properties.length === 1 && properties[0] === property ? [mutant] : [],
      );
      const inOrder = [...mine.filter(isSubtle), ...mine.filter((mutant) => !isSubtle(mutant))];
      return [property, count, alone, only, named(inOrder)];
    }),
  };
}

/** @param file the output of the command, or `-` for standard input */
function publish(file: string): void {
  const { foundBy } = JSON.parse(readFileSync(file === "-" ? 0 : file, "utf8")) as {
    readonly foundBy: readonly FoundBy[];
  };
  findingsDocument.publish(tableOf(foundBy));
}

if (process.argv[1] === import.meta.filename) publish(process.argv[2] ?? "-");
