// What a view says, once: sections of sentences, lists, tables and figures, for terminal, Markdown and HTML.
import type { Child } from "hono/jsx";
import type { Breach } from "../../harness/model/verdict.ts";
import type { ExchangeRecord } from "../../harness/record/journal.ts";
import { placeName } from "../breach.ts";
import { type Kind, nameOf, signOf } from "../words.ts";
import type { Mood } from "./frame.tsx";

/** The colour of a verdict; never the only sign of it. */
export type Tone = Kind | "none";

/**
 * Text from elsewhere, which each renderer makes safe and cuts. `code`: sent, received, expected, or to be typed ·
 * `quoting`: a sentence of ours with such texts in it, cut later · `aside`: small · `marked`: what differs · `sign`:
 * before it, for those who don't see colours · `to`: an anchor of the page, or an address.
 */
export interface Text {
  readonly text: string;
  readonly as?: "code" | "quoting" | "strong" | "aside" | "marked";
  readonly tone?: Tone;
  readonly sign?: string;
  readonly to?: string;
}

/** A string is in our own words, without markup. */
export type TextSpan = string | Text;
export type Sentence = readonly TextSpan[];

export const foreign = (text: string): TextSpan => ({ text });
export const code = (text: string): TextSpan => ({ text, as: "code" });
export const marked = (text: string): TextSpan => ({ text, as: "marked" });
export const quoting = (text: string): TextSpan => ({ text, as: "quoting" });

/** Our own words around spans and sentences. */
export const sentenceOf = (ours: TemplateStringsArray, ...parts: readonly (TextSpan | Sentence)[]): Sentence =>
  ours.flatMap((text, place) => [text, parts[place] ?? ""].flat()).filter((span) => span !== "");

/** Where an answer breaks a requirement, and how. @param got null for what is missing */
export function breachSentence({
  at,
  expected,
  got,
}: Pick<Breach, "at" | "expected"> & { readonly got: string | null }) {
  const place = code(placeName(at));
  return got === null
    ? sentenceOf`at ${place}: missing, expected ${code(expected)}`
    : sentenceOf`at ${place}: expected ${code(expected)}, got ${code(got)}`;
}

/** What a requirement is, as a sign and a word in its colour. */
export const verdictSpan = (kind: Kind | "absent"): Text => ({
  text: nameOf(kind),
  sign: signOf(kind),
  tone: kind === "absent" ? "none" : kind,
});

/** Where a block is shown; everywhere unless it says so. `text`: in the terminal and in Markdown. */
interface Placed {
  readonly only?: "page" | "text" | "terminal" | "markdown";
}

/** Of what may be cut. */
interface Cut extends Placed {
  /** That many items or rows are shown even where there is little room. */
  readonly fewest?: number;
}

export interface List extends Cut {
  readonly is: "list";
  readonly items: readonly Sentence[];
  /** Above them. */
  readonly label?: string;
  /** Before each item, in the section's colour. */
  readonly sign?: string;
}

/** Terms and what is said of each. */
export interface Terms extends Placed {
  readonly is: "terms";
  readonly entries: readonly (readonly [term: string, text: Sentence])[];
}

/** Shown where it has rows. */
export interface TextTable extends Cut {
  readonly is: "table";
  readonly caption: string;
  /** Where no heading beside it says the same. */
  readonly isCaptionShown?: boolean;
  /**
   * `figures`: numbers, on the right · `matrix`: texts, on the left · `few`: texts of few rows with short names, which
   * stand first in the terminal, too; on a phone each cell has its own line · `chips`: as few, whose cells are so short
   * that on a phone several stand in a line
   */
  readonly kind?: "figures" | "matrix" | "few" | "chips";
  readonly heads: readonly string[];
  /** The first cell of each row names it. */
  readonly rows: readonly (readonly Cell[])[];
}
export type Cell = string | number | Sentence | Element;

/** A chart, which only the page shows, and a table with the same figures. */
export interface ChartFigure extends Placed {
  readonly is: "figure";
  /** Our own markup or elements; null where the table is enough. */
  readonly svg: Child;
  /** Above the chart, where it doesn't name itself. */
  readonly title?: string;
  /** Of what is folded below the chart. */
  readonly summary?: string;
  readonly table: TextTable;
}

/** A shell line to copy. */
export interface ShellLine extends Placed {
  readonly is: "command";
  readonly label?: string;
  readonly text: string;
}

/** One answer, and what it breaks. */
export interface AnswerEvidence extends Placed {
  readonly is: "evidence";
  readonly breaches: readonly Breach[];
  /** In how many other answers the same is broken, and at how many places. */
  readonly elsewhere?: { readonly answers: number; readonly places: number };
  readonly request: ShellLine & { readonly label: string };
  /** What repeats it all. */
  readonly replay?: ShellLine;
  /** Headers of the answer by which its sender finds the request again. */
  readonly traces?: readonly (readonly [name: string, value: string])[];
  /** Null where it isn't recorded. */
  readonly exchange: ExchangeRecord | null;
}

/** An answer with nothing marked. */
export interface PlainAnswer extends Placed {
  readonly is: "answer";
  readonly exchange: ExchangeRecord;
  readonly longestBody_chars: number;
}

