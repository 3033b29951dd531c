// Where two texts differ first, as a reader finds the place: a member of JSON, or a line.
import { isObject, type Json } from "../harness/core/json.ts";
import { counted } from "../reports/numbers.ts";
import { capped, oneLine } from "../reports/text.ts";

/** What stands at a place in one text, and in the other; undefined where there is nothing. */
interface Difference {
  /** Where, e.g. `/totals/broken` or `line 3`. */
  readonly at: string;
  readonly is: string | undefined;
  readonly other: string | undefined;
}

const longest_chars = 80;

/** `/totals/broken is 1, and 0 by the journal`. @param by what the other text was made from, e.g. `by the journal` */
export function firstDifference(text: string, other: string, by: string): string {
  const { at, is, other: made } = inJson(text, other) ?? inLines(text, other);
  const place = at === "" ? "the whole" : at;
  if (is === undefined) return `${place} is missing, and ${made} ${by}`;
  return `${place} is ${is}, and ${made === undefined ? "nothing" : made} ${by}`;
}

/** Null where one isn't JSON, or both are the same but for their layout. */
function inJson(text: string, other: string): Difference | null {
  try {
    return between(JSON.parse(text) as Json, JSON.parse(other) as Json, "", "");
  } catch {
    return null;
  }
}

/** @param name of the requirement that a place is in */
function between(is: Json | undefined, other: Json | undefined, at: string, name: string): Difference | null {
  if (Array.isArray(is) && Array.isArray(other)) return betweenMembers(membersOf(is), membersOf(other), at, name);
  if (isObject(is) && isObject(other)) return betweenMembers(is, other, at, idIn(other, at) ?? name);
  if (is === other) return null;
  return { at: `${at}${name}`, ...shownBeside(writtenOf(is), writtenOf(other)) };
}

type Members = { readonly [name: string]: Json };
const membersOf = (items: readonly Json[]): Members => Object.fromEntries(Object.entries(items));

function betweenMembers(is: Members, other: Members, at: string, name: string): Difference | null {
  const ofBoth = (member: string, of: Members): Json | undefined =>
    Object.hasOwn(of, member) ? of[member] : undefined;
  for (const member of new Set([...Object.keys(other), ...Object.keys(is)])) {
    const found = between(ofBoth(member, is), ofBoth(member, other), `${at}/${member}`, name);
    if (found) return found;
  }
  return null;
}

/** Of an item of a list. */
const idIn = ({ id }: Members, at: string): string | undefined =>
  typeof id === "string" && /\/\d+$/.test(at) ? ` (${capped(id, longest_chars)})` : undefined;

const writtenOf = (value: Json | undefined): string | undefined =>
  value === undefined ? undefined : JSON.stringify(value);

function inLines(text: string, other: string): Difference {
  const [lines, others] = [text.split("\n"), other.split("\n")];
  const nth = lines.findIndex((line, place) => line !== others[place]);
  const place = nth === -1 ? lines.length : nth;
  const quoted = (line: string | undefined): string | undefined => (line === undefined ? undefined : `"${line}"`);
  return { at: `line ${place + 1}`, ...shownBeside(quoted(lines[place]), quoted(others[place])) };
}

const moreText = (left: number): string => `… (${counted(left, "more character")})`;

/** Both from shortly before where they differ. */
function shownBeside(is: string | undefined, other: string | undefined): Pick<Difference, "is" | "other"> {
  let at = 0;
  if (is !== undefined && other !== undefined) while (at < is.length && is[at] === other[at]) at += 1;
  const from = Math.max(0, at - longest_chars / 4);
  const shown = (whole: string | undefined): string | undefined => {
    if (!whole) return whole;
    // Before it is made safe: a text may have megabytes of what is shown by several characters each.
    const text = oneLine(whole.slice(from, from + longest_chars));
    const left = whole.length - from - longest_chars;
    return `${from === 0 ? "" : whole.startsWith('"') ? '"…' : "…"}${text}${left > 0 ? moreText(left) : ""}`;
  };
  return { is: shown(is), other: shown(other) };
}
