// New checks in the list of deletions, by the mutants of what they cite
import { entriesListed, entriesOf, unlisted, writeList } from "./deletionList.ts";
import { type Deletion, deletionOf } from "./deletions.ts";
import { type Detector, requirementsOf } from "./detectors.ts";
import { allMutants, type Row, tried } from "./tried.ts";

const mutantsOf = (requirements: readonly string[]): readonly string[] =>
  allMutants.filter((id) => requirements.some((one) => id.startsWith(`${one}.`)));

async function deletionNow({ name }: Detector): Promise<Deletion | null> {
  const rows: Row[] = [];
  for (const mutant of mutantsOf(requirementsOf(name)))
    for (const on of ["control", "without control"] as const) rows.push(...(await tried(mutant, on)));
  return deletionOf(name, rows);
}

/** Adds to the list what it lacks, and takes out what there is no more. */
export async function listNew(): Promise<void> {
  const known = entriesListed();
  const deletions = new Map<string, Deletion | null>();
  for (const one of unlisted(known).filter(({ kind }) => kind === "check")) {
    deletions.set(one.name, await deletionNow(one));
    console.log(`listed ${one.name}`);
  }
  writeList(new Map([...entriesOf(deletions), ...known]));
}
