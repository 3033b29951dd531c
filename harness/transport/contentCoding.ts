// What was a body before it was compressed? We don't ask for that, but a platform may do so unasked (RFC 9110 §12.5.3).
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
  // Many servers leave the zlib wrapper out, against RFC 9110 §8.4.1.2; its first byte always ends in 8.
  deflate: (body, options) => (((body as Uint8Array)[0] ?? 0) % 16 === 8 ? inflated : rawInflated)(body, options),
  br: promisify<InputType, ZlibOptions, Buffer>(brotliDecompress),
};

/** Whether a request says that its body is compressed. */
export const isGzipped = (headers: HeaderList): boolean => headerOf({ headers }, "content-encoding") === "gzip";

/** A request's body as it travels. */
export const coded = (headers: HeaderList, body: string | undefined): string | Uint8Array | null =>
  body === undefined ? null : isGzipped(headers) ? gzipSync(body) : body;

/**
 * @param contentEncoding the header's value, codings in the order in which they were applied
 * @throws WireFault `encoding` where it can't be undone, `oversized` where more than `largest_bytes` would come of it
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
    if (!decode)
      throw new WireFault(
        "encoding",
        `the body is in the content coding ${JSON.stringify(coding)}, which this client doesn't know and didn't ask for`,
      );
    try {
      bytes = await decode(bytes, { maxOutputLength: largest_bytes });
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === "ERR_BUFFER_TOO_LARGE")
        throw new WireFault(
          "oversized",
          `more than ${largest_bytes} bytes of body once ${coding} is undone; the rest was cut off`,
        );
      throw new WireFault("encoding", `the body says that it is ${coding}, and isn't: ${message}`);
    }
  }
  return bytes;
}
