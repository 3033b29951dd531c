// Malformed requests as rows: what is sent, and what has to come back (§7.1)
import { expect } from "@playwright/test";
import { parse } from "yaml";

export type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json };

/** A request of the Web's kind, sent in-process. */
export interface Requested {
  /** What follows the origin. */
  readonly target: string;
  readonly verb: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** Texts name the stage: `{id}`, `{key}`, `{KEY}`, `{token}`, `{watched}`, `{paidKey}`; `{length}`: of the body. */
export interface Row<Sent = Requested | string | Buffer> {
  readonly title: string;
  /** A string or a buffer goes over a socket, byte by byte, where nothing tidies it up. */
  readonly sent: Sent;
  /** An answer, or what matches it. */
  readonly expected: object;
}

export type Tables = { readonly [title: string]: readonly Row[] };

/** A text that isn't empty. */
export const words: unknown = expect.stringMatching(/./);
const refusal = (status: number): object => ({
  status: `${status}`,
  type: "application/json",
  body: { statusCode: status, message: words, error: words },
});
/** Refused below the platform, or not answered at all. */
const unheard: object = expect.objectContaining({ status: expect.stringMatching(/^(4\d\d|closed)$/) });

/** @param expected a status with a refusal in the platform's shape, or `http` for bytes that are no HTTP */
export const row = (title: string, expected: number | "http", sent: Row["sent"]): Row => ({
  title: short(title),
  sent,
  expected: expected === "http" ? unheard : refusal(expected),
});

export const short = (text: string): string =>
  text.length > 150 ? `${text.slice(0, 150)}… (${text.length} characters)` : text;

/** Values in YAML, separated by commas. */
export const list = (template: TemplateStringsArray, ...inserted: readonly unknown[]): readonly Json[] =>
  parse(`[${String.raw(template, ...inserted)}]`) as readonly Json[];
export const texts = (...template: Parameters<typeof list>): readonly string[] => list(...template).map(String);
/** Texts by title. */
export const named = (
  { raw }: TemplateStringsArray,
  ...inserted: readonly string[]
): { readonly [title: string]: string } =>
  parse(`{${String.raw({ raw }, ...inserted)}}`) as { readonly [title: string]: string };
/** Values separated by white space. */
export const split = (text: string): string[] => text.trim().split(/\s+/);

export const nested = (open: string, inner: string, close: string, depth: number): string =>
  open.repeat(depth) + inner + close.repeat(depth);

export const lines = (method: string, target: string, headers: readonly string[] = [], body = ""): string =>
  [`${method} ${target} HTTP/1.1`, "Host: 127.0.0.1", "Connection: close", ...headers, "", body].join("\r\n");
export const sized = (method: string, target: string, headers: readonly string[], body: string): string =>
  lines(method, target, [...headers, "Content-Length: {length}"], body);
