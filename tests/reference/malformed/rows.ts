// Malformed requests as rows: what is sent, and what is wrong with an answer
import { parse } from "yaml";

export type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json };

export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** A request of the Web's kind, sent in-process. */
export interface Requested {
  /** What follows the origin. */
  readonly target: string;
  readonly verb: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** Texts name the stage: `{id}`, `{key}`, `{KEY}`, `{token}`, `{watched}`, `{paidKey}`; `{length}`: of the body. */
export interface Row {
  readonly title: string;
  /** A string or a buffer goes over a socket, byte by byte. */
  readonly sent: Requested | string | Buffer;
  /** Null for a right answer. A null answer is a closed connection. */
  readonly faultOf: (answer: Answer | null) => string | null;
}

export type Tables = { readonly [title: string]: readonly Row[] };

export const short = (text: string): string =>
  text.length > 150 ? `${text.slice(0, 150)}… (${text.length} characters)` : text;

/** Values in YAML, separated by commas. */
export const list = ({ raw }: TemplateStringsArray): readonly Json[] => parse(`[${raw.join("")}]`) as readonly Json[];
export const texts = (template: TemplateStringsArray): readonly string[] => list(template).map(String);

export const nested = (open: string, inner: string, close: string, depth: number): string =>
  open.repeat(depth) + inner + close.repeat(depth);

export const isObject = (value: unknown): value is { readonly [member: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const received = ({ status, body }: Answer): string => `HTTP ${status} ${short(body)}`;
