// The error for wrong flags, files and environment, and suggestions for misspelt words.
import { closest, distance } from "fastest-levenshtein";

/** Ends the command with exit code 2. Its message is all that the user reads: what is wrong, where, what to do. */
export class CommandLineError extends Error {}

/** ` (did you mean "paid"?)` where a known word is similar, otherwise "". */
export function suggestion(word: string, candidates: readonly string[]): string {
  if (candidates.length === 0) return "";
  const nearest = closest(word, candidates);
  return distance(word.toLowerCase(), nearest.toLowerCase()) <= Math.max(2, Math.floor(word.length / 3))
    ? ` (did you mean "${nearest}"?)`
    : "";
}
