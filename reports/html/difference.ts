// The difference between an expected value and what came.

/** What came: its beginning and end as expected, and the middle that differs. */
export interface Difference {
  readonly before: string;
  readonly differs: string;
  readonly after: string;
}

/** How much is shown of equal parts. */
const context_chars = 40;
const longestDifference_chars = 600;

/** Marks what differs where `expected` is a value; where it is a description, everything differs. */
export function differenceOf(expected: string, got: string): Difference {
  const [one, other] = [isJson(expected) ? [...expected] : [], [...got]];
  const shorter = Math.min(one.length, other.length);
  let head = 0;
  while (head < shorter && one[head] === other[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && one[one.length - 1 - tail] === other[other.length - 1 - tail]) tail += 1;
  const differs = other.slice(head, other.length - tail);
  if (differs.length === 0) return { before: "", differs: got, after: "" };
  return {
    before:
      head > context_chars ? `…${other.slice(head - context_chars, head).join("")}` : other.slice(0, head).join(""),
    differs:
      differs.length > longestDifference_chars
        ? `${differs.slice(0, longestDifference_chars).join("")}… (${differs.length - longestDifference_chars} more)`
        : differs.join(""),
    after:
      tail > context_chars
        ? `${other.slice(other.length - tail, other.length - tail + context_chars).join("")}…`
        : other.slice(other.length - tail).join(""),
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
