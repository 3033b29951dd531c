// Exchanges out of JSON by a mapping, which says where their parts stand: lines of gateways and k6, and entries of HAR.
import { findNodeAtLocation, parseTree } from "jsonc-parser";
import { isObject, type Json, listOf, parseJson, pathFromPointer, stepsOf, valueAt } from "../core/json.ts";
import { type HeaderList, headerOf } from "../transport/exchange.ts";
import type forms from "./forms.schema.json";
import { isStructured, notPlatforms } from "./readings.ts";
import type { Recorded } from "./recorded.ts";
import { lacksZone, loggedTime } from "./times.ts";
import { shownAt, type Unread } from "./unread.ts";

type Described = keyof typeof forms.$defs.mapping.properties;
type Settings = "where" | "timeIs" | "bodies" | "headers";

/** A JSON pointer, or several of which the first that leads to a value counts. */
type Pointers = string | readonly string[];

/** Pointers into a line, but for settings; the form says what each of them is. */
export interface Mapping extends Readonly<Partial<Record<Exclude<Described, Settings>, Pointers>>> {
  readonly where?: { readonly [pointer: string]: Json };
  readonly time: Pointers;
  readonly status: Pointers;
  readonly timeIs?: "sent" | "answered";
  readonly bodies?: "text" | "base64";
  readonly headers?: "all" | "some";
  /** Where the line says how a body is written; `bodies` says it of all. */
  readonly requestEncoding?: string;
  readonly encoding?: string;
  /** How many bytes the body of the answer had, so that a cut one shows. */
  readonly responseSize?: string;
  /** Why there is no answer. */
  readonly fault?: Pointers;
}

export const har: Mapping = {
  time: "/startedDateTime",
  latency_ms: "/time",
  method: "/request/method",
  url: "/request/url",
  requestHeaders: "/request/headers",
  requestBody: "/request/postData/text",
  requestEncoding: "/request/postData/encoding",
  status: "/response/status",
  responseHeaders: "/response/headers",
  responseBody: "/response/content/text",
  responseSize: "/response/content/size",
  fault: ["/response/_error", "/response/_failureText"],
  encoding: "/response/content/encoding",
};

const textOf = (value: Json | undefined): string | undefined =>
  typeof value === "string" ? value : typeof value === "number" ? String(value) : undefined;

/** The name and value of an object in a list. */
const pairOf = (item: Json): readonly (Json | undefined)[] =>
  isObject(item) ? [item["name"] ?? item["key"], item["value"]] : listOf(item);

/** Of an object of texts or of lists of texts, a list of pairs, or of objects with a name or key and a value. */
function headersOf(value: Json | undefined): HeaderList {
  const pairs = isObject(value) ? Object.entries(value) : listOf(value).map(pairOf);
  return pairs.flatMap(([name, texts]) =>
    (Array.isArray(texts) ? listOf(texts as Json) : [texts]).flatMap((text): HeaderList => {
      const field = textOf(name);
      const line = textOf(text);
      // HTTP/2 has pseudo-fields.
      return field === undefined || line === undefined || field.startsWith(":") ? [] : [[field.toLowerCase(), line]];
    }),
  );
}

/** As `valueAt`, where a step may also be the name of a pair in a list, as `:path` among headers. */
function namedAt(root: Json, pointer: string): Json | undefined {
  let here: Json | undefined = root;
  for (const step of stepsOf(pointer)) {
    if (typeof here !== "object" || here === null) return undefined;
    if (Object.hasOwn(here, step)) here = (here as { readonly [member: string]: Json })[step];
    else if (!Array.isArray(here)) return undefined;
    else
      here = listOf(here as Json)
        .map(pairOf)
        .find(([name]) => name === step)?.[1];
  }
  return here;
}

interface Place {
  readonly pointer: string;
  readonly value: Json | undefined;
}

const isEmpty = (value: Json | undefined): boolean =>
  value === undefined || value === null || value === "" || value === "-";

const nowhere: Place = { pointer: "", value: undefined };

/** The first of the places that isn't empty, as `-` is in logs of web servers; else the first that is there. */
function placeIn(root: Json, pointers: Pointers | undefined): Place {
  if (typeof pointers === "string") return { pointer: pointers, value: namedAt(root, pointers) };
  let found: Place = nowhere;
  for (const pointer of pointers ?? []) {
    const value = namedAt(root, pointer);
    if (!isEmpty(value)) return { pointer, value };
    if (found === nowhere || found.value === undefined) found = { pointer, value };
  }
  return found;
}

export const isUnread = (read: object): read is Unread => "unread" in read;

/** The JSON of an entry. */
export function jsonOfEntry(text: string): { readonly json: Json } | Unread {
  try {
    return { json: JSON.parse(text) as Json };
  } catch {
    // By default nginx escapes as no JSON does.
    return {
      unread: /\\x[\dA-F]{2}/.test(text) ? "what isn't JSON: nginx writes it with escape=json" : "what isn't JSON",
    };
  }
}

/** Bodies that stand elsewhere. */
export interface AttachedBodies {
  readonly requestBody?: Buffer;
  readonly responseBody?: Buffer;
}

/** @returns null for a line that is about something else */
export function entryOfLine(line: string, mapping: Mapping): Recorded | Unread | null {
  const read = jsonOfEntry(line);
  return isUnread(read) ? read : entryOf(read.json, line, mapping);
}

