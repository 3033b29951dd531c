// Fingerprints: what one answer shows once everything that varies by itself is masked.
import Big from "big.js";
import type { OperationId } from "../core/interface.ts";
import { type Json, type ParsedJson, pointerFromPath, valueAt } from "../core/json.ts";
import { type Answer, type Exchange, mediaTypeOf } from "../transport/exchange.ts";

export type AnsweredExchange = Exchange & { readonly answer: Answer };

export const isAnswered = (exchange: Exchange): exchange is AnsweredExchange => exchange.answer !== null;

export interface Fingerprint {
  /** Null for what the interface doesn't describe. */
  readonly operation: OperationId | null;
  /** Which of a probe's questions was answered. */
  readonly case: string;
  readonly status: number;
  readonly mediaType: string | null;
  /** Sorted names, without those of the connection. */
  readonly headers: readonly string[];
  /** Classes of values by path, items of an array merged as `*`, e.g. `{"/placed": "date"}`. */
  readonly body: { readonly [path: string]: string };
  readonly error: { readonly code: string | number | null; readonly message: string } | null;
  /** Which of two contradicting rules the platform followed. */
  readonly winner: string | null;
  /** A measured figure, so coarse that two runs agree. */
  readonly bucket: string | null;
}

export type Aspect = Pick<Fingerprint, "case"> & Partial<Pick<Fingerprint, "winner" | "bucket">>;

/** Fields of the connection or of the framing (RFC 9110 §7.6.1, RFC 9112 §6). */
const framing = new Set(["connection", "keep-alive", "transfer-encoding", "content-length"]);

export function fingerprintOf(
  { requestSpec, answer }: AnsweredExchange,
  { case: name, winner = null, bucket = null }: Aspect,
): Fingerprint {
  return {
    operation: requestSpec.operation,
    case: name,
    status: answer.status,
    mediaType: mediaTypeOf(answer) ?? null,
    headers: headerNames(answer),
    body: answer.json ? typeTree(answer.json) : {},
    error: errorOf(answer.json?.value),
    winner,
    bucket,
  };
}

export const headerNames = ({ headers }: Pick<Answer, "headers">): readonly string[] =>
  [...new Set(headers.map(([name]) => name))].filter((name) => !framing.has(name)).sort();

/** The first that matches is the class of a text. */
const classes: readonly (readonly [name: string, pattern: string, flags: string])[] = [
  ["uuid", "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "i"],
  ["date", "\\d{4}-\\d{2}-\\d{2}(?:T[0-9:.]+(?:Z|[+-]\\d{2}:?\\d{2})?)?", ""],
  ["hex", "(?:0x)?[0-9a-f]{16,}", "i"],
  ["base58", "[1-9A-HJ-NP-Za-km-z]{32,88}", ""],
];
const wholly = classes.map(([name, pattern, flags]) => [name, new RegExp(`^${pattern}$`, flags)] as const);
const within = [
  ...classes.map(
    ([name, pattern, flags]) =>
      [`<${name}>`, new RegExp(`(?<![0-9A-Za-z])${pattern}(?![0-9A-Za-z])`, `g${flags}`)] as const,
  ),
  ["<host>", /(?<=\/\/)[^/\s"']+/g],
  ["<number>", /\d{5,}/g],
] as const;

const classOf = (text: string): string | null => wholly.find(([, pattern]) => pattern.test(text))?.[0] ?? null;

/** A text without ids, dates, keys, addresses and long numbers. */
export const withoutNumbers = (text: string): string =>
  within.reduce((left, [name, pattern]) => left.replace(pattern, name), text);

/** Bounds of a tree, far beyond ordinary answers. */
const deepest = 16;
const mostPaths = 400;
/** Longer sets of words are not written out. */
const mostWords = 8;
const word = /^[A-Za-z][A-Za-z0-9_-]{0,23}$/;

interface Seen {
  readonly kinds: Set<string>;
  readonly words: Set<string>;
}

type TypeTree = { readonly [path: string]: string };

/** Many probes read the same answer. */
const knownTrees = new WeakMap<ParsedJson, TypeTree>();

function typeTree(json: ParsedJson): TypeTree {
  const known = knownTrees.get(json) ?? typeTreeOf(json);
  knownTrees.set(json, known);
  return known;
}

function typeTreeOf({ value: root, literals }: ParsedJson): TypeTree {
  const tree = new Map<string, Seen>();
  const add = (value: Json, path: string, at: string, depth: number): void => {
    const seen = tree.get(path) ?? { kinds: new Set(), words: new Set() };
    if (!tree.has(path) && tree.size >= mostPaths) return;
    tree.set(path, seen);
    seen.kinds.add(kindOf(value, literals.get(at)));
    if (typeof value === "string" && classOf(value) === null) seen.words.add(value);
    if (typeof value !== "object" || value === null || depth >= deepest) return;
    if (Array.isArray(value))
      for (const [index, item] of (value as readonly Json[]).entries())
        add(item, `${path}/*`, `${at}/${index}`, depth + 1);
    else
      for (const [member, inner] of Object.entries(value))
        add(inner, path + pointerFromPath([nameClass(member)]), at + pointerFromPath([member]), depth + 1);
  };
  add(root, "", "", 0);
  return Object.fromEntries([...tree].sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, seen]) => [path, textOf(seen)]));
}

/** Members named by an id or a number share one path. */
export const nameClass = (member: string): string => {
  const found = /^\d+$/.test(member) ? "number" : classOf(member);
  return found ? `<${found}>` : member;
};

const largestSafe = new Big(Number.MAX_SAFE_INTEGER);

/** @param literal of a number that JavaScript writes differently */
function kindOf(value: Json, literal: string | undefined): string {
  if (value === null) return "null";
  if (typeof value === "string") return classOf(value) ?? "free";
  if (typeof value !== "number") return Array.isArray(value) ? "array" : typeof value;
  if (literal === undefined && Number.isSafeInteger(value)) return "int";
  const exact = new Big(literal ?? value);
  if (exact.abs().gt(largestSafe)) return "big";
  return exact.eq(exact.round(0, 0)) ? "int" : "frac";
}

/** Free texts that are single words count as a set of names. */
function textOf({ kinds, words }: Seen): string {
  const isSet = words.size > 0 && words.size <= mostWords && [...words].every((one) => word.test(one));
  return [...kinds].sort().join("|") + (isSet ? `(${[...words].sort().join(",")})` : "");
}

/** JSON-RPC nests its error; a REST error is its own document. */
function errorOf(value: Json | undefined): Fingerprint["error"] {
  const nested = valueAt(value, "/error/message") !== undefined;
  const message = valueAt(value, nested ? "/error/message" : "/message");
  const code = valueAt(value, nested ? "/error/code" : "/error") ?? (nested ? null : valueAt(value, "/statusCode"));
  if (message === undefined) return null;
  const text = typeof message === "string" ? message : JSON.stringify(message);
  return { code: typeof code === "string" || typeof code === "number" ? code : null, message: withoutNumbers(text) };
}
