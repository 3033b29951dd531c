// The bytes of a file, cut into its entries: lines, or the elements of a list. Files may be larger than memory.

/** Larger ones are passed over, as answers that large are elsewhere. */
const largestEntry_bytes = 64 * 1024 * 1024;

const quote = 0x22;
const backslash = 0x5c;

/** In place of an element's begin: only its end is searched for. */
const tooLarge = -2;

/** Whether what follows is part of the text that it stands in: an odd number of backslashes is before it. */
function isEscaped(bytes: Buffer, at: number): boolean {
  let first = at;
  while (bytes[first - 1] === backslash) first -= 1;
  return (at - first) % 2 === 1;
}

/** How a file ended. */
export interface ElementsEnd {
  /** Whether it has the list that was asked for. */
  hasList: boolean;
  /** Whether that list ends. */
  isWhole: boolean;
}

/** How many brackets are open in a list: `log.entries` of a HAR, the file itself, or values one after another. */
const levels = { har: 3, list: 1, values: 0 } as const;

export type ElementsIn = keyof typeof levels;

type Chunks = AsyncIterable<Buffer> | Iterable<Buffer>;

/**
 * The bytes of each object or list in a list; null for one that is too large.
 * @param end receives how the file ended
 */
export async function* elementsOf(
  chunks: Chunks,
  end: ElementsEnd,
  within: ElementsIn = "har",
  largest_bytes = largestEntry_bytes,
): AsyncGenerator<Buffer | null> {
  const level = levels[within];
  end.hasList = level === 0;
  let bytes: Buffer = Buffer.alloc(0);
  /** Of the next byte, of the text that is read, and of the element; -1 outside. */
  let at = 0;
  let text = -1;
  let element = -1;
  let depth = 0;
  let name = "";
  for await (const chunk of chunks) {
    if (element >= 0 && at - element > largest_bytes) element = tooLarge;
    // Of a text that isn't read, only whether its next letter is escaped.
    const unread = text >= 0 && isEscaped(bytes, at) ? at - 1 : at;
    const kept = element >= 0 ? element : text >= 0 && depth === 2 && level === 3 ? text : unread;
    bytes = kept < bytes.length ? Buffer.concat([bytes.subarray(kept), chunk]) : chunk;
    at -= kept;
    if (text >= 0) text = Math.max(text - kept, 0);
    if (element >= 0) element = 0;
    while (at < bytes.length) {
      if (text >= 0) {
        const close = bytes.indexOf(quote, at);
        at = close < 0 ? bytes.length : close + 1;
        if (close < 0 || isEscaped(bytes, close)) continue;
        if (depth === 2) name = bytes.toString("latin1", text, close);
        text = -1;
        continue;
      }
      const byte = bytes[at];
      at += 1;
      if (byte === quote) text = at;
      else if (byte === 0x7b || byte === 0x5b) {
        depth += 1;
        if (!end.hasList) end.hasList = depth === level && byte === 0x5b && (level !== 3 || name === "entries");
        else if (depth === level + 1 && (level < 3 || !end.isWhole)) element = at - 1;
      } else if (byte === 0x7d || byte === 0x5d) {
        depth -= 1;
        if (!end.hasList || (level === 3 && end.isWhole)) continue;
        if (depth === level) {
          yield element === tooLarge || at - element > largest_bytes ? null : bytes.subarray(element, at);
          element = -1;
        }
        if (level === 3) end.isWhole = depth === 2;
        else depth = Math.max(depth, 0);
      }
    }
    if (level < 3) end.isWhole = end.hasList && depth === 0;
  }
}

const lineFeed = 0x0a;

/** Null for a line that is too large. */
export async function* linesOfBytes(chunks: Chunks, largest_bytes = largestEntry_bytes): AsyncGenerator<Buffer | null> {
  let begun: Buffer[] = [];
  let length = 0;
  const lineOf = (last: Buffer): Buffer | null => {
    const isTooLarge = length + last.length > largest_bytes;
    const line = isTooLarge ? null : begun.length > 0 ? Buffer.concat([...begun, last]) : last;
    [begun, length] = [[], 0];
    return line;
  };
  for await (const chunk of chunks) {
    let at = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, at)) {
      yield lineOf(chunk.subarray(at, end));
      at = end + 1;
    }
    if (length <= largest_bytes) begun.push(chunk.subarray(at));
    length += chunk.length - at;
  }
  if (length > 0) yield lineOf(Buffer.alloc(0));
}