/** @param text that the value was parsed from */
export function entryOf(
  value: Json,
  text: string,
  mapping: Mapping,
  attached: AttachedBodies = {},
): Recorded | Unread | null {
  if (Object.entries(mapping.where ?? {}).some(([pointer, wanted]) => valueAt(value, pointer) !== wanted)) return null;
  try {
    const unread = notPlatforms(valueAt(value, "/response"));
    if (unread !== null) return { unread };
    const head = headIn(value, mapping);
    return isUnread(head) ? head : entryWith(head, value, text, mapping, attached);
  } catch (error) {
    // The stack is exceeded.
    if (error instanceof RangeError) return { unread: "what is nested too deeply to be read" };
    throw error;
  }
}

type Head = Pick<Recorded, "method" | "url" | "sentAt_ms" | "latency_ms"> & { readonly status: number };

/** What each entry must have. */
function headIn(value: Json, mapping: Mapping): Head | Unread {
  const text = (pointers: Pointers | undefined): string | undefined => textOf(placeIn(value, pointers).value);
  const lacks = (what: string, place: Place): Unread => ({
    unread: what,
    example: shownAt(place.pointer, place.value, value),
  });
  const time = placeIn(value, mapping.time);
  const time_ms = loggedTime(time.value);
  if (Number.isNaN(time_ms)) return lacks(lacksZone(time.value) ? "a time without its zone" : "no time", time);
  const line = placeIn(value, mapping.requestLine);
  const [, ofLine, target] = /^([A-Za-z]+) (\S+)(?: HTTP\/[\d.]+)?$/.exec(textOf(line.value) ?? "") ?? [];
  const method = ofLine ?? text(mapping.method);
  const orLine = (pointers: Pointers | undefined): Place =>
    pointers === undefined || line.value !== undefined ? line : placeIn(value, pointers);
  if (!method || method === "-") return lacks("no method", orLine(mapping.method));
  const address = target ?? text(mapping.url);
  if (!address || address === "-") return lacks("no address", orLine(mapping.url));
  const code = placeIn(value, mapping.status);
  const status = Number(textOf(code.value) || Number.NaN);
  if (Number.isNaN(status)) return lacks("no status", code);
  const took = Number(text(mapping.latency_ms) ?? Number(text(mapping.latency_s) ?? 0) * 1_000);
  const latency_ms = took >= 0 ? took : 0;
  const host = text(mapping.host);
  const port = text(mapping.port);
  const origin = `${text(mapping.scheme) ?? "https"}://${host}${port === undefined ? "" : `:${port}`}`;
  return {
    method: method.toUpperCase(),
    url: host !== undefined && address.startsWith("/") ? `${origin}${address}` : address,
    sentAt_ms: mapping.timeIs === "answered" ? time_ms - latency_ms : time_ms,
    latency_ms,
    status,
  };
}

function entryWith(
  { status, ...head }: Head,
  value: Json,
  text: string,
  mapping: Mapping,
  attached: AttachedBodies,
): Recorded {
  const at = (pointers: Pointers | undefined): Json | undefined => placeIn(value, pointers).value;
  const headers = headersOf(at(mapping.responseHeaders));
  const body = (plain?: Pointers, inBase64?: Pointers, encoding?: string): string | Buffer | null => {
    const isBase64 = mapping.bodies === "base64" || (encoding !== undefined && at(encoding) === "base64");
    const found = bodyAt(placeIn(value, plain), text, isBase64, mapping);
    return found === null || found === "" ? (bodyAt(placeIn(value, inBase64), text, true, mapping) ?? found) : found;
  };
  const { requestBody, requestBody64, responseBody, responseBody64, requestEncoding, encoding } = mapping;
  const sent = attached.requestBody ?? body(requestBody, requestBody64, requestEncoding);
  const received = attached.responseBody ?? body(responseBody, responseBody64, encoding);
  return {
    ...head,
    headers: headersOf(at(mapping.requestHeaders)),
    body: sent?.toString() ?? null,
    // Browsers write 0 for what was cut off, blocked or never sent.
    answer:
      status < 100
        ? { fault: textOf(at(mapping.fault)) ?? "none was recorded" }
        : {
            status,
            headers,
            body: wholeOf(received, at(mapping.responseSize), headers),
            ...(attached.responseBody === undefined && isStructured(at(responseBody)) ? { isParsed: true } : {}),
            ...(mapping.headers === "all" && headers.length > 0 ? {} : { lacksHeaders: true }),
          },
  };
}

/** As it was written where it isn't a text: numbers may be longer than JavaScript's. */
function bodyAt({ pointer, value }: Place, line: string, isBase64: boolean, mapping: Mapping): string | Buffer | null {
  if (value === undefined || value === null) return null;
  if (typeof value === "string") {
    // Web servers log what is empty so.
    if (value === "-" && mapping !== har) return null;
    return isBase64 ? bytesOf(value) : value;
  }
  const root = parseTree(line);
  const node = root && findNodeAtLocation(root, pathFromPointer(pointer));
  return node ? line.slice(node.offset, node.offset + node.length) : null;
}

/** Some recorders say base64 of what is a text: no JSON but a number or a word has only letters of base64. */
const bytesOf = (text: string): string | Buffer => (/[^\w+/=\s-]/.test(text) ? text : Buffer.from(text, "base64"));

/** Null for the body of an answer that isn't whole: recorders leave bodies out or cut them, and put words in place. */
function wholeOf(body: string | Buffer | null, size: Json | undefined, headers: HeaderList): string | Buffer | null {
  // Browsers also write a size of 0 for a body that they dropped.
  if (body === null || body.length === 0)
    return (body !== null && size === 0) || headerOf({ headers }, "content-length") === "0" ? "" : null;
  const isShort = typeof size !== "number" || size > Buffer.byteLength(body);
  // Of bytes that are compressed, decompression tells.
  const isText = typeof body === "string" || headerOf({ headers }, "content-encoding") === undefined;
  return isText && isShort && parseJson(body.toString()) === null ? null : body;
}
