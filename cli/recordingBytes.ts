// The bytes of recordings as UTF-8, perhaps with its mark: out of gzip, and of UTF-16, which PowerShell writes.
import { pipeline, Readable } from "node:stream";
import { constants, createGunzip, gunzipSync } from "node:zlib";
import { peeked } from "../harness/recordings/lines.ts";

/** Of what unpacks to far more than it has. */
export const mostUnpacked_bytes = 16 * 1024 ** 3;

/** Why the end of a file is missing. */
export class CutFile extends Error {}

/** @throws CutFile */
export function refuseAbove(most_bytes: number, length: number): void {
  if (length > most_bytes) throw new CutFile(`unpacks to more than ${Math.floor(most_bytes / 1024 ** 2)} MB`);
}

const isGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

/** By its mark, or by the zero beside the first letter. */
function utf16Of(bytes: Buffer): "utf-16le" | "utf-16be" | null {
  const [first, second] = bytes;
  if (first === undefined || second === undefined) return null;
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return "utf-16le";
  return (first === 0xfe && second === 0xff) || (first === 0 && second !== 0) ? "utf-16be" : null;
}

const mostOfBeginning_bytes = 128 * 1024 ** 2;

/** The beginning of a file likewise. */
export function utf8Beginning(bytes: Buffer): Buffer {
  let text = bytes;
  if (isGzip(bytes))
    try {
      text = gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: mostOfBeginning_bytes });
    } catch {
      return bytes;
    }
  const encoding = utf16Of(text);
  return encoding ? Buffer.from(new TextDecoder(encoding).decode(text)) : text;
}

/** @throws CutFile where what is packed is cut, or unpacks to more than that */
export async function* utf8Of(chunks: AsyncIterable<Buffer>, most_bytes = mostUnpacked_bytes): AsyncGenerator<Buffer> {
  const packed = await peeked(chunks);
  // Once: there are files that unpack to themselves.
  const { beginning, all } = isGzip(packed.beginning) ? await peeked(unpacked(packed.all, most_bytes)) : packed;
  const encoding = utf16Of(beginning);
  if (encoding === null) yield* all;
  else {
    const decoder = new TextDecoder(encoding);
    for await (const chunk of all) yield Buffer.from(decoder.decode(chunk, { stream: true }));
    yield Buffer.from(decoder.decode());
  }
}

async function* unpacked(chunks: AsyncIterable<Buffer>, most_bytes: number): AsyncGenerator<Buffer> {
  // An error is thrown where the stream is read.
  const unzip = pipeline(Readable.from(chunks), createGunzip({ chunkSize: 1024 * 1024 }), () => undefined);
  let length = 0;
  try {
    for await (const chunk of unzip as AsyncIterable<Buffer>) {
      length += chunk.length;
      refuseAbove(most_bytes, length);
      yield chunk;
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code?.startsWith("Z_") ? new CutFile("can't be unpacked to its end") : error;
  }
}
