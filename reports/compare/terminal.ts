// What does somebody read on the terminal when runs are compared?
import { capped, oneLine } from "../text.ts";
import { words } from "../words.ts";
import type { Comparison, State } from "./comparison.ts";
import { headlineOf, headlineOfAll, type Piece, runLine, sectionsOf, tellingRows } from "./sections.ts";

/** What a stranger wrote is cut here. */
const longest_chars = 200;
const mostItems = 20;
const mostRows = 40;

const textOf = (pieces: readonly Piece[]): string =>
  pieces.map((piece) => (typeof piece === "string" ? piece : capped(oneLine(piece.text), longest_chars))).join("");

export const signOf = (kind: State["kind"]): string => (kind === "absent" ? "·" : words[kind].sign);

export function comparisonLines(comparison: Comparison): string[] {
  const { runs, pairs } = comparison;
  return [
    ...runs.map((run, index) => `${index === 0 ? "base" : "    "}  ${textOf(runLine(run))}`),
    ...(pairs.length > 1 ? ["", `${headlineOfAll(comparison)}.`] : []),
    ...pairs.flatMap((pair) => [
      "",
      `${pairs.length > 1 ? `${oneLine(runs[pair.head]?.name ?? "")}: ` : ""}${headlineOf(pair)}.`,
      ...sectionsOf(comparison, pair).flatMap(({ title, sign, items }) => [
        "",
        title,
        ...items.slice(0, mostItems).map(({ pieces }) => `  ${sign} ${textOf(pieces)}`),
        ...(items.length > mostItems ? [`    and ${items.length - mostItems} more`] : []),
      ]),
      ...pair.notes.map((note) => `  ${oneLine(note)}`),
    ]),
    ...(pairs.length > 1 ? matrixLines(comparison) : []),
  ];
}

function matrixLines(comparison: Comparison): string[] {
  const rows = tellingRows(comparison);
  if (rows.length === 0) return [];
  const names = comparison.runs
    .map(({ name }, index) => `${index + 1} ${capped(oneLine(name), longest_chars)}`)
    .join(", ");
  return [
    "",
    `Requirement by run, worst first (${names})`,
    ...rows
      .slice(0, mostRows)
      .map(({ id, sentence, kinds }) => `  ${kinds.map(signOf).join(" ")}  ${oneLine(id)}  ${oneLine(sentence)}`),
    ...(rows.length > mostRows ? [`  and ${rows.length - mostRows} more`] : []),
  ];
}
