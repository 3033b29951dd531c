// Why a request isn't one of the interface: in general words, and with what shows it, without what may be a key.
import { isObject, type Json } from "../core/json.ts";
import { looksLikeKey } from "../core/secret.ts";

/** Why a request isn't judged, the same words for all alike. */
export const unmatched = {
  address: "a request without an address that can be read",
  host: "a request to a host that neither --target nor --base names",
  webSocket: "a WebSocket connection, whose messages aren't judged",
  path: "a request that isn't an operation of the interface",
  method: "a JSON-RPC method that isn't in the interface",
  notification: "a JSON-RPC notification (without an id)",
  accept: "a request that doesn't accept JSON",
  range: "a request for a part of an answer (Range)",
  parameters: "a request with query parameters that the interface doesn't describe",
  content: "a request whose body is compressed, isn't labelled as JSON, or is sent with GET",
  form: "a request in a form that the interface doesn't describe",
  body: "a JSON-RPC request whose body isn't recorded",
} as const;

/** Why a request isn't judged. */
export interface Unmatched {
  readonly unmatched: keyof typeof unmatched;
  /** With what shows it: a path, a name, a type. */
  readonly says: string;
}

export const unmatchedBy = (kind: keyof typeof unmatched, says: string = unmatched[kind]): Unmatched => ({
  unmatched: kind,
  says,
});

const mostNamed = 3;
const mostSegments = 8;

/** Names of parameters, methods and types. */
const name = /^[\w.:+*/[\]-]{1,40}$/;
/** A name that a request shows, or a sign in its place. */
export const shownName = (text: string): string => (name.test(text) && !looksLikeKey(text) ? text : "…");

/** Whether it stands in a path as a word: letters, or a version. */
export const isWord = (segment: string): boolean => /^([a-z][a-z._-]{0,29}|v\d{1,2})$/i.test(segment);

/** Operations' paths: literal words, and null in place of each variable. */
export type PathShape = readonly (string | null)[];

/**
 * A path with a sign in place of whatever may be an id or a key.
 * @param shapes those of operations
 */
export function shownPath(path: string, shapes: readonly PathShape[]): string {
  const segments = path.split("/").slice(1);
  const sharedWith = (shape: PathShape): number => {
    const end = segments.findIndex((segment, nth) => shape[nth] !== null && shape[nth] !== segment);
    return end < 0 ? segments.length : end;
  };
  const [nearest = []] = shapes.toSorted((one, other) => sharedWith(other) - sharedWith(one));
  const shared = sharedWith(nearest);
  const shown = segments.map((segment, nth) => {
    if (nth < shared) return nearest[nth] ?? (segment === "" ? "" : "…");
    return segment === "" || isWord(segment) ? segment : "…";
  });
  return `/${[...shown.slice(0, mostSegments), ...(shown.length > mostSegments ? ["…"] : [])].join("/")}`;
}

/** What is wrong with the body of a JSON-RPC request that isn't a call; an array has no call in it. */
export function formSays(json: Json): string {
  if (Array.isArray(json)) {
    const [first] = json as readonly Json[];
    return first === undefined ? "an empty batch" : `a batch without a call: its first request is ${formSays(first)}`;
  }
  const text = "a JSON-RPC request";
  if (!isObject(json)) return `${text} that isn't an object`;
  const { jsonrpc, id, method } = json;
  if (jsonrpc === undefined) return `${text} without "jsonrpc": "2.0"`;
  if (jsonrpc !== "2.0") return `${text} whose jsonrpc is ${shownValue(jsonrpc)} instead of "2.0"`;
  if (typeof method !== "string") return `${text} without a method`;
  return `${text} whose id is ${shownValue(id)} rather than a text or a number`;
}

/** A short text or number, or of which kind it is. */
function shownValue(value: Json | undefined): string {
  if (value === undefined) return "missing";
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "object") return Array.isArray(value) ? "an array" : "an object";
  const shown = JSON.stringify(value);
  return /^"?[\w.]{1,8}"?$/.test(shown) ? shown : `a ${typeof value === "string" ? "text" : "number"}`;
}

/** @param names of parameters that the interface doesn't describe */
export function parametersSay(names: readonly string[], operation: string): string {
  const shown = [...new Set(names.map(shownName))].sort();
  const list = [...shown.slice(0, mostNamed), ...(shown.length > mostNamed ? ["others"] : [])];
  const [one = "", ...rest] = list;
  const named =
    rest.length === 0 ? `parameter ${one}` : `parameters ${list.slice(0, -1).join(", ")} and ${list.at(-1)}`;
  return `the query ${named} of ${operation}: not described`;
}
