// The ends of texts. `/=+$/` begins anew at each letter of each run, which takes quadratic time.

/** A text without such letters at its end. */
export function withoutTrailing(letter: string, text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === letter) end -= 1;
  return text.slice(0, end);
}
