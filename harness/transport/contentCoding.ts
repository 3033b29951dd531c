// Content codings of bodies; answers may be compressed without being asked to be (RFC 9110 §12.5.3).
import { promisify } from "node:util";
import zlib, {
  brotliDecompress,
  gunzip,
  gzipSync,
  type InputType,
  inflate,
  inflateRaw,
  type ZlibOptions,
} from "node:zlib";
import { type HeaderList, headerOf } from "./exchange.ts";
import { WireFault } from "./wireFault.ts";

/** The most that a body may have once decoded, wherever it comes from. */
export const largestBody_bytes = 32 * 1024 * 1024;

type Decode = (body: InputType, options: ZlibOptions) => Promise<Buffer>;

const unzip: Decode = promisify<InputType, ZlibOptions, Buffer>(gunzip);
const inflated: Decode = promisify<InputType, ZlibOptions, Buffer>(inflate);
const rawInflated: Decode = promisify<InputType, ZlibOptions, Buffer>(inflateRaw);

interface Undone {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}

type UndoFrame = (body: Buffer, options: ZlibOptions, done: (error: Error | null, undone: Undone) => void) => void;

/** Node 20 hasn't got it, and its types don't know it. */
const { zstdDecompress } = zlib as { readonly zstdDecompress?: UndoFrame };

/** Each takes some 80 µs, even where it is empty, and no deadline interrupts them. */
const mostFrames = 10_000;

/** Several frames may follow each other (RFC 8878 §3); Node undoes the first, and Node 22 takes a cut one for whole. */
export function unzstdBy(undoFrame: UndoFrame): Decode {
  const undo = promisify(undoFrame);
  return async (body, options) => {
    const frames: Buffer[] = [];
    let left_bytes = options.maxOutputLength ?? 0;
    // A byte more, which only a frame that is cut reads.
    let rest = Buffer.concat([body as Uint8Array, Buffer.of(0)]);
    while (rest.length > 1) {
      const { buffer, engine } = await undo(rest, { maxOutputLength: Math.max(1, left_bytes), info: true });
      if (engine.bytesWritten === rest.length) throw new Error("unexpected end of file");
      if (engine.bytesWritten === 0) throw new Error("a frame that can't be read");
      if (frames.length === mostFrames) throw new Error(`more than ${mostFrames} frames`);
      left_bytes -= buffer.length;
      rest = rest.subarray(engine.bytesWritten);
      frames.push(buffer);
    }
    return Buffer.concat(frames);
  };
}

const decoders: { readonly [coding: string]: Decode } = {
  identity: (body) => Promise.resolve(body as Buffer),
  gzip: unzip,
  "x-gzip": unzip,
  // Many servers omit the zlib wrapper, against RFC 9110 §8.4.1.2; its first byte has 8 in its low half.
  deflate: (body, options) => (((body as Uint8Array)[0] ?? 0) % 16 === 8 ? inflated : rawInflated)(body, options),
  br: promisify<InputType, ZlibOptions, Buffer>(brotliDecompress),
  ...(zstdDecompress && { zstd: unzstdBy(zstdDecompress) }),
};

const needs: { readonly [coding: string]: string } = {
  zstd: "needs Node 22.15 or newer",
  dcb: "needs a dictionary that only its client has",
  dcz: "needs a dictionary that only its client has",
};

/** As curl and urllib3 have it: a body can be such that it unpacks to itself, once for each. */
const mostCodings = 5;

const codingsIn = (contentEncoding: string): readonly string[] =>
  contentEncoding
    .toLowerCase()
    .split(",")
    .map((coding) => coding.trim())
    .filter((coding) => coding !== "");

/** The first coding that can't be undone here, and what would help: `zstd, which needs …`; null where all can. */
export function missingCoding(contentEncoding: string): string | null {
  const coding = codingsIn(contentEncoding).find((name) => !Object.hasOwn(decoders, name));
  if (coding === undefined) return null;
  const name = /^[\w.-]{1,20}$/.test(coding) ? coding : "another coding";
  return `${name}, which ${needs[coding] ?? "Assay can't decompress"}`;
}

export const isGzipped = (headers: HeaderList): boolean => headerOf({ headers }, "content-encoding") === "gzip";

export const coded = (headers: HeaderList, body: string | undefined): string | Uint8Array | null =>
  body === undefined ? null : isGzipped(headers) ? gzipSync(body) : body;

/**
 * The body with its content codings undone.
 * @param contentEncoding the header's value, codings in the order in which they were applied
 * @throws WireFault `encoding` where a coding can't be undone, `oversized` where the result exceeds `largest_bytes`
 */
export async function decoded(body: Uint8Array, contentEncoding: string, largest_bytes: number): Promise<Uint8Array> {
  const missing = missingCoding(contentEncoding);
  if (missing !== null) throw new WireFault("encoding", `a content coding that wasn't asked for: ${missing}`);
  const codings = codingsIn(contentEncoding);
  if (codings.length > mostCodings) throw new WireFault("encoding", `more than ${mostCodings} content codings`);
  let bytes = body;
  for (const coding of codings.toReversed()) {
    const decode = decoders[coding] as Decode;
    try {
      bytes = await decode(bytes, { maxOutputLength: largest_bytes });
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      const excess = `more than ${largest_bytes} bytes of body once decompressed (${coding}); the rest was discarded`;
      if (code === "ERR_BUFFER_TOO_LARGE") throw new WireFault("oversized", excess);
      throw new WireFault("encoding", `the body isn't ${coding}, as its content-encoding says: ${message}`);
    }
  }
  return bytes;
}
