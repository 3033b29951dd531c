// What the body of a recorded answer is, whatever its label says: recorders decode, encode and mark texts by habit.
import { type Json, type ParsedJson, parseJson, valueAt } from "../core/json.ts";
import { decoded, largestBody_bytes } from "../transport/contentCoding.ts";

const mostLayers = 3;

/** The mark of a text in UTF-8, also where its bytes were read as Latin-1. */
const mark = /^(?:\uFEFF|\u00EF\u00BB\u00BF)/;
/** Any of its alphabets, perhaps in lines. */
const base64 = /^[\w+/\s-]+(?:={1,2}\s*)?$/;
/** Each character is a byte. */
const latin1 = /^[\0-\u00FF]*$/;

export interface BodyReading {
  readonly text: string;
  readonly json: ParsedJson | null;
}

/**
 * The JSON of a body, out of base64, gzip, UTF-16 or a text of JSON in which a recorder has wrapped it; the body as a
 * text where none of them yields JSON.
 */
export async function readBody(body: Uint8Array | string, layers = mostLayers): Promise<BodyReading> {
  const text = (typeof body === "string" ? body : textFrom(body)).replace(mark, "");
  const json = parseJson(text);
  const read = { text, json };
  if (layers === 0 || isStructured(json?.value)) return read;
  const inner = json === null ? await unwrapped(body, text) : json.value;
  if (inner === null || (typeof inner !== "string" && !(inner instanceof Uint8Array))) return read;
  const within = await readBody(inner, layers - 1);
  return isStructured(within.json?.value) ? within : read;
}

export const isStructured = (value: Json | undefined): boolean => typeof value === "object" && value !== null;

function textFrom(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const isWide = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return new TextDecoder(isWide ? (first === 0xff ? "utf-16le" : "utf-16be") : "utf-8").decode(bytes);
}

/** One layer less; null where there is none that a recorder puts around a body. */
async function unwrapped(body: Uint8Array | string, text: string): Promise<Uint8Array | string | null> {
  if (base64.test(text)) return Buffer.from(text, "base64");
  const bytes = typeof body === "string" ? (latin1.test(body) ? Buffer.from(body, "latin1") : null) : body;
  const isGzipped = bytes?.[0] === 0x1f && bytes[1] === 0x8b;
  return isGzipped ? decoded(bytes, "gzip", largestBody_bytes).catch(() => null) : null;
}

/**
 * Why a response in a HAR isn't the platform's; null where it may be. Chrome tells answers of a page's service worker,
 * and which of them it has from the network.
 */
export const notPlatforms = (response: Json | undefined): string | null =>
  valueAt(response, "/_fetchedViaServiceWorker") === true &&
  valueAt(response, "/_serviceWorkerResponseSource") !== "network"
    ? "an answer of the page's service worker rather than the platform"
    : null;

/** Why what isn't JSON, though it may be labelled so, proves nothing in a recording. */
export const habitIn = (text: string): string =>
  /[\uFFFD\0-\x08\x0E-\x1F]/.test(text)
    ? "an answer whose bytes a recorder wrote as a text"
    : "an answer that isn't JSON as it was recorded";
