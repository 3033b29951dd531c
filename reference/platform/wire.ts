// What does the platform put on the wire? An answer that a mutant can still bend.
import { stringify } from "lossless-json";
import type { RpcCause } from "../rpc/refusals.ts";
import type { WalletOperation } from "../wallet/rules.ts";
import type { Project } from "./world.ts";

/** JSON, with whole numbers of any size. */
export type Value = null | boolean | number | bigint | string | Value[] | { [member: string]: Value };

export interface WireAnswer {
  status: number;
  headers: Record<string, string>;
  /** JSON, or a text that is sent as it stands; undefined: no body. */
  body: Value | { readonly raw: string | Uint8Array } | undefined;
}

/** One JSON-RPC call as the platform understood it, and how it came out. */
export interface RpcCall {
  readonly method: string;
  readonly params: Value | undefined;
  readonly id: Value;
  /** Null where it was served. */
  readonly cause: RpcCause | null;
  /** Where a key was looked for and none, or no good one, was found. */
  readonly keyCause: "noKey" | "malformedKey" | "unknownKey" | "revokedKey" | null;
}

/** One request as the platform understood it. */
export interface Call {
  readonly method: string;
  readonly path: string;
  /** Set where the request was found to be the documented usage request. */
  operation: "getProjectUsage" | null;
  /** Set where a JSON-RPC call was answered alone. */
  rpc: RpcCall | null;
  /** Set where a wallet request was served. */
  wallet: WalletOperation | null;
  /** The project of the key, where the key is good. */
  project: Project | null;
  /** Where the key was found. */
  carrier: "header" | "query" | null;
  /** Unix time in ms, by the project's own calendar where there is a project. */
  now_ms: number;
}

/** Bends an answer; works on a deep copy. */
export type ResponseMutation = (answer: WireAnswer, call: Call) => WireAnswer;

export const isRaw = (body: WireAnswer["body"]): body is { readonly raw: string | Uint8Array } =>
  typeof body === "object" && body !== null && !Array.isArray(body) && "raw" in body;

export const textOf = (body: WireAnswer["body"]): string | Uint8Array | null =>
  body === undefined ? null : isRaw(body) ? body.raw : jsonOf(body);

/** The texts of documents that are served again and again. */
const texts = new WeakMap<object, string>();

/** A document that nobody changes any more; its text is written once. */
export function remembered<Document extends { [member: string]: Value }>(document: Document): Document {
  texts.set(document, jsonOf(document));
  return document;
}

/** The built-in writer is many times faster, and refuses whole numbers beyond 2^53. */
function jsonOf(body: Value): string {
  const known = typeof body === "object" && body !== null ? texts.get(body) : undefined;
  if (known !== undefined) return known;
  try {
    return JSON.stringify(body);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return stringify(body) ?? "null";
  }
}
