// The body of an answer, indented, with the places of breaches marked.
import { createScanner, format, type Node, parseTree } from "jsonc-parser";
import { numberText } from "../numbers.ts";
import { isJson } from "../text.ts";

/** `missing`: our note on a missing member; `cut`: on what is left out; the rest is the body's own text. */
export interface Piece {
  readonly is: "plain" | "marked" | "missing" | "cut";
  readonly text: string;
}

/** A marked place in a text; an empty one carries a note. */
interface Mark {
  readonly from: number;
  readonly to: number;
  readonly note: string | null;
}

/** Deeper JSON isn't indented: it would grow with the square of its depth. */
const deepestIndented = 32;
/** Of a longer value, this much is marked. */
const longestMark_chars = 300;
const mostMarks = 200;
/** Shown before a place far down. */
const lead_chars = 600;

/** The body with the places at these JSON pointers marked, JSON indented, about `longest_chars` of it. */
export function piecesOf(body: string, pointers: readonly string[], longest_chars: number): readonly Piece[] {
  const text = indented(body);
  const root = text === null ? undefined : parseTree(text, [], { disallowComments: true });
  if (text === null || !root) return piecesBetween(body, [], 0, longest_chars);
  const marks = innermost(
    [...new Set(pointers)].slice(0, mostMarks).flatMap((pointer) => markAt(text, root, pointer) ?? []),
  );
  const from = startOfWindow(text, marks[0], longest_chars);
  return piecesBetween(text, marks, from, from + longest_chars);
}

/** Indented with literals as they are: 1.0 stays 1.0. Null where it isn't JSON, or is too deep. */
function indented(body: string): string | null {
  if (!isJson(body) || depthOf(body) > deepestIndented) return null;
  // Joined here: the library's applyEdits copies the whole text at each edit, 40 ms for 64 kB.
  const parts: string[] = [];
  let at = 0;
  for (const { offset, length, content } of format(body, undefined, { insertSpaces: true, tabSize: 2, eol: "\n" })) {
    parts.push(body.slice(at, offset), content);
    at = offset + length;
  }
  return parts.join("") + body.slice(at);
}

function depthOf(json: string): number {
  const scanner = createScanner(json);
  let depth = 0;
  let deepest = 0;
  while (scanner.getPosition() < json.length) {
    scanner.scan();
    const first = json[scanner.getTokenOffset()];
    if (first === "{" || first === "[") deepest = Math.max(deepest, (depth += 1));
    else if (first === "}" || first === "]") depth -= 1;
  }
  return deepest;
}

const innermost = (marks: readonly Mark[]): readonly Mark[] =>
  marks
    .filter(
      (one) =>
        !marks.some(
          (other) => other.from >= one.from && other.to <= one.to && other.to - other.from < one.to - one.from,
        ),
    )
    .sort((a, b) => a.from - b.from);

function markAt(text: string, root: Node, pointer: string): Mark | null {
  let here = root;
  for (const raw of pointer.split("/").slice(1)) {
    const step = raw.replaceAll("~1", "/").replaceAll("~0", "~");
    const next = childOf(here, step);
    if (!next) return { from: here.offset + 1, to: here.offset + 1, note: `${step} is missing here` };
    here = next;
  }
  const { offset, length } = here.parent?.type === "property" ? here.parent : here;
  const firstLine = text.indexOf("\n", offset);
  const to =
    length > longestMark_chars && firstLine > 0
      ? Math.min(firstLine, offset + longestMark_chars)
      : offset + Math.min(length, longestMark_chars);
  return { from: offset, to, note: null };
}

/** Of members with the same name the last counts, as for parsers. */
function childOf(node: Node, step: string): Node | undefined {
  if (node.type === "array") return /^\d+$/.test(step) ? node.children?.[Number(step)] : undefined;
  if (node.type !== "object") return undefined;
  return node.children?.findLast(({ children }) => children?.[0]?.value === step)?.children?.[1];
}

/** The beginning, unless that would cut off the first marked place. */
function startOfWindow(text: string, first: Mark | undefined, longest_chars: number): number {
  if (!first || first.to <= longest_chars) return 0;
  return text.lastIndexOf("\n", Math.max(0, first.from - Math.min(lead_chars, longest_chars / 2))) + 1;
}

function piecesBetween(text: string, marks: readonly Mark[], from: number, to: number): readonly Piece[] {
  const end = Math.min(text.length, to);
  const pieces: Piece[] = from > 0 ? [{ is: "cut", text: `… ${numberText(from)} characters before` }] : [];
  let at = from;
  for (const mark of marks) {
    if (mark.from < at || mark.to > end) continue;
    pieces.push({ is: "plain", text: text.slice(at, mark.from) });
    pieces.push(
      mark.note === null ? { is: "marked", text: text.slice(mark.from, mark.to) } : { is: "missing", text: mark.note },
    );
    at = mark.to;
  }
  pieces.push({ is: "plain", text: text.slice(at, end) });
  if (end < text.length) pieces.push({ is: "cut", text: `… ${numberText(text.length - end)} more characters` });
  return pieces.filter((piece) => piece.text !== "");
}
