// HAR 1.2 as browsers, mitmproxy, k6 and Playwright write it, read entry by entry: files may be larger than memory.
import { entryOfLine, har } from "./mapping.ts";
import type { RecordedEntry } from "./recorded.ts";

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

export interface HarEnd {
  /** Whether the file has `log.entries`. */
  isHar: boolean;
  /** Whether they end. */
  isWhole: boolean;
}

/**
 * The bytes of each element of `log.entries`; null for one that is too large.
 * @param end receives how the file ended
 */
export async function* elementsOf(
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  end: HarEnd,
  largest_bytes = largestEntry_bytes,
): AsyncGenerator<Buffer | null> {
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
    const kept = element >= 0 ? element : text >= 0 && depth === 2 ? text : unread;
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
        if (!end.isHar) end.isHar = depth === 3 && byte === 0x5b && name === "entries";
        else if (depth === 4 && !end.isWhole) element = at - 1;
      } else if (byte === 0x7d || byte === 0x5d) {
        depth -= 1;
        if (!end.isHar || end.isWhole) continue;
        if (depth === 3) {
          yield element === tooLarge || at - element > largest_bytes ? null : bytes.subarray(element, at);
          element = -1;
        }
        end.isWhole = depth === 2;
      }
    }
  }
}

export async function* entriesOfHar(chunks: AsyncIterable<Buffer>, end: HarEnd): AsyncGenerator<RecordedEntry> {
  for await (const element of elementsOf(chunks, end)) {
    const entry = element ? entryOfLine(element.toString(), har) : { unread: "an entry above 64 MB" };
    if (entry) yield entry;
  }
}
