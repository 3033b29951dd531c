// How do bytes get there and back? The one seam between the judge and a platform.
import { Agent, request } from "undici";
import type { Fault, HeaderList } from "./exchange.ts";

export interface WireRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: HeaderList;
  readonly body?: string;
}

export interface WireAnswer {
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: Uint8Array;
}

/** Sends one request as it stands; rejects with a WireFault where no whole answer came. Redirects are not followed. */
export type Wire = (request: WireRequest, signal: AbortSignal) => Promise<WireAnswer>;

export class WireFault extends Error {
  readonly kind: Fault["kind"];

  constructor(kind: Fault["kind"], detail: string) {
    super(detail);
    this.kind = kind;
  }
}

/** More of a body than this is not read. */
export const largestBody_bytes = 64 * 1024 * 1024;

/** A wire over HTTP/1.1 with connections kept alive. */
export function networkWire(): { wire: Wire; close(): Promise<void> } {
  const agent = new Agent({ keepAliveTimeout: 4_000, connections: 64, maxResponseSize: largestBody_bytes });
  const wire: Wire = async ({ method, url, headers, body }, signal) => {
    try {
      const answer = await request(url, { method: method as "GET", headers: headers.flat(), body: body ?? null, signal, dispatcher: agent });
      const bytes = new Uint8Array(await answer.body.arrayBuffer());
      return { status: answer.statusCode, headers: flatten(answer.headers), body: bytes };
    } catch (error) {
      throw asFault(error, signal);
    }
  };
  return { wire, close: () => agent.close() };
}

const flatten = (headers: Record<string, string | string[] | undefined>): HeaderList =>
  Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : Array.isArray(value) ? value.map((one) => [name.toLowerCase(), one] as const) : [[name.toLowerCase(), value] as const],
  );

const kindOfCode: { readonly [code: string]: Fault["kind"] } = {
  ECONNREFUSED: "refused",
  ECONNRESET: "reset",
  EPIPE: "reset",
  UND_ERR_SOCKET: "reset",
  ENOTFOUND: "dns",
  EAI_AGAIN: "dns",
  UND_ERR_HEADERS_TIMEOUT: "timeout",
  UND_ERR_BODY_TIMEOUT: "timeout",
  UND_ERR_CONNECT_TIMEOUT: "timeout",
  UND_ERR_RESPONSE_EXCEEDED_MAX_SIZE: "oversized",
  UND_ERR_RES_EXCEEDED_MAX_SIZE: "oversized",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "truncated",
};

function asFault(error: unknown, signal: AbortSignal): WireFault {
  if (signal.aborted) return new WireFault("timeout", "no whole answer within the deadline");
  const { code, message, name } = error as { code?: string; message?: string; name?: string };
  const detail = `${code ?? name ?? "error"}: ${message || "no further detail"}`;
  if (code?.startsWith("HPE_")) return new WireFault("protocol", detail);
  if (code?.startsWith("ERR_TLS") || code?.startsWith("ERR_SSL") || /certificate/i.test(message ?? "")) return new WireFault("tls", detail);
  return new WireFault(kindOfCode[code ?? ""] ?? "other", detail);
}
