// A comparison as terminal lines.
import { capped, oneLine } from "../text.ts";
import { signOf } from "../words.ts";
import type { Comparison } from "./comparison.ts";
import { headlineOf, headlineOfAll, marksOf, namesOf, reportedRows, runLine, sectionsOf } from "./sections.ts";
import { isOfVendors, type Piece } from "./wording.ts";

/** Text from a platform is cut here. */
const longest_chars = 200;
const mostItems = 20;
const mostRows = 40;

const textOf = (pieces: readonly Piece[]): string =>
  pieces.map((piece) => (typeof piece === "string" ? piece : capped(oneLine(piece.text), longest_chars))).join("");

const someOf = (lines: readonly string[], most: number): readonly string[] => [
  ...lines.slice(0, most),
  ...(lines.length > most ? [`    and ${lines.length - most} more`] : []),
];

export function comparisonLines(comparison: Comparison): string[] {
  const { runs, pairs } = comparison;
  const marks = marksOf(comparison);
  const width = Math.max(...marks.map((mark) => mark.length));
  const matrix = matrixLines(comparison);
  return [
    ...runs.map((run, index) => `${(marks[index] ?? "").padEnd(width)}  ${textOf(runLine(run))}`),
    ...(pairs.length > 1 ? ["", `${headlineOfAll(comparison)}.`] : []),
    ...(isOfVendors(comparison) ? matrix : []),
    ...pairs.flatMap((pair) => [
      "",
      `${pairs.length > 1 ? `${oneLine(namesOf(comparison)[pair.head] ?? "")}: ` : ""}${headlineOf(runs, pair)}.`,
      ...sectionsOf(comparison, pair).flatMap(({ title, sign, items }) => [
        "",
        title,
        ...someOf(
          items.map((pieces) => `  ${sign} ${textOf(pieces)}`),
          mostItems,
        ),
      ]),
      ...pair.notes.map((note) => `  ${oneLine(note)}`),
    ]),
    ...(pairs.length > 1 && !isOfVendors(comparison) ? matrix : []),
  ];
}

function matrixLines(comparison: Comparison): readonly string[] {
  const rows = reportedRows(comparison);
  if (rows.length === 0) return [];
  const names = namesOf(comparison)
    .map((name) => capped(oneLine(name), longest_chars))
    .join(", ");
  return [
    "",
    `Requirement by ${isOfVendors(comparison) ? "vendor" : "run"}, worst first (${names})`,
    ...someOf(
      rows.map(({ id, sentence, kinds }) => `  ${kinds.map(signOf).join(" ")}  ${oneLine(id)}  ${oneLine(sentence)}`),
      mostRows,
    ),
  ];
}