/** Sections side by side, where there is room. */
export interface Beside extends Placed {
  readonly is: "beside";
  readonly sections: readonly Section[];
}

/** What only this view's page has, such as a strip. */
export interface Element extends Placed {
  readonly is: "element";
  readonly element: Child;
}

export interface Section extends Placed {
  readonly is: "section";
  readonly title: Sentence;
  /** By which links lead to it. */
  readonly id?: string;
  /** In the table of contents, where the page has one. */
  readonly name?: string;
  readonly tone?: Tone;
  readonly isFolded?: boolean;
  /** Whether its title says something even where it holds nothing. */
  readonly standsAlone?: boolean;
  readonly blocks: readonly Block[];
}

export interface Paragraph extends Placed {
  readonly is: "sentence";
  readonly text: Sentence;
  readonly tone?: Tone;
  /** Small. */
  readonly isAside?: boolean;
}

export type Block =
  | Paragraph
  | List
  | Terms
  | TextTable
  | ChartFigure
  | ShellLine
  | AnswerEvidence
  | PlainAnswer
  | Beside
  | Element
  | Section;

/** The colour of a comparison's headline, by the exit code of its command. */
export const comparedMoods = { 0: "holds", 1: "broken", 3: "inconclusive" } as const satisfies Record<number, Mood>;

/** What one view says. */
export interface Document {
  /** What kind of view it is: `Assay 0.1.0, comparison`. */
  readonly kind: string;
  /** The first sentence: what its reader came for, without full stop. */
  readonly headline: string;
  /** `none`: neither good nor bad. */
  readonly mood: Mood | "none";
  /** Beside the headline in the title of the page; by default `Assay`. */
  readonly of?: string;
  /** By default its mood. */
  readonly icon?: Mood | "comparison";
  /** On the first screen, before the sections. */
  readonly first: readonly Block[];
  readonly sections: readonly Block[];
  /** Leads past the first screen, to a section. */
  readonly skip?: { readonly to: string; readonly text: string };
  /** The page is complete without it. */
  readonly script?: string;
  /** Before the headline in Markdown. */
  readonly sign?: string;
  readonly foot?: Sentence;
  /** Where the rest is: with this, the terminal shows 20 items of a list, and Markdown has at most 60 lines. */
  readonly more?: string;
}

export const paragraph = (...text: Sentence): Paragraph => ({ is: "sentence", text });
export const note = (...text: Sentence): Paragraph => ({ is: "sentence", text, isAside: true });

/** Shown where any of its blocks has something to show. */
export const sectionOf = (title: Sentence, ...blocks: readonly Block[]): Section => ({ is: "section", title, blocks });

/** Of the page alone, folded. */
export const detail = (title: string, ...blocks: readonly Block[]): Section => ({
  ...sectionOf([foreign(title)], ...blocks),
  isFolded: true,
  only: "page",
});

/**
 * Rows that say nothing are folded on the page, and counted in text.
 * @param isReported row by row, whether it says something
 * @param quiet what is said of so many that don't
 */
export function foldedTable(
  table: TextTable,
  isReported: readonly boolean[],
  quiet: (count: number) => string,
): readonly Block[] {
  const folded = table.rows.filter((_, row) => !isReported[row]);
  if (folded.length === 0) return [table];
  const title = quiet(folded.length);
  return [
    { ...table, rows: table.rows.filter((_, row) => isReported[row]) },
    detail(title, { ...table, caption: title, rows: folded }),
    { ...note(`${title}.`), only: "text" },
  ];
}

/** Nothing to show. */
export const isEmpty = (block: Block): boolean =>
  (block.is === "table" && block.rows.length === 0) ||
  (block.is === "list" && block.items.length === 0) ||
  (block.is === "terms" && block.entries.length === 0) ||
  (block.is === "figure" && block.table.rows.length === 0) ||
  (block.is === "beside" && block.sections.every(isEmpty)) ||
  (block.is === "section" && !block.standsAlone && block.blocks.every(isEmpty));

type Medium = "page" | "terminal" | "markdown";

/** Those with something to show there. */
export const shownIn = <One extends Block>(medium: Medium, blocks: readonly One[]): readonly One[] =>
  blocks.filter(
    (block) =>
      !isEmpty(block) &&
      (block.only === undefined || block.only === medium || (block.only === "text" && medium !== "page")) &&
      (medium === "page" || block.is !== "element"),
  );

/** What links in the page can lead to. */
export const linkTargetsIn = (blocks: readonly Block[]): ReadonlySet<string> =>
  new Set(
    shownIn("page", blocks).flatMap((block): string[] =>
      block.is === "section" ? [...(block.id === undefined ? [] : [block.id]), ...linkTargetsIn(block.blocks)] : [],
    ),
  );

/** A cell as a sentence; none of an element, which only a page shows. */
export const sentenceIn = (cell: Cell): Sentence => {
  if (typeof cell === "string") return [{ text: cell }];
  if (typeof cell === "number") return [String(cell)];
  return "is" in cell ? [] : cell;
};
