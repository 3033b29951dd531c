// The list of what each check and each property alone shows, by requirement: what its deletion would miss
import { readFileSync, writeFileSync } from "node:fs";
import { Document, isPair, parse, visit } from "yaml";
import type { RequirementId } from "../../harness/core/interface.ts";
import type { Deletion } from "./deletions.ts";
import { type Detector, detectors } from "./detectors.ts";

const file = new URL("deletions.yaml", import.meta.url);

const heading = [
  "What would be missed without each check: a mutant, or where others find that elsewhere, one `confined` to answers",
  "to what the check sends; nothing by `others` that send and judge the same. For properties see",
  "docs/propertyFindings.md. Made by `node --import tsx proof/alone/table.ts`, for new ones with `--new`;",
  "tried by tests/proof/alone.spec.ts.",
]
  .map((line) => `# ${line}\n`)
  .join("");

interface Entry {
  readonly mutant: string;
  /** What isn't found broken any more, where that isn't the requirement under which the check stands. */
  readonly misses?: string;
  readonly on?: "without control";
  readonly by?: "confined" | "others";
}

/** What a property finds stands in docs/propertyFindings.md. */
const isProperty = "property";

/** Null for a check that finds nothing. */
type Listed = Entry | typeof isProperty | null;

/** By requirement, then by name. */
type List = { readonly [about: string]: { readonly [name: string]: Listed } };

const listed = detectors.filter(({ kind }) => kind === "check" || kind === "property");

const entryOf = (about: string, { mutant, misses, on, by }: Deletion): Entry => ({
  mutant,
  ...(misses === about ? {} : { misses }),
  ...(on === "control" ? {} : { on }),
  ...(by === "any" ? {} : { by }),
});

/** By the name of the check or property. */
export type Entries = ReadonlyMap<string, Listed>;

/** @param deletions by the name of the check */
export const entriesOf = (deletions: ReadonlyMap<string, Deletion | null>): Entries =>
  new Map(
    listed.map(({ kind, name, about }) => {
      const deletion = deletions.get(name);
      return [name, kind === "property" ? isProperty : deletion ? entryOf(about, deletion) : null];
    }),
  );

/** Of all that the code has, and of nothing else. */
export function writeList(entries: Entries): void {
  const list: { [about: string]: { [name: string]: Listed } } = {};
  for (const { name, about } of listed) list[about] = { ...list[about], [name]: entries.get(name) ?? null };
  const document = new Document(list);
  visit(document, {
    // A line for each.
    Map: (_, node, path) => void (node.flow = path.filter(isPair).length === 2),
  });
  writeFileSync(file, heading + document.toString({ lineWidth: 0 }));
}

const list = (): List => parse(readFileSync(file, "utf8")) as List;

export const entriesListed = (): Entries => new Map(Object.values(list()).flatMap((some) => Object.entries(some)));

/** Those that the list lacks. */
export const unlisted = (known: Entries): readonly Detector[] => listed.filter(({ name }) => !known.has(name));

/** `AREA-01: name` of each, as the list has it and as the code has it. */
export const namesListed = (): readonly string[] =>
  Object.entries(list()).flatMap(([about, some]) => Object.keys(some).map((name) => `${about}: ${name}`));
export const namesNow: readonly string[] = listed.map(({ about, name }) => `${about}: ${name}`);

/** Those that find nothing. */
export const idleListed = (): readonly string[] =>
  [...entriesListed()].flatMap(([name, entry]) => (entry ? [] : [name]));

/** What the deletion of checks would miss. */
export const deletionsListed = (): readonly Deletion[] =>
  Object.entries(list()).flatMap(([about, some]) =>
    Object.entries(some).flatMap(([check, entry]) =>
      entry && entry !== isProperty
        ? [
            {
              check,
              mutant: entry.mutant,
              misses: (entry.misses ?? about) as RequirementId,
              on: entry.on ?? "control",
              by: entry.by ?? "any",
            },
          ]
        : [],
    ),
  );
