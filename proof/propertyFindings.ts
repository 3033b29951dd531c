// Which mutants do generated cases find? The table of property/README.md, of what `npx assay mutants --properties --json` prints.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { mutants } from "../reference/generated/mutants.ts";
import { type FoundBy, propertyNames, sharesOf, subtleNames } from "./mutantsByProperties.ts";

const readme = fileURLToPath(new URL("../property/README.md", import.meta.url));

const registered: readonly string[] = mutants.map(({ id }) => id);

/** Of which lies and properties a table tells: whoever adds one, or takes one away, makes it anew. */
export const stateOf = (
  mutants: readonly string[] = [...registered, ...subtleNames],
  properties = propertyNames,
): string =>
  createHash("sha256")
    .update(JSON.stringify([mutants, properties]))
    .digest("hex")
    .slice(0, 12);

const [from, to] = ["<!-- made by proof/propertyFindings.ts -->", "<!-- until here -->"];

const percent = (some: number, all: number): string =>
  `${some} of ${all} (${all === 0 ? 0 : Math.round((100 * some) / all)} %)`;

/** The first few by name. */
const shown = 4;

function named(mutants: readonly string[]): string {
  if (mutants.length === 0) return "–";
  const further = mutants.length > shown ? [`and ${mutants.length - shown} more`] : [];
  return [...mutants.slice(0, shown), ...further].join(" · ");
}

/** Lies that no example finds come first; properties in the order of the suite. */
export function tableOf(all: readonly FoundBy[]): string {
  const foundIn = (names: readonly string[]): number =>
    all.filter(({ mutant, properties }) => mutant !== null && names.includes(mutant) && properties.length > 0).length;
  const alarms = all.filter(
    ({ mutant, properties }) => properties.length > 0 && ![...registered, ...subtleNames].includes(mutant ?? ""),
  );
  const rows = sharesOf(all).map(({ property, found, alone, only }) => {
    const mine = all.flatMap(({ mutant, properties }) =>
      mutant !== null && properties.length === 1 && properties[0] === property ? [mutant] : [],
    );
    const inOrder = [
      ...mine.filter((mutant) => subtleNames.includes(mutant)),
      ...mine.filter((mutant) => !subtleNames.includes(mutant)),
    ];
    return `| ${property} | ${found} | ${alone} | ${only} | ${named(inOrder)} |`;
  });
  return [
    from,
    `Of ${registered.length} registered mutants and ${subtleNames.length} that no example finds (state ${stateOf()}), properties find ${percent(foundIn(registered), registered.length)} and ${percent(foundIn(subtleNames), subtleNames.length)}; ${alarms.length === 0 ? "no" : alarms.length} false alarms.`,
    "",
    "| property | lies that it finds | that no other property finds | that no example finds either | by name |",
    "| --- | --- | --- | --- | --- |",
    ...rows,
    to,
  ].join("\n");
}

/** The README with the table in its place. */
export function withTable(text: string, table: string): string {
  const [before = "", rest = ""] = text.split(from);
  return `${before}${table}${rest.slice(rest.indexOf(to) + to.length)}`;
}

/** What is published. */
export function publishedTable(): string {
  const text = readFileSync(readme, "utf8");
  return text.slice(text.indexOf(from), text.indexOf(to) + to.length);
}

/** @param file what the command printed, or `-` for standard input */
function publish(file: string): void {
  const { foundBy } = JSON.parse(readFileSync(file === "-" ? 0 : file, "utf8")) as {
    readonly foundBy: readonly FoundBy[];
  };
  writeFileSync(readme, withTable(readFileSync(readme, "utf8"), tableOf(foundBy)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) publish(process.argv[2] ?? "-");
