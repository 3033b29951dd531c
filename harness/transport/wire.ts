// The wire: sends the bytes of one request and returns those of its answer.
import type { ConnectionTimes } from "./connectionTimes.ts";
import { coded, decoded, largestBody_bytes } from "./contentCoding.ts";
import { type HeaderList, headerOf, mediaTypeOf } from "./exchange.ts";
import { type Environment, routesBy } from "./route.ts";
import { faultOf, WireFault } from "./wireFault.ts";

export interface WireRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: HeaderList;
  /** Sent compressed where a header says so. */
  readonly body?: string;
}

export interface WireAnswer {
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: Uint8Array;
}

/** Sends one request unchanged; rejects with a WireFault where no complete answer came. Redirects are not followed. */
export type Wire = (request: WireRequest, signal: AbortSignal) => Promise<WireAnswer>;

/** Far longer than undici needs to report bytes that follow a body. */
const strayWait_ms = 20;

interface Options {
  /** Names proxies and certificates. */
  readonly environment?: Environment;
  /** No more of a body is read or decompressed. */
  readonly largestBody_bytes?: number;
}

interface NetworkWire {
  readonly wire: Wire;
  /** How many were made that no proxy stands before. */
  connections(): number;
  /** The times of the latest of them; null before the first. */
  latestConnection(): ConnectionTimes | null;
  close(): Promise<void>;
}

/** A wire over HTTP/1.1 with connections kept alive. */
export function networkWire(options: Options = {}): NetworkWire {
  const { environment = process.env, largestBody_bytes: bound = largestBody_bytes } = options;
  const strays = new Map<string, number>();
  let connections = 0;
  let latest: ConnectionTimes | null = null;
  const routes = routesBy(
    environment,
    (origin) => strays.set(origin, performance.now()),
    (times) => {
      connections += 1;
      latest = times;
    },
  );
  const wire: Wire = async ({ method, url, headers, body }, signal) => {
    const began = performance.now();
    const progress = { status: null as number | null, bytes: 0, proxyBy: null as string | null };
    try {
      const to = new URL(url);
      const { dispatcher, proxyBy } = routes.to(to);
      progress.proxyBy = proxyBy;
      const answer = await dispatcher.request({
        origin: to.origin,
        path: `${to.pathname}${to.search}`,
        method,
        signal,
        headers: headers.flat(),
        body: coded(headers, body),
      });
      progress.status = answer.statusCode;
      const head = { headers: flatten(answer.headers) };
      const raw = await read(answer.body, bound, progress);
      const bytes = raw.length === 0 ? raw : await decoded(raw, headerOf(head, "content-encoding") ?? "", bound);
      if (mediaTypeOf(head) === "application/json" && !isWhole(bytes)) {
        if (endsWithConnection(head))
          throw new WireFault(
            "truncated",
            `without Content-Length the connection ended in the middle of the JSON, after ${raw.length} bytes`,
          );
        await new Promise((done) => setTimeout(done, strayWait_ms));
        if ((strays.get(new URL(url).origin) ?? 0) >= began)
          throw new WireFault("truncated", `body exceeds Content-Length (${raw.length})`);
      }
      return { status: answer.statusCode, headers: head.headers, body: bytes };
    } catch (error) {
      throw faultOf(error, { ...progress, isAborted: signal.aborted });
    }
  };
  return { wire, connections: () => connections, latestConnection: () => latest, close: routes.close };
}

/** @param progress counts the bytes that were kept */
async function read(body: AsyncIterable<Uint8Array>, bound: number, progress: { bytes: number }): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) {
    if (progress.bytes + chunk.length > bound)
      throw new WireFault("oversized", `more than ${bound} bytes of body; the rest was discarded`);
    chunks.push(chunk);
    progress.bytes += chunk.length;
  }
  return Buffer.concat(chunks);
}

/** A body without a length ends where the connection does, whether or not it was whole (RFC 9112 §6.3). */
const endsWithConnection = (head: { readonly headers: HeaderList }): boolean =>
  headerOf(head, "content-length") === undefined && headerOf(head, "transfer-encoding") === undefined;

function isWhole(bytes: Uint8Array): boolean {
  if (bytes.length === 0) return true;
  try {
    JSON.parse(new TextDecoder().decode(bytes));
    return true;
  } catch {
    return false;
  }
}

const flatten = (headers: Record<string, string | string[] | undefined>): HeaderList =>
  Object.entries(headers).flatMap(([name, value = []]) =>
    [value].flat().map((line) => [name.toLowerCase(), line] as const),
  );
