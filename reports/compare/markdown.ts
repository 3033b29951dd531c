// A comparison for a CI job's summary or a pull request: Markdown, at most 60 lines.
import { code as codeOf } from "../markdownText.ts";
import { capped } from "../text.ts";
import { nameOf, signOf } from "../words.ts";
import type { Comparison } from "./comparison.ts";
import {
  headlineOf,
  headlineOfAll,
  marksOf,
  namesOf,
  reportedRows,
  runLine,
  type Section,
  sectionsOf,
} from "./sections.ts";
import { isOfVendors, type Piece } from "./wording.ts";

export const mostLines = 60;
const longest_chars = 160;

/** How many items each section shows: fewer until all fits. */
const fewerAndFewer = [20, 12, 8, 5, 3, 2, 1, 0] as const;

/** Of vendors, the matrix says most. */
const fewestRows = 12;

const code = (text: string): string => codeOf(text, longest_chars);

/** In a table, a bar ends the cell even in code (GFM §4.10). */
const cell = (text: string): string => code(text).replaceAll("|", "\\|");

/** Letters and spaces read better bare; what could be markup or mention somebody is code. */
const isBare = (text: string): boolean =>
  /^(?:[\p{L}\p{N} ,;'’()§.-]|:(?= ))+$/u.test(text) && !/^\s|\s$|www\.|-$|^-/.test(text);
function pieceText(piece: Piece): string {
  if (typeof piece === "string") return piece;
  return isBare(piece.text) && piece.isValue !== true ? capped(piece.text, longest_chars) : code(piece.text);
}
export const textOf = (pieces: readonly Piece[]): string => pieces.map(pieceText).join("");

/** As a document; what doesn't fit is counted. */
export const markdownOf = (comparison: Comparison): string =>
  fitted((most) => linesWith(comparison, most), "The HTML and JSON of this comparison have more.");

/**
 * At most 60 lines, blank ones included.
 * @param linesWith all lines with at most so many of each list
 * @param more where the rest is
 */
export function fitted(linesWith: (most: number) => readonly string[], more: string): string {
  for (const most of fewerAndFewer) {
    const lines = single(linesWith(most));
    if (lines.length <= mostLines) return `${lines.join("\n")}\n`;
  }
  const lines = single(linesWith(0)).slice(0, mostLines - 2);
  return `${[...lines, "", more].join("\n")}\n`;
}

/** Without blank lines at either end, or after others. */
const single = (lines: readonly string[]): readonly string[] =>
  lines.filter((line, index) => line !== "" || (index > 0 && lines[index - 1] !== "" && index < lines.length - 1));

function linesWith(comparison: Comparison, most: number): readonly string[] {
  const { runs, pairs } = comparison;
  const mostRuns = Math.max(3, most);
  const marks = marksOf(comparison);
  const matrix = matrixLines(comparison, isOfVendors(comparison) ? Math.max(fewestRows, most) : most);
  return [
    `## ${headlineOfAll(comparison)}`,
    "",
    ...runs
      .slice(0, mostRuns)
      .map((run, index) => `- ${marks[index] ? `${marks[index]}: ` : ""}${textOf(runLine(run))}`),
    ...(runs.length > mostRuns ? [`- and ${runs.length - mostRuns} more runs`] : []),
    ...(isOfVendors(comparison) ? matrix : []),
    ...pairs.flatMap((pair) => [
      "",
      ...(pairs.length > 1 ? [`### ${code(namesOf(comparison)[pair.head] ?? "")}: ${headlineOf(runs, pair)}`, ""] : []),
      ...sectionsOf(comparison, pair).flatMap((section) => sectionLines(section, most)),
      ...(most > 0 ? pair.notes.map((note) => `- ${textOf([{ text: note }])}`) : []),
    ]),
    ...(pairs.length > 1 && !isOfVendors(comparison) ? matrix : []),
  ];
}

export function sectionLines({ title, sign, items }: Section, most: number): string[] {
  if (most === 0) return [`**${title}**: ${items.length}`];
  const lines = items.slice(0, most).map((pieces) => `- ${sign} ${textOf(pieces)}`);
  const rest = items.length > most ? [`- and ${items.length - most} more`] : [];
  return [`**${title}**`, "", ...lines, ...rest, ""];
}

function matrixLines(comparison: Comparison, most: number): string[] {
  const rows = reportedRows(comparison);
  if (most === 0 || rows.length === 0) return [];
  return [
    "",
    `| ${["requirement", ...namesOf(comparison).map(cell)].join(" | ")} |`,
    `|${" --- |".repeat(comparison.runs.length + 1)}`,
    ...rows.slice(0, most).map(({ id, kinds }) => {
      const texts = kinds.map((kind) => (kind === "absent" ? signOf(kind) : `${signOf(kind)} ${nameOf(kind)}`));
      return `| ${[cell(id), ...texts].join(" | ")} |`;
    }),
    ...(rows.length > most ? ["", `and ${rows.length - most} more requirements`] : []),
  ];
}
