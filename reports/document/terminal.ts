// A document as terminal lines.
import { fewOf } from "../lists.ts";
import { capped, oneLine } from "../text.ts";
import {
  type Block,
  type Document,
  type Section,
  type Sentence,
  sentenceIn,
  shownIn,
  type TextTable,
} from "./document.ts";

/** Text from a platform is cut here. */
const longest_chars = 200;
/** A line to copy is cut only where it would fill the screen. */
const command_chars = 2_000;
/** Of a list and of a table, where the rest is elsewhere. */
const mostItems = 20;
const mostRows = 40;

const spanText = (span: Sentence[number]): string =>
  typeof span === "string" ? span : `${span.sign ? `${span.sign} ` : ""}${capped(oneLine(span.text), longest_chars)}`;
const textOf = (sentence: Sentence): string => sentence.map(spanText).join("");

/** The headline first, then what it rests on. */
export function documentLines({ headline, first, sections, more }: Document): readonly string[] {
  const isCut = more !== undefined;
  return [
    `${oneLine(headline)}.`,
    ...shownIn("terminal", first).flatMap((block) => blockLines(block, "", isCut)),
    ...shownIn("terminal", sections).flatMap((block) => blockLines(block, "", isCut)),
  ];
}

function blockLines(block: Block, indent: string, isCut: boolean): readonly string[] {
  switch (block.is) {
    case "sentence":
      return [`${indent}${textOf(block.text)}`];
    case "list":
      return cut(
        block.items.map((item) => `  ${block.sign ? `${block.sign} ` : ""}${textOf(item)}`),
        isCut ? mostItems : Number.POSITIVE_INFINITY,
      );
    case "terms":
      return block.entries.map(([term, text]) => `  ${term}: ${textOf(text)}`);
    case "table":
      return tableLines(block, isCut);
    case "figure":
      return tableLines(block.table, isCut);
    case "command":
      return [`  ${block.label ? `${block.label}: ` : ""}${capped(oneLine(block.text), command_chars)}`];
    case "beside":
      return shownIn("terminal", block.sections).flatMap((section) => sectionLines(section, isCut));
    case "section":
      return sectionLines(block, isCut);
    default:
      return [];
  }
}

function sectionLines({ title, blocks }: Section, isCut: boolean): readonly string[] {
  return ["", textOf(title), ...shownIn("terminal", blocks).flatMap((block) => blockLines(block, "  ", isCut))];
}

const cut = (lines: readonly string[], most: number): readonly string[] => {
  const { shown, rest } = fewOf(lines, most);
  return rest > 0 ? [...shown, `    and ${rest} more`] : shown;
};

/** What names a row is the longest, and stands last. */
function tableLines({ heads, rows }: TextTable, isCut: boolean): readonly string[] {
  const cells = [heads.map((head) => [head]), ...rows.map((row) => row.map(sentenceIn))].map(([name = [], ...others]) =>
    [...others, name].map(textOf),
  );
  const widths = heads.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const lines = cells.map((row) => {
    const padded = row.map((text, column) => (column < row.length - 1 ? text.padEnd(widths[column] ?? 0) : text));
    return `  ${padded.filter((_, column) => widths[column] !== 0).join("  ")}`;
  });
  return cut(lines, isCut ? mostRows : Number.POSITIVE_INFINITY);
}
