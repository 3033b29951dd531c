// Logs of JSON, read by a mapping: an entry a line, a list of entries, or entries one after another over many lines.
import { type ElementsEnd, elementsOf, linesOfBytes } from "./elements.ts";
import { entryOfLine, type Mapping } from "./mapping.ts";
import type { RecordedEntry } from "./recorded.ts";
import { UnreadKinds } from "./unread.ts";

type Written = "lines" | "list" | "values";

/** How a log is written, by its beginning: programs write a list over lines, and Envoy a value. */
export function writtenAs(beginning: string): Written {
  const text = beginning.trimStart();
  // Lines may begin with a time in brackets.
  if (/^\[\s*([[{\]]|$)/.test(text)) return "list";
  return /^\{[ \t]*\r?\n/.test(text) ? "values" : "lines";
}

/** @param end receives how the file ended: lines are whole wherever it does */
export async function* entriesOfLog(
  chunks: AsyncIterable<Buffer>,
  mapping: Mapping,
  end: ElementsEnd = { hasList: false, isWhole: false },
): AsyncGenerator<RecordedEntry> {
  const { beginning, all } = await peeked(chunks);
  const written = writtenAs(beginning.toString());
  const kinds = new UnreadKinds(written === "lines" ? "line" : "entry");
  end.isWhole = true;
  let number = 0;
  for await (const bytes of written === "lines" ? linesOfBytes(all) : elementsOf(all, end, written)) {
    number += 1;
    const text = bytes?.toString().trim();
    if (text === "") continue;
    const entry = text === undefined ? { unread: "what is above 64 MB" } : entryOfLine(text, mapping);
    if (entry) yield kinds.placed(entry, number);
  }
}

/** The first bytes of a stream, and all of it. */
export async function peeked(
  chunks: AsyncIterable<Buffer>,
): Promise<{ readonly beginning: Buffer; readonly all: AsyncIterable<Buffer> }> {
  const iterator = chunks[Symbol.asyncIterator]();
  let beginning = Buffer.alloc(0);
  let isDone = false;
  // White space alone tells nothing.
  while (!isDone && beginning.length < 64) {
    const next = await iterator.next();
    isDone = next.done === true;
    if (!isDone) beginning = Buffer.concat([beginning, next.value as Buffer]);
  }
  async function* all(): AsyncGenerator<Buffer> {
    if (beginning.length > 0) yield beginning;
    if (!isDone) yield* { [Symbol.asyncIterator]: () => iterator };
  }
  return { beginning, all: all() };
}
