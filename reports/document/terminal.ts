// A document as terminal lines.
import { styleText } from "node:util";
import { answeredText, breachText, describeCase } from "../breach.ts";
import { fewOf } from "../lists.ts";
import { counted } from "../numbers.ts";
import { capped, oneLine } from "../text.ts";
import {
  type AnswerEvidence,
  type Block,
  type Document,
  type Section,
  type Sentence,
  type ShellLine,
  sentenceIn,
  shownIn,
  type TextTable,
  type Tone,
} from "./document.ts";

/** Texts from a platform are cut to this length. */
const longest_chars = 200;
/** Lines to copy, and sentences of ours, are cut only where they would fill the screen. */
const longestLine_chars = 2_000;
/** Of a list and of a table, where the rest is elsewhere. */
const mostItems = 20;
const mostRows = 40;
/** Of one answer. */
const mostPlaces = 3;

/** Colours a word by what it says; the same text where there are no colours. */
export type Paint = (text: string, tone: Tone) => string;
const plain: Paint = (text) => text;

const styles: { readonly [tone in Tone]?: Parameters<typeof styleText>[0] } = {
  broken: "red",
  warned: "yellow",
  inconclusive: "magenta",
  holds: "green",
};

/** @param stream a terminal shows colours, unless it can't; NO_COLOR, FORCE_COLOR and TERM are heeded */
export const paintFor = (stream: { readonly isTTY?: boolean; hasColors?(): boolean }): Paint =>
  stream.isTTY && stream.hasColors?.() ? (text, tone) => styleText(styles[tone] ?? [], text) : plain;

interface Rendering {
  /** Whether the rest of lists is elsewhere. */
  readonly isCut: boolean;
  readonly paint: Paint;
}

const whole: Rendering = { isCut: false, paint: plain };

const line = (text: string): string => capped(oneLine(text), longestLine_chars);
const short = (text: string): string => capped(oneLine(text), longest_chars);

function spanText(span: Sentence[number], paint: Paint): string {
  if (typeof span === "string") return span;
  const { text, as, tone, sign } = span;
  const signed = `${sign ? `${sign} ` : ""}${as === "quoting" ? line(text) : short(text)}`;
  return tone ? paint(signed, tone) : signed;
}

export const sentenceLine = (sentence: Sentence, paint: Paint = plain): string =>
  sentence.map((span) => spanText(span, paint)).join("");

/** The headline first, then its evidence. */
export const documentLines = ({ headline, first, sections, more }: Document): readonly string[] => [
  `${oneLine(headline)}.`,
  ...blocksLines([...first, ...sections], "", { isCut: more !== undefined, paint: plain }),
];

/** The headline and what stands with it last, where a reader's eye is once the command has ended. */
export function closingLines({ headline, mood, first, sections }: Document, paint = plain): readonly string[] {
  const before = blocksLines(sections, "", { isCut: false, paint });
  const isApart = shownIn("terminal", sections).some(({ is }) => is === "section");
  return [
    ...before,
    ...(isApart ? [""] : []),
    `${paint(oneLine(headline), mood)}.`,
    ...blocksLines(first, "", { isCut: false, paint }),
  ];
}

/** A section alone: its title, and what it holds. */
export const linesInSection = (section: Section): readonly string[] => sectionLines(section, whole).slice(1);

/** Blocks alone, as the terminal shows them. */
export const textLines = (blocks: readonly Block[]): readonly string[] => blocksLines(blocks, "", whole);

const blocksLines = (blocks: readonly Block[], indent: string, rendering: Rendering): readonly string[] =>
  shownIn("terminal", blocks).flatMap((block) => blockLines(block, indent, rendering));

function blockLines(block: Block, indent: string, rendering: Rendering): readonly string[] {
  const { isCut, paint } = rendering;
  switch (block.is) {
    case "sentence":
      return [`${indent}${sentenceLine(block.text, paint)}`];
    case "list":
      return [
        ...(block.label ? [`${indent}${block.label}:`] : []),
        ...cut(
          block.items.map((item) => `  ${block.sign ? `${block.sign} ` : ""}${sentenceLine(item, paint)}`),
          isCut ? mostItems : Number.POSITIVE_INFINITY,
        ),
      ];
    case "terms":
      return block.entries.map(([term, text]) => `  ${term}: ${sentenceLine(text, paint)}`);
    case "table":
      return tableLines(block, isCut);
    case "figure":
      return tableLines(block.table, isCut);
    case "command":
      return [`  ${commandLine(block)}`];
    case "evidence":
      return evidenceLines(block).map((text) => `  ${text}`);
    case "beside":
      return blocksLines(block.sections, "", rendering);
    case "section":
      return sectionLines(block, rendering);
    default:
      return [];
  }
}

const sectionLines = ({ title, blocks }: Section, rendering: Rendering): readonly string[] => [
  "",
  sentenceLine(title, rendering.paint),
  ...blocksLines(blocks, "  ", rendering),
];

/** Within a line a label is no title. */
const commandLine = ({ label, text }: ShellLine): string => `${label ? `${label.toLowerCase()}: ` : ""}${line(text)}`;

/** What was sent, what came, and where it differs from what was expected. */
function evidenceLines(evidence: AnswerEvidence): readonly string[] {
  const { breaches, elsewhere, request, replay, exchange } = evidence;
  const places = breaches.slice(0, mostPlaces);
  const rest = breaches.length - places.length + (elsewhere?.places ?? 0);
  const inAnswers = elsewhere ? `, in ${counted(elsewhere.answers + 1, "answer")} in all` : "";
  const cases = breaches.flatMap(({ counterexample }) => (counterexample ? [describeCase(counterexample)] : []));
  return [
    ...(exchange ? [`${short(exchange.title)} → ${short(answeredText(exchange))}`] : []),
    ...places.map((breach) => breachText(breach, short)),
    ...cases.slice(0, 1).map(short),
    ...(rest > 0 ? [`and at ${counted(rest, "more place")}${inAnswers}`] : []),
    ...(exchange?.answer?.body ? [`answer: ${short(exchange.answer.body)}`] : []),
    ...(exchange ? [line(request.text)] : []),
    ...(replay ? [commandLine(replay)] : []),
  ];
}

const cut = (lines: readonly string[], most: number): readonly string[] => {
  const { shown, rest } = fewOf(lines, most);
  return rest > 0 ? [...shown, `    and ${rest} more`] : shown;
};

/** What names a row is mostly the longest, and stands last. */
function tableLines({ heads, rows, kind }: TextTable, isCut: boolean): readonly string[] {
  const cells = [heads.map((head) => [head]), ...rows.map((row) => row.map(sentenceIn))].map(([name = [], ...others]) =>
    (kind === "few" || kind === "chips" ? [name, ...others] : [...others, name]).map((cell) => sentenceLine(cell)),
  );
  const widths = heads.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const lines = cells.map((row) => {
    const padded = row.map((text, column) => (column < row.length - 1 ? text.padEnd(widths[column] ?? 0) : text));
    return `  ${padded.filter((_, column) => widths[column] !== 0).join("  ")}`;
  });
  return cut(lines, isCut ? mostRows : Number.POSITIVE_INFINITY);
}
