// Exchanges out of JSON by a mapping, which says where their parts stand: lines of gateways and k6, and entries of HAR.
import { findNodeAtLocation, parseTree } from "jsonc-parser";
import { isObject, type Json, listOf, parseJson, pathFromPointer, valueAt } from "../core/json.ts";
import { type HeaderList, headerOf } from "../transport/exchange.ts";
import type forms from "./forms.schema.json";
import type { RecordedEntry } from "./recorded.ts";

type Described = keyof typeof forms.$defs.mapping.properties;

/** JSON pointers into a line, but for `where`, `bodies` and `headers`; the form says what each of them is. */
export interface Mapping extends Readonly<Partial<Record<Exclude<Described, "where" | "bodies" | "headers">, string>>> {
  readonly where?: { readonly [pointer: string]: Json };
  readonly time: string;
  readonly method: string;
  readonly url: string;
  readonly status: string;
  readonly bodies?: "text" | "base64";
  readonly headers?: "all" | "some";
  /** Where the line says how the body of its answer is written; `bodies` says it of all. */
  readonly encoding?: string;
  /** How many bytes the body of the answer had, so that a cut one shows. */
  readonly responseSize?: string;
  /** Why there is no answer. */
  readonly fault?: string;
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
  encoding: "/response/content/encoding",
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
      const field = textOf(name);
      const line = textOf(text);
      // HTTP/2 has pseudo-fields.
      return field === undefined || line === undefined || field.startsWith(":") ? [] : [[field.toLowerCase(), line]];
    }),
  );
}

/** @returns null for a line that is about something else */
export function entryOfLine(line: string, mapping: Mapping): RecordedEntry | null {
  try {
    return entryIn(JSON.parse(line) as Json, line, mapping);
  } catch (error) {
    if (error instanceof SyntaxError) return { unread: "what isn't JSON" };
    // The stack is exceeded.
    if (error instanceof RangeError) return { unread: "what is nested too deeply to be read" };
    throw error;
  }
}

function entryIn(value: Json, line: string, mapping: Mapping): RecordedEntry | null {
  const at = (pointer: string | undefined): Json | undefined =>
    pointer === undefined ? undefined : valueAt(value, pointer);
  const text = (pointer: string | undefined): string | undefined => textOf(at(pointer));
  if (Object.entries(mapping.where ?? {}).some(([pointer, wanted]) => at(pointer) !== wanted)) return null;
  const method = text(mapping.method);
  const address = text(mapping.url);
  const host = text(mapping.host);
  const status = Number(text(mapping.status));
  const sentAt_ms = timeOf(at(mapping.time));
  if (method === undefined || address === undefined || Number.isNaN(status) || Number.isNaN(sentAt_ms))
    return { unread: "what has no time, method, address or status" };
  const took = Number(text(mapping.latency_ms) ?? 0);
  const size = at(mapping.responseSize);
  const isBase64 = mapping.bodies === "base64";
  const headers = headersOf(at(mapping.responseHeaders));
  const body = bodyAt(mapping.responseBody, value, line, isBase64 || at(mapping.encoding) === "base64");
  return {
    method: method.toUpperCase(),
    url: host !== undefined && address.startsWith("/") ? `https://${host}${address}` : address,
    headers: headersOf(at(mapping.requestHeaders)),
    body: bodyAt(mapping.requestBody, value, line, isBase64)?.toString() ?? null,
    // Browsers write 0 for what was cut off, blocked or never sent.
    answer:
      status < 100
        ? { fault: text(mapping.fault) ?? "none was recorded" }
        : {
            status,
            headers,
            body: wholeOf(body, size, headers),
            ...(mapping.headers === "all" && headers.length > 0 ? {} : { lacksHeaders: true }),
          },
    sentAt_ms,
    latency_ms: took >= 0 ? took : 0,
  };
}

/** As it was written where it isn't a text: numbers may be longer than JavaScript's. */
function bodyAt(pointer: string | undefined, value: Json, line: string, isBase64: boolean): string | Buffer | null {
  const body = pointer === undefined ? null : (valueAt(value, pointer) ?? null);
  if (typeof body === "string") return isBase64 ? Buffer.from(body, "base64") : body;
  if (pointer === undefined || body === null) return null;
  const root = parseTree(line);
  const node = root && findNodeAtLocation(root, pathFromPointer(pointer));
  return node ? line.slice(node.offset, node.offset + node.length) : null;
}

/** Null for the body of an answer that isn't whole: recorders leave bodies out or cut them, and put words in place. */
function wholeOf(body: string | Buffer | null, size: Json | undefined, headers: HeaderList): string | Buffer | null {
  if (body === null || body.length === 0)
    return size === 0 || headerOf({ headers }, "content-length") === "0" ? "" : null;
  const isShort = typeof size !== "number" || size > Buffer.byteLength(body);
  return typeof body === "string" && isShort && parseJson(body) === null ? null : body;
}
