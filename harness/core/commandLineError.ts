// What did the user get wrong? One clear paragraph: what, where, what to do. Exit code 2.
import { closest, distance } from "fastest-levenshtein";

/** Bad input. Its message is the whole paragraph that the user reads. */
export class CommandLineError extends Error {}

/** ` (did you mean "paid"?)` where a known word is near, else "". */
export function suggestion(word: string, known: readonly string[]): string {
  if (known.length === 0) return "";
  const nearest = closest(word, known);
  return distance(word.toLowerCase(), nearest.toLowerCase()) <= Math.max(2, Math.floor(word.length / 3))
    ? ` (did you mean "${nearest}"?)`
    : "";
}
