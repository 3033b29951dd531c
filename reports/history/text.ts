// Histories as terminal lines, as Markdown of at most 60 lines, and as JSON
import * as markdown from "../compare/markdown.ts";
import type { Section } from "../compare/sections.ts";
import * as terminal from "../compare/terminal.ts";
import type { Item } from "../compare/wording.ts";
import type { History } from "./history.ts";
import type { Night } from "./night.ts";
import { flakySection, headlineIn, sinceIn, titleOf, type Words } from "./sections.ts";
import type { Strip } from "./strips.ts";

interface Form {
  readonly textOf: (item: Item) => string;
  readonly heading: (level: 2 | 3, text: string) => string;
  readonly linesOf: (section: Section) => readonly string[];
}

const blocksOf = (history: History, words: Words, { textOf, heading, linesOf }: Form): readonly string[] => [
  "",
  heading(2, textOf(titleOf(history))),
  "",
  `${headlineIn(history)}.`,
  "",
  ...flakySection(history, words).flatMap(linesOf),
  ...sinceIn(history, words).flatMap(({ title, sections }) => [
    "",
    heading(3, sections.length > 0 ? title : `${title}: no change`),
    "",
    ...sections.flatMap(linesOf),
  ]),
];

export function historyLines(histories: readonly History[], words: Words): readonly string[] {
  const form: Form = { textOf: terminal.textOf, heading: (_, text) => text, linesOf: terminal.sectionLines };
  return markdown.single(histories.flatMap((history) => blocksOf(history, words, form)));
}

export const historyMarkdown = (histories: readonly History[], words: Words): string =>
  markdown.fitted(
    (most) =>
      histories.flatMap((history) =>
        blocksOf(history, words, {
          textOf: markdown.textOf,
          heading: (level, text) => `${"#".repeat(level)} ${text}`,
          linesOf: (section) => markdown.sectionLines(section, most),
        }),
      ),
    "The page of this history has more.",
  );

/** Without what only a history's file has: histograms, and what is packed. */
export function historyJson(histories: readonly History[]): string {
  const nightOf = ({ packed: _, latencies, ...night }: Night) => ({
    ...night,
    latencies: latencies.map(({ histogram: __, ...one }) => one),
  });
  const stripOf = ({ states, ...strip }: Strip) => ({ ...strip, kinds: states.map(({ kind }) => kind) });
  const all = histories.map((one) => ({ ...one, nights: one.nights.map(nightOf), strips: one.strips.map(stripOf) }));
  return JSON.stringify(all, null, 1);
}
