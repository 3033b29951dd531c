// Exchanges out of JSON by a mapping, which says where their parts stand: lines of gateways and k6, and entries of HAR.
import { findNodeAtLocation, parseTree } from "jsonc-parser";
import { isObject, type Json, listOf, parseJson, stepsOf, valueAt } from "../core/json.ts";
import type { HeaderList } from "../transport/exchange.ts";
import type { Entry, Recorded } from "./recorded.ts";

/** JSON pointers into a line; see `forms.schema.json`. */
export interface Mapping {
  /** Lines in which one of these has another value are passed over without a word. */
  readonly where?: { readonly [pointer: string]: Json };
  readonly time: string;
  readonly latency_ms?: string;
  readonly method: string;
  /** Absolute, or a path. */
  readonly url: string;
  /** The host where `url` is a path; `https` is supposed. */
  readonly host?: string;
  readonly requestHeaders?: string;
  readonly requestBody?: string;
  readonly status: string;
  readonly responseHeaders?: string;
  readonly responseBody?: string;
  /** How many bytes the body of the answer had, so that a cut one shows. */
  readonly responseSize?: string;
  /** Why there is no answer. */
  readonly fault?: string;
  /** How bodies that are texts are written: as they are, in base64, or as the line says at this pointer. */
  readonly bodies?: "text" | "base64" | { readonly at: string };
  /** Whether lines have all fields of an answer's head, so that one may be missed; some by default. */
  readonly headers?: "all" | "some";
}

export const har: Mapping = {
  time: "/startedDateTime",
  latency_ms: "/time",
  method: "/request/method",
  url: "/request/url",
  requestHeaders: "/request/headers",
  requestBody: "/request/postData/text",
  status: "/response/status",
  responseHeaders: "/response/headers",
  responseBody: "/response/content/text",
  responseSize: "/response/content/size",
  fault: "/response/_error",
  bodies: { at: "/response/content/encoding" },
  headers: "all",
};

/** Numbers below that are seconds: it is September 2001 in ms. */
const firstInMs = 1e12;

/** RFC 3339, or seconds or ms since 1970, as a number or a text. */
function timeOf(value: Json | undefined): number {
  const number = typeof value === "string" && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  if (typeof number === "number") return new Date(number < firstInMs ? number * 1_000 : number).getTime();
  // Without a zone it would depend on the machine.
  return typeof number === "string" && /(Z|[+-]\d\d:?\d\d)$/i.test(number) ? Date.parse(number) : Number.NaN;
}

const textOf = (value: Json | undefined): string | undefined =>
  typeof value === "string" ? value : typeof value === "number" ? String(value) : undefined;

/** Of an object of texts or of lists of texts, a list of pairs, or of objects with `name` and `value`. */
function headersOf(value: Json | undefined): HeaderList {
  const pairs = isObject(value)
    ? Object.entries(value)
    : listOf(value).map((one) => (isObject(one) ? [one["name"], one["value"]] : listOf(one)));
  return pairs.flatMap(([name, texts]) =>
    (Array.isArray(texts) ? listOf(texts) : [texts]).flatMap((text): HeaderList => {
      const [field, line] = [textOf(name), textOf(text)];
      // HTTP/2 has pseudo-fields.
      return field === undefined || line === undefined || field.startsWith(":") ? [] : [[field.toLowerCase(), line]];
    }),
  );
}

/** @returns null for a line that is about something else */
export function entryOf(line: string, mapping: Mapping): Entry | null {
  try {
    return entryIn(JSON.parse(line) as Json, line, mapping);
  } catch (error) {
    if (error instanceof SyntaxError) return { unread: "what isn't JSON" };
    // The stack is exceeded.
    if (error instanceof RangeError) return { unread: "what is nested more deeply than we can read" };
    throw error;
  }
}

function entryIn(value: Json, line: string, mapping: Mapping): Entry | null {
  const at = (pointer: string | undefined): Json | undefined =>
    pointer === undefined ? undefined : valueAt(value, pointer);
  if (Object.entries(mapping.where ?? {}).some(([pointer, wanted]) => at(pointer) !== wanted)) return null;
  const [method, address, host] = [textOf(at(mapping.method)), textOf(at(mapping.url)), textOf(at(mapping.host))];
  const [status, sentAt_ms] = [Number(textOf(at(mapping.status))), timeOf(at(mapping.time))];
  if (method === undefined || address === undefined || Number.isNaN(status) || Number.isNaN(sentAt_ms))
    return { unread: "what has no time, method, address or status" };
  const request = bodyAt(at, mapping.requestBody, line, mapping.bodies === "base64");
  const took = Number(textOf(at(mapping.latency_ms)) ?? 0);
  return {
    method: method.toUpperCase(),
    url: host !== undefined && address.startsWith("/") ? `https://${host}${address}` : address,
    headers: headersOf(at(mapping.requestHeaders)),
    body: request?.toString() ?? null,
    answer: answerIn(status, at, line, mapping),
    sentAt_ms,
    latency_ms: took >= 0 ? took : 0,
  };
}

type At = (pointer: string | undefined) => Json | undefined;

/** As it was written where it isn't a text: numbers may be longer than JavaScript's. */
function bodyAt(at: At, pointer: string | undefined, line: string, isBase64: boolean): string | Buffer | null {
  const body = at(pointer) ?? null;
  if (typeof body === "string") return isBase64 ? Buffer.from(body, "base64") : body;
  if (pointer === undefined || body === null) return null;
  const steps = stepsOf(pointer).map((step) => (/^\d+$/.test(step) ? Number(step) : step));
  const root = parseTree(line);
  const node = root && findNodeAtLocation(root, steps);
  return node ? line.slice(node.offset, node.offset + node.length) : null;
}

function answerIn(status: number, at: At, line: string, mapping: Mapping): Recorded["answer"] {
  // Browsers write 0 for what was cut off, blocked or never sent.
  if (status < 100) return { fault: textOf(at(mapping.fault)) ?? "none was recorded" };
  const headers = headersOf(at(mapping.responseHeaders));
  const { bodies } = mapping;
  const isBase64 = bodies === "base64" || (typeof bodies === "object" && at(bodies.at) === "base64");
  const [read, size] = [bodyAt(at, mapping.responseBody, line, isBase64), at(mapping.responseSize)];
  const isEmpty = size === 0 || headers.some(([name, value]) => name === "content-length" && value === "0");
  // Recorders leave bodies out or cut them, and put words in place of what they cut.
  const isCut = (text: string): boolean =>
    (typeof size !== "number" || size > Buffer.byteLength(text)) && parseJson(text) === null;
  const body = read === null || read.length === 0 ? (isEmpty ? "" : null) : read;
  return {
    status,
    headers,
    body: typeof body === "string" && body !== "" && isCut(body) ? null : body,
    ...(mapping.headers === "all" && headers.length > 0 ? {} : { lacksHeaders: true }),
  };
}
