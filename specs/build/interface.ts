// docs/INTERFACE.md: each clause with its requirements, their mutants, and what it leaves unspecified.
import { join } from "node:path";
import {
  type Clause,
  type ClauseSource,
  clauseAnchor,
  clausesIn,
  type InterfaceText,
  readInterface,
} from "./clauses.ts";
import { rowsIn, specsDir } from "./load.ts";

export interface RequirementRow {
  readonly id: string;
  /** The requirement, as a sentence that can be false. */
  readonly sentence: string;
  /** As docs/INTERFACE.md numbers them. */
  readonly clause: string;
  readonly level: "must" | "may" | "informational" | "advisory";
  readonly basis: "explicit" | "entailed" | "implied" | "external";
  readonly enforce: "fail" | "warn" | "note";
  /** Warns on a vendor whatever its basis. */
  readonly onVendors?: "warn";
  readonly coverage?: { readonly over: "operation" | "key" | "carrier"; readonly atLeast?: readonly string[] };
  readonly needs: readonly string[];
  /** What each mutant does wrong, by its name after the requirement's id. */
  readonly mutants?: { readonly [slug: string]: string };
  /** What each benign variant does, unusual but right. */
  readonly benign?: { readonly [slug: string]: string };
}

export interface ObservationRow {
  readonly id: string;
  readonly question: string;
  readonly clause: string;
  readonly kind: "not-shown" | "silent" | "conflict" | "normally";
  readonly safety: "safe" | "paid" | "throttle" | "irreversible" | "white";
  readonly probe: string;
  readonly records: string;
  /**
   * What is measured rather than chosen: words in the order of their size, of which neighbours may follow one
   * another by chance; [] where it isn't compared as an observation.
   */
  readonly scales?: readonly (readonly string[])[];
  /** Each case is a limit as it was found. */
  readonly measures?: "limits";
}

export const requirementRows = (): readonly RequirementRow[] => rowsIn("requirements") as readonly RequirementRow[];

export const observationRows = (): readonly ObservationRow[] => rowsIn("observations") as readonly ObservationRow[];

/** What cites one clause: in full where it is cited first, by id where a row cites another clause first. */
interface Cited {
  readonly requirements: readonly RequirementRow[];
  readonly observations: readonly ObservationRow[];
  readonly also: readonly string[];
}

type CitedBy = (clause: string) => Cited;

function citations(requirements: readonly RequirementRow[], observations: readonly ObservationRow[]): CitedBy {
  const isFirst = (clause: string) => (row: { readonly clause: string }) => clausesIn(row.clause)[0] === clause;
  const isLater = (clause: string) => (row: { readonly clause: string }) => clausesIn(row.clause).indexOf(clause) > 0;
  return (clause) => ({
    requirements: requirements.filter(isFirst(clause)),
    observations: observations.filter(isFirst(clause)),
    also: [...requirements, ...observations].filter(isLater(clause)).map(({ id }) => id),
  });
}

/** Text for a cell of a table: bars and angle brackets mean nothing there, code spans stay. */
const cell = (text: string): string =>
  text
    .replaceAll("|", "\\|")
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll("<", "&lt;").replaceAll("*", "\\*")))
    .join("");

const anchor = (name: string): string => `<a id="${name}"></a>`;
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`;
const folded = (summary: string, body: string): string =>
  `<details><summary>${summary}</summary>\n\n${body}\n\n</details>`;

const requirementTable = (rows: readonly RequirementRow[]): string =>
  table(
    ["Requirement", "Sentence", "Level", "Basis", "Enforcement"],
    rows.map((row) => [`${anchor(row.id)}${row.id}`, cell(row.sentence), row.level, row.basis, row.enforce]),
  );

function variantTable(
  head: string,
  rows: readonly RequirementRow[],
  variants: "mutants" | "benign",
): readonly string[] {
  const named = rows.flatMap((row) =>
    Object.entries(row[variants] ?? {}).map(([slug, does]) => [`\`${row.id}.${slug}\``, cell(does)]),
  );
  const summary = counted(named.length, head.toLowerCase());
  return named.length === 0 ? [] : [folded(summary, table([head, "What the platform does"], named))];
}

