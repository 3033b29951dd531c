// A document as Markdown for a ticket, a CI job's summary or a pull request.
import { answeredText, gotText, isMissing } from "../breach.ts";
import { codeSpan, fenced, plain } from "../markdownText.ts";
import { counted, whenText } from "../numbers.ts";
import { capped } from "../text.ts";
import {
  type AnswerEvidence,
  type Block,
  breachSentence,
  type Document,
  type Section,
  type Sentence,
  type ShellLine,
  sentenceIn,
  shownIn,
  type TextTable,
} from "./document.ts";

export const mostLines = 60;
const longest_chars = 200;
const longestHeadline_chars = 500;
const longestBody_chars = 4_000;
const mostPlaces = 8;

/** How many items each list shows: fewer until all fits. */
const fewerAndFewer = [20, 12, 8, 5, 3, 2, 1, 0] as const;

const quoted = (text: string): string => codeSpan(text, longest_chars);

/** What can neither be markup nor mention somebody; a code span stays one. A colon before a slash would be a link. */
const bare = /^(?:[\p{L}\p{N} ,;'’"()§.·×±→…–%=+?{}/-]|:(?=\s)|`[^`\n]+`)+$/u;
/** What would be a list, a heading or a link at the beginning, or a line at the end. */
const isBare = (text: string): boolean => bare.test(text) && !/^\s|\s$|www\.|-$|^[-+=]|^\d+[.)] /.test(text);

function spanText(span: Sentence[number]): string {
  if (typeof span === "string") return span;
  const { text, as, sign, to } = span;
  // Cut first: a code span that loses its end would set free what it held.
  const short = capped(text, longest_chars);
  if (short === "") return "";
  const shown = isBare(short) && as !== "code" ? short : quoted(text);
  const linked = to?.startsWith("https://") ? `[${shown}](${to})` : shown;
  return `${sign ? `${sign} ` : ""}${as === "strong" || as === "marked" ? `**${linked}**` : linked}`;
}

const textOf = (sentence: Sentence): string => sentence.map(spanText).join("");

/** Nothing from elsewhere is markup; what doesn't fit is counted. */
export function documentMarkdown(document: Document): string {
  const { more } = document;
  if (more === undefined) return `${single(linesWith(document, Number.POSITIVE_INFINITY)).join("\n")}\n`;
  for (const most of fewerAndFewer) {
    const text = single(linesWith(document, most)).join("\n");
    // Commands have several lines.
    if (text.split("\n").length <= mostLines) return `${text}\n`;
  }
  return `${[...single(linesWith(document, 0)).slice(0, mostLines - 2), "", more].join("\n")}\n`;
}

/** Without blank lines at either end, or after others. */
const single = (lines: readonly string[]): readonly string[] =>
  lines.filter((line, index) => line !== "" || (index > 0 && lines[index - 1] !== "" && index < lines.length - 1));

const linesWith = (document: Document, most: number): readonly string[] => {
  const { headline, sign, first, sections, foot } = document;
  return [
    `## ${sign ? `${sign} ` : ""}${isBare(headline) ? headline : codeSpan(headline, longestHeadline_chars)}`,
    ...blocksWith(first, most, 0),
    ...blocksWith(sections, most, 0),
    "",
    ...(foot ? [textOf(foot)] : []),
  ];
};

const blocksWith = (blocks: readonly Block[], most: number, depth: number): readonly string[] =>
  shownIn("markdown", blocks).flatMap((block, nth, all) => [
    // Lists follow each other; without empty lines around it a heading isn't one everywhere, nor is a label.
    ...(block.is === "list" && !block.label && all[nth - 1]?.is === "list" ? [] : [""]),
    ...blockWith(block, most, depth),
  ]);

function blockWith(block: Block, most: number, depth: number): readonly string[] {
  switch (block.is) {
    case "sentence":
      return [textOf(block.text)];
    case "list":
      return [
        ...(block.label ? [`${block.label}:`, ""] : []),
        ...listed(
          block.items.map((item) => `- ${block.sign ? `${block.sign} ` : ""}${textOf(item)}`),
          Math.max(block.fewest ?? 0, most),
        ),
      ];
    case "terms":
      return block.entries.map(([term, text]) => `- ${term}: ${textOf(text)}`);
    case "table":
      return tableWith(block, most);
    case "figure":
      return tableWith(block.table, most);
    case "command":
      return commandOf(block);
    case "evidence":
      return evidenceOf(block);
    case "answer":
      return [answerOf(block.exchange)];
    case "beside":
      return blocksWith(block.sections, most, depth);
    case "section":
      return sectionWith(block, most, depth);
    default:
      return [];
  }
}

/** Headings down to the fourth level, then bold lines. */
function sectionWith({ title, isFolded, blocks }: Section, most: number, depth: number): readonly string[] {
  const bare = title.map((span) => (typeof span === "string" ? span : span.text)).join("");
  if (isFolded)
    return [`<details><summary>${plain(bare)}</summary>`, ...blocksWith(blocks, most, depth + 1), "", "</details>"];
  const [only] = shownIn("markdown", blocks);
  const heading = depth < 2 ? `${"#".repeat(depth + 3)} ${textOf(title)}` : `**${textOf(title)}**`;
  if (most === 0 && only?.is === "list") return [`${heading}: ${only.items.length}`];
  return [heading, ...blocksWith(blocks, most, depth + 1)];
}

const listed = (lines: readonly string[], most: number): readonly string[] => [
  ...lines.slice(0, most),
  ...(lines.length > most ? [`- and ${lines.length - most} more`] : []),
];

/** In a table, a bar ends the cell even in code (GFM §4.10). */
const rowOf = (cells: readonly Sentence[]): string =>
  `| ${cells.map((cell) => textOf(cell).replaceAll("|", "\\|")).join(" | ")} |`;

function tableWith({ heads, rows, fewest = 0 }: TextTable, room: number): readonly string[] {
  const most = Math.max(fewest, room);
  if (most === 0) return [counted(rows.length, "row")];
  return [
    rowOf(heads.map((head) => [{ text: head }])),
    `|${" --- |".repeat(heads.length)}`,
    ...rows.slice(0, most).map((row) => rowOf(row.map(sentenceIn))),
    ...(rows.length > most ? ["", `and ${rows.length - most} more`] : []),
  ];
}

const commandOf = ({ label, text }: ShellLine): readonly string[] => [
  ...(label ? [`${label}:`, ""] : []),
  fenced("sh", text),
];

function evidenceOf(evidence: AnswerEvidence): readonly string[] {
  const { breaches, request, replay, traces = [], exchange } = evidence;
  const places = breaches
    .slice(0, mostPlaces)
    .map((breach) => `- ${textOf(breachSentence({ ...breach, got: isMissing(breach) ? null : gotText(breach) }))}`);
  const rest = breaches.length - mostPlaces;
  const list = [...places, ...(rest > 0 ? [`- and at ${counted(rest, "more place")} of this answer`] : [])];
  if (exchange === null) return list;
  return [
    ...list,
    "",
    ...commandOf({ ...request, label: `${request.label}, ${whenText(exchange.sentAt)}` }),
    ...(replay ? ["", ...commandOf(replay)] : []),
    ...(traces.length > 0 ? ["", "In your logs:", ""] : []),
    ...traces.map(([name, value]) => `- ${quoted(name)} ${quoted(value)}`),
    "",
    "Answer:",
    "",
    answerOf(exchange),
  ];
}

function answerOf({ answer, fault }: NonNullable<AnswerEvidence["exchange"]>): string {
  const head = answer ? [`HTTP ${answer.status}`, ...answer.headers.map(([name, value]) => `${name}: ${value}`)] : [];
  const text = answer ? [...head, "", answer.body].join("\n") : answeredText({ answer, fault });
  return fenced("http", capped(text, longestBody_chars));
}
