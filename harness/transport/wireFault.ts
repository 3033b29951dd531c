// Wire faults: every error of the network, classified as one kind of fault.
import type { Fault } from "./exchange.ts";

/** No complete answer came. */
export class WireFault extends Error {
  readonly kind: Fault["kind"];

  constructor(kind: Fault["kind"], detail: string) {
    super(detail);
    this.kind = kind;
  }
}

/** For people. */
export const faultTexts: { readonly [Kind in Fault["kind"]]: string } = {
  refused: "connection refused",
  reset: "connection reset",
  timeout: "timed out",
  dns: "its name can't be resolved",
  tls: "TLS or its certificate failed",
  proxy: "the proxy before it failed",
  protocol: "not HTTP/1.1",
  truncated: "its body is incomplete",
  encoding: "its compression can't be undone",
  oversized: "larger than Assay reads",
  other: "an error",
};

export interface Progress {
  /** Null until the head of the answer arrived. */
  readonly status: number | null;
  readonly bytes: number;
  /** The variable that names a proxy for the address. */
  readonly proxyBy: string | null;
  readonly isAborted: boolean;
}

const codesByKind: readonly (readonly [kind: Fault["kind"], codes: readonly string[]])[] = [
  ["refused", ["ECONNREFUSED", "EHOSTUNREACH", "EHOSTDOWN", "ENETUNREACH", "EADDRNOTAVAIL"]],
  ["reset", ["ECONNRESET", "ECONNABORTED", "EPIPE", "UND_ERR_SOCKET"]],
  ["dns", ["ENOTFOUND", "EAI_AGAIN", "EAI_FAIL"]],
  ["timeout", ["ETIMEDOUT", "UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT", "UND_ERR_CONNECT_TIMEOUT"]],
  ["oversized", ["UND_ERR_HEADERS_OVERFLOW"]],
  ["truncated", ["UND_ERR_RES_CONTENT_LENGTH_MISMATCH"]],
  // undici asserts that a status has three digits and is at least 100.
  ["protocol", ["ERR_ASSERTION"]],
];

/** Codes of OpenSSL and Node for handshakes and certificates that fail. */
const tlsCode =
  /^(ERR_(TLS|O?SSL)_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_CA|EPROTO|UND_ERR_PRX_TLS)/;

interface NetworkError {
  readonly name?: string;
  readonly code?: string;
  readonly message?: string;
  /** OpenSSL's message without file names and line numbers. */
  readonly reason?: string;
}

export function faultOf(error: unknown, progress: Progress): WireFault {
  if (error instanceof WireFault) return error;
  if (progress.isAborted) return new WireFault("timeout", howFar(progress));
  const { name, code, message, reason } = error as NetworkError;
  const detail = (reason ?? message ?? "").replace(/\s+/g, " ").trim() || "no further detail";
  const place = progress.status === null ? "" : `, ${howFar(progress)}`;
  return new WireFault(
    kindOf(error as NetworkError, progress),
    `${code ?? name ?? "error"}: ${detail}${place}${progress.proxyBy ? ` (${progress.proxyBy} is set)` : ""}`,
  );
}

function kindOf({ name, code = "", message = "" }: NetworkError, { status, proxyBy }: Progress): Fault["kind"] {
  // These have no codes; the messages are undici's and llhttp's.
  if (name === "HTTPParserError") return message.includes("Invalid EOF state") ? "truncated" : "protocol";
  if (code === "UND_ERR_SOCKET" && (message === "bad response" || message === "bad upgrade")) return "protocol";
  // The connection was closed properly, but before the body was complete.
  if (code === "UND_ERR_SOCKET" && status !== null) return "truncated";
  if (proxyBy && (code === "UND_ERR_ABORTED" || message.includes("Proxy Authentication Required"))) return "proxy";
  if (tlsCode.test(code)) return "tls";
  return codesByKind.find(([, codes]) => codes.includes(code))?.[0] ?? "other";
}

const howFar = ({ status, bytes }: Progress): string =>
  status === null ? "no complete head of an answer arrived" : `in the body, after HTTP ${status} and ${bytes} bytes`;