const observationTable = (rows: readonly ObservationRow[]): string =>
  table(
    ["Observation", "Unspecified behaviour"],
    rows.map(({ id, question }) => [`${anchor(id)}${id}`, cell(question)]),
  );

const blocksOf = ({ requirements, observations, also }: Cited): readonly string[] => [
  ...(requirements.length > 0 ? [requirementTable(requirements)] : []),
  ...variantTable("Mutant", requirements, "mutants"),
  ...variantTable("Benign variant", requirements, "benign"),
  ...(observations.length > 0 ? [observationTable(observations)] : []),
  ...(also.length > 0 ? [`See also ${also.map((id) => `[${id}](#${id})`).join(", ")}.`] : []),
];

/** Clauses within a section are one level deeper than the section. */
const depthOf = (clause: string): number => (/[. ]/.test(clause) ? 1 : 0) + (/ /.test(clause) ? 1 : 0);
const headingOf = ({ clause, title }: Clause): string =>
  clause === "Intro" ? title : `${clause.replace(/ [a-z]\w*[A-Z].*/, "")} ${title}`;

/** Each clause that a text names leads there. */
const linked = (text: string): string =>
  text.replaceAll(/§\d+(?:\.\d+)?/g, (clause) => `[${clause}](#${clauseAnchor(clause)})`);

const clauseBlocks = (clause: Clause, cited: Cited): readonly string[] => [
  `${anchor(clauseAnchor(clause.clause))}\n\n${"#".repeat(2 + depthOf(clause.clause))} ${headingOf(clause)}`,
  linked(clause.text.trim()),
  ...blocksOf(cited),
];

const sourceBlocks = ({ source, title, url }: ClauseSource, cited: Cited): readonly string[] => [
  `${anchor(clauseAnchor(source))}\n\n### ${source}`,
  url === undefined ? `${title}.` : `[${title}](${url}).`,
  ...blocksOf(cited),
];

const countsOf = ({ requirements, observations }: Cited): string => {
  const counts = [
    ...(requirements.length > 0 ? [counted(requirements.length, "requirement")] : []),
    ...(observations.length > 0 ? [counted(observations.length, "unspecified behaviour")] : []),
  ];
  return counts.length > 0 ? ` · ${counts.join(", ")}` : "";
};

function contents({ clauses, sources }: InterfaceText, citedBy: CitedBy): string {
  const line = (depth: number, heading: string, name: string): string =>
    `${"  ".repeat(depth)}- [${heading}](#${clauseAnchor(name)})${countsOf(citedBy(name))}`;
  return [
    ...clauses.map((clause) => line(depthOf(clause.clause), headingOf(clause), clause.clause)),
    "- [Other standards](#other-standards)",
    ...sources.map(({ source }) => line(1, source, source)),
  ].join("\n");
}

/** The whole page. */
export function interfacePage(): string {
  const described = readInterface();
  const citedBy = citations(requirementRows(), observationRows());
  const blocks = [
    "<!-- Made by `npm run docs` from specs/; not to be edited. -->",
    `# ${described.title}`,
    "What the interface requires, clause by clause. Below each clause stand the requirements that it makes (a " +
      "breach *fails* the run, is a *warning* or a *note*), the mutants which prove that a breach is found, and the " +
      "behaviours that it leaves unspecified, which are observed and never judged. How we read what can be read in " +
      "two ways is in [READING.md](READING.md); words are in [GLOSSARY.md](GLOSSARY.md).",
    contents(described, citedBy),
    ...described.clauses.flatMap((clause) => clauseBlocks(clause, citedBy(clause.clause))),
    `${anchor("other-standards")}\n\n## Other standards`,
    "The interface doesn't name these. What they ask for is advice: a breach is a warning or a note and never fails " +
      "a run.",
    ...described.sources.flatMap((source) => sourceBlocks(source, citedBy(source.source))),
  ];
  return `${blocks.join("\n\n")}\n`;
}

/** Where the page is kept. */
export const interfaceFile = join(specsDir, "../docs/INTERFACE.md");
