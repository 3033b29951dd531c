// An exchange: what was sent, what came back, and what the target knows of who asked.
import type { Protocol } from "../core/interface.ts";
import type { Json, ParsedJson } from "../core/json.ts";
import type { Stimulus } from "../core/stimulus.ts";
import type { KnownProject } from "../target/target.ts";

export type HeaderList = readonly (readonly [name: string, value: string])[];

/** Every text is redacted before it comes here. */
export interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: HeaderList;
  readonly body?: string;
  /** The body as a value, where it is a JSON-RPC request. */
  readonly json?: Json;
}

export interface Answer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: HeaderList;
  readonly text: string;
  /** Null where the body is no well-formed JSON. */
  readonly json: ParsedJson | null;
  readonly hasBom: boolean;
  readonly invalidUtf8: boolean;
}

/**
 * Why no answer came that can be judged. Never the platform's breach by itself (amendment 4).
 * `refused`: no connection came about · `protocol`: not HTTP/1.1 · `truncated`: the body ended before its end ·
 * `encoding`: its compression can't be undone · `oversized`: more than we read · `other`: ours.
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

/** Who asked, by what the target says of them; nothing here is inferred from answers. */
export interface KnownAsker {
  readonly role: string;
  /** Whether control has made its project. */
  readonly isMade: boolean;
  readonly projectName: string;
  readonly project: KnownProject;
  /** How the target says that its figures are rounded. */
  readonly rounding: "nearest" | "directed";
}

export interface Exchange {
  readonly number: number;
  readonly stimulus: Stimulus;
  /** How its answer is read. */
  readonly protocol: Protocol;
  /** The holder of the good key that was sent, if one was. */
  readonly asker: KnownAsker | null;
  /** Whether it asks for the asker's own project; what leaks to others is judged as a leak alone. */
  readonly isOwn: boolean;
  readonly sent: Sent;
  readonly answer: Answer | null;
  readonly fault: Fault | null;
  /** Unix time in ms when it was sent. */
  readonly sentAt_ms: number;
  readonly latency_ms: number;
}

/** All lines of a field, joined as RFC 9110 §5.3 has it; undefined where there is none. */
export function headerOf({ headers }: { readonly headers: HeaderList }, name: string): string | undefined {
  const lines = headers.flatMap(([one, value]) => (one.toLowerCase() === name ? [value] : []));
  return lines.length ? lines.join(", ") : undefined;
}

/** Media type without parameters, lower case; undefined where the answer names none. */
export const mediaTypeOf = (answer: { readonly headers: HeaderList }): string | undefined =>
  headerOf(answer, "content-type")?.split(";")[0]?.trim().toLowerCase();
