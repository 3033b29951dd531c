// The difference between an expected value and what came.
import { isJson } from "../text.ts";

/** What came: its beginning and end as expected, and the middle that differs. */
export interface TextDifference {
  readonly before: string;
  readonly differs: string;
  readonly after: string;
}

/** How much is shown of equal parts. */
const context_chars = 40;
const longestDifference_chars = 600;

/** How many characters all have in common at the beginning, and at the end of what is left. */
export function commonEndsOf(texts: readonly (readonly string[])[]): { readonly head: number; readonly tail: number } {
  const [first = [], ...others] = texts;
  const shortest = Math.min(...texts.map(({ length }) => length));
  const isCommon = (place: number): boolean => others.every((other) => other.at(place) === first.at(place));
  let head = 0;
  while (head < shortest && isCommon(head)) head += 1;
  let tail = 0;
  while (tail < shortest - head && isCommon(-1 - tail)) tail += 1;
  return { head, tail };
}

/** Marks what differs between two values; where one is a description, everything differs. */
export function differenceOf(expected: string, got: string): TextDifference {
  const one = isJson(expected) && isJson(got) ? [...expected] : [];
  const other = [...got];
  const { head, tail } = commonEndsOf([one, other]);
  const differs = other.slice(head, other.length - tail);
  if (differs.length === 0) return { before: "", differs: got, after: "" };
  const more = differs.length - longestDifference_chars;
  return {
    before: `${head > context_chars ? "…" : ""}${other.slice(Math.max(0, head - context_chars), head).join("")}`,
    differs: `${differs.slice(0, longestDifference_chars).join("")}${more > 0 ? `… (${more} more)` : ""}`,
    after: `${other
      .slice(other.length - tail)
      .slice(0, context_chars)
      .join("")}${tail > context_chars ? "…" : ""}`,
  };
}
