// HAR 1.2 as browsers, proxies and test runners write it, read entry by entry.
import { type Json, valueAt } from "../core/json.ts";
import { type ElementsEnd, elementsOf } from "./elements.ts";
import { type AttachedBodies, entryOf, har, isUnread, jsonOfEntry } from "./mapping.ts";
import type { Recorded, RecordedEntry } from "./recorded.ts";
import { shownFile, type Unread, UnreadKinds } from "./unread.ts";

/** Gives the bytes of a file beside the HAR; null where there is none that may be read. */
export type AttachedBody = (name: string) => Promise<Buffer | null>;

/** Pages attach many bodies that no law judges. */
const media = /^(image|font|audio|video)\/|^text\/css|javascript|wasm/i;

/**
 * @param end receives how the file ended
 * @param attached reads the bodies that Playwright and others write beside a HAR
 */
export async function* entriesOfHar(
  chunks: AsyncIterable<Buffer>,
  end: ElementsEnd,
  attached: AttachedBody = () => Promise.resolve(null),
): AsyncGenerator<RecordedEntry> {
  const kinds = new UnreadKinds("entry");
  let number = 0;
  for await (const element of elementsOf(chunks, end)) {
    number += 1;
    const entry = element ? await entryIn(element.toString(), attached) : { unread: "an entry above 64 MB" };
    if (entry) yield kinds.placed(entry, number);
  }
}

async function entryIn(text: string, attached: AttachedBody): Promise<Recorded | Unread | null> {
  const read = jsonOfEntry(text);
  if (isUnread(read)) return read;
  const bodies: { requestBody?: Buffer; responseBody?: Buffer } = {};
  for (const [name, pointer] of [
    ["requestBody", "/request/postData"],
    ["responseBody", "/response/content"],
  ] as const) {
    const file = attachedIn(valueAt(read.json, pointer));
    if (file === null) continue;
    const bytes = await attached(file);
    if (!bytes)
      return { unread: "a body in a file that isn't beside the HAR as Playwright names it", example: shownFile(file) };
    bodies[name] = bytes;
  }
  return entryOf(read.json, text, har, bodies satisfies AttachedBodies);
}

/** The file that holds a body; null where it stands in the HAR, or no law would judge it. */
function attachedIn(content: Json | undefined): string | null {
  const file = valueAt(content, "/_file");
  const type = valueAt(content, "/mimeType");
  if (typeof file !== "string" || valueAt(content, "/text")) return null;
  return typeof type === "string" && media.test(type) ? null : file;
}
