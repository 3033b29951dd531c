// Text from a platform, made safe to look at.
import { numberText } from "./numbers.ts";

/** Characters that steer a terminal, hide, or reorder their neighbours. */
const unseen = /^[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]$/u;
/** Tested one by one; line feed, tab and printable ASCII pass at once. */
const suspect = /[^\n\t -~]/gu;

/** By code: the control pictures (␀) are missing from many fonts. */
const nameOf = (char: string): string =>
  `⟨U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;

/** The text with each invisible character named (⟨U+001B⟩); lines stay lines. */
export const visible = (text: string): string =>
  text.replaceAll("\r\n", "\n").replace(suspect, (char) => (unseen.test(char) ? nameOf(char) : char));

/** `visible` on one line. */
export const oneLine = (text: string): string => visible(text).replaceAll("\n", "↵").replaceAll("\t", "⇥");

/** What runners of CI jobs obey wherever it stands: GitHub's, that of Azure Pipelines, and TeamCity's. */
const commandSigns = /##(?=\[|vso\[|teamcity\[)/gi;

/** Lines in which no runner obeys a command: GitHub's reads one where a line begins with two colons, too. */
export const inert = (text: string): string =>
  text
    .split("\n")
    .map((line) => {
      const at = line.length - line.trimStart().length;
      return line.startsWith("::", at) ? `${line.slice(0, at)}:⟨:⟩${line.slice(at + 2)}` : line;
    })
    .join("\n")
    .replace(commandSigns, "#⟨#⟩");

/** JSON of the same value, in which nothing steers a terminal or a runner. No line of JSON begins with colons. */
export const inertJson = (json: string): string =>
  json.replace(suspect, (char) => (unseen.test(char) ? escapes(char) : char)).replace(commandSigns, `#${escapes("#")}`);

const escapes = (text: string): string =>
  text.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Cut between characters, with a count of what was left out. */
export function capped(text: string, longest_chars: number): string {
  if (text.length <= longest_chars) return text;
  const kept = text.slice(0, longest_chars).replace(/[\ud800-\udbff]$/, "");
  return `${kept}… (${numberText(text.length - kept.length)} more characters)`;
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Longer texts are cut first of all. */
const longest_chars = 100_000;
/** Deeper values are cut, so that nothing that walks them runs out of stack. */
const deepest = 64;

/** The same data with every text in it `visible`, member names included. */
export const shown = <Data>(data: Data): Data => walk(data, 0) as Data; // The shape stays; only texts differ.

function walk(data: unknown, depth: number): unknown {
  if (typeof data === "string") return capped(visible(data), longest_chars);
  if (typeof data !== "object" || data === null) return data;
  if (depth > deepest) return "…";
  if (Array.isArray(data)) return data.map((one) => walk(one, depth + 1));
  return Object.fromEntries(Object.entries(data).map(([name, one]) => [visible(name), walk(one, depth + 1)]));
}
