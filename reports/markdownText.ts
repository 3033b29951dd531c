// Text in Markdown: our own words, code spans and code blocks, in which nothing is markup.
import { capped, oneLine } from "./text.ts";

const longestRun = (text: string): number => Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));

/** A code span with a fence longer than any run of backticks in it (CommonMark §6.1). */
export function codeSpan(text: string, longest_chars: number): string {
  const line = capped(oneLine(text), longest_chars);
  const fence = "`".repeat(longestRun(line) + 1);
  const pad = /^`|`$|^ .* $/.test(line) || line.trim() === "" ? " " : "";
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** A code block whose fence is longer than any run of backticks in it (CommonMark §4.5). */
export function fenced(language: string, text: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${text}\n${fence}`;
}

/** Each of these signs as a character reference. */
export const references = (text: string, signs: RegExp): string =>
  oneLine(text).replace(signs, (sign) => `&#${sign.charCodeAt(0)};`);

/** Our own sentences, with the signs of Markdown and HTML escaped. */
export const plain = (text: string): string => references(text, /[\\`*_[\]<>|&~]/g);
