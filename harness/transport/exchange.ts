// An exchange: one request, its answer or fault, and what the target knows of who sent it.
import type { KnownProject, Protocol } from "../core/interface.ts";
import type { Json, ParsedJson } from "../core/json.ts";
import type { RequestSpec } from "../core/requestSpec.ts";

export type HeaderList = readonly (readonly [name: string, value: string])[];

/** A request as it was sent, with keys replaced by roles. */
export interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: HeaderList;
  readonly body?: string;
  /** The body as a value, where it is a JSON-RPC request. */
  readonly json?: Json;
}

/** An answer as it came: it may hold keys, so that only what `shownOf` gives is written. */
export interface Answer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: HeaderList;
  readonly text: string;
  /** Null where the body isn't well-formed JSON. */
  readonly json: ParsedJson | null;
  readonly hasBom: boolean;
  readonly invalidUtf8: boolean;
  /** What may be shown of it, where it holds a key. */
  readonly shown?: Pick<Answer, "headers" | "text">;
}

/**
 * Why there is no answer that can be judged; by itself never a breach (amendment 4).
 * `refused`: no connection · `protocol`: not HTTP/1.1 · `truncated`: the body is incomplete ·
 * `encoding`: its compression can't be undone · `oversized`: more than we read · `other`: a fault of ours.
 */
export interface Fault {
  readonly kind:
    | "refused"
    | "reset"
    | "timeout"
    | "dns"
    | "tls"
    | "proxy"
    | "protocol"
    | "truncated"
    | "encoding"
    | "oversized"
    | "other";
  readonly detail: string;
}

/** The holder of the key that was sent, as the target file describes it; nothing is inferred from answers. */
export interface KnownAsker {
  readonly role: string;
  readonly isMade: boolean;
  readonly projectName: string;
  readonly project: KnownProject;
  /** How the platform rounds figures, by the target file. */
  readonly rounding: "nearest" | "directed";
}

export interface Exchange {
  readonly number: number;
  readonly requestSpec: RequestSpec;
  readonly protocol: Protocol;
  /** The holder of the valid key that was sent, if one was. */
  readonly asker: KnownAsker | null;
  /** Whether it is about the asker's own project; what others are shown is judged as a leak only. */
  readonly isOwn: boolean;
  readonly sent: Sent;
  readonly answer: Answer | null;
  readonly fault: Fault | null;
  /** The number of the exchange whose answer it repeats. */
  readonly repeats?: number;
  /**
   * Set where a recorder of others wrote it: what one may have changed proves nothing about the platform. `text`: the
   * answer's body as a text · `json`: parsed, so that members without a value may have gone or come.
   */
  readonly recordedAs?: "text" | "json";
  /** Unix time in ms when it was sent. */
  readonly sentAt_ms: number;
  readonly latency_ms: number;
}

/** All lines of a field, joined by commas (RFC 9110 §5.3); undefined where there is none. */
export function headerOf({ headers }: { readonly headers: HeaderList }, name: string): string | undefined {
  const lines = headers.flatMap(([one, value]) => (one.toLowerCase() === name ? [value] : []));
  return lines.length ? lines.join(", ") : undefined;
}

/** Media type in lower case, without parameters; undefined where the answer names none. */
export const mediaTypeOf = (answer: { readonly headers: HeaderList }): string | undefined =>
  headerOf(answer, "content-type")?.split(";")[0]?.trim().toLowerCase();

export function textIn(bytes: Uint8Array): Pick<Answer, "text" | "hasBom" | "invalidUtf8"> {
  const hasBom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const decoded = (fatal: boolean): string => new TextDecoder("utf-8", { fatal, ignoreBOM: true }).decode(bytes);
  try {
    return { text: decoded(true), hasBom, invalidUtf8: false };
  } catch {
    return { text: decoded(false), hasBom, invalidUtf8: true };
  }
}
