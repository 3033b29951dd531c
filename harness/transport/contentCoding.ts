// Content codings of bodies; answers may be compressed without being asked to be (RFC 9110 §12.5.3).
import { promisify } from "node:util";
import { brotliDecompress, gunzip, gzipSync, type InputType, inflate, inflateRaw, type ZlibOptions } from "node:zlib";
import { type HeaderList, headerOf } from "./exchange.ts";
import { WireFault } from "./wireFault.ts";

type Decode = (body: InputType, options: ZlibOptions) => Promise<Buffer>;

const unzip: Decode = promisify<InputType, ZlibOptions, Buffer>(gunzip);
const inflated: Decode = promisify<InputType, ZlibOptions, Buffer>(inflate);
const rawInflated: Decode = promisify<InputType, ZlibOptions, Buffer>(inflateRaw);

const decoders: { readonly [coding: string]: Decode } = {
  identity: (body) => Promise.resolve(body as Buffer),
  gzip: unzip,
  "x-gzip": unzip,
  // Many servers omit the zlib wrapper, against RFC 9110 §8.4.1.2; its first byte has 8 in its low half.
  deflate: (body, options) => (((body as Uint8Array)[0] ?? 0) % 16 === 8 ? inflated : rawInflated)(body, options),
  br: promisify<InputType, ZlibOptions, Buffer>(brotliDecompress),
};

export const isGzipped = (headers: HeaderList): boolean => headerOf({ headers }, "content-encoding") === "gzip";

export const coded = (headers: HeaderList, body: string | undefined): string | Uint8Array | null =>
  body === undefined ? null : isGzipped(headers) ? gzipSync(body) : body;

/**
 * The body with its content codings undone.
 * @param contentEncoding the header's value, codings in the order in which they were applied
 * @throws WireFault `encoding` where a coding can't be undone, `oversized` where the result exceeds `largest_bytes`
 */
export async function decoded(body: Uint8Array, contentEncoding: string, largest_bytes: number): Promise<Uint8Array> {
  const codings = contentEncoding
    .toLowerCase()
    .split(",")
    .map((coding) => coding.trim())
    .filter((coding) => coding !== "");
  let bytes = body;
  for (const coding of codings.reverse()) {
    const decode = decoders[coding];
    const unknown = `the content coding ${JSON.stringify(coding)}, which the request didn't ask for`;
    if (!decode) throw new WireFault("encoding", unknown);
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
