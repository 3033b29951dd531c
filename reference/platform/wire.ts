// Values on the wire: JSON, header fields, and answers that a mutant can still change
import { stringify } from "lossless-json";
import type { ErrorTable } from "../../specs/generated/operations.ts";
import type { RpcCause } from "../errors/causes.ts";
import type { Project } from "./project.ts";
import type { WalletRouteName } from "./walletRules.ts";

/** JSON, with whole numbers of any size. */
export type Value = null | boolean | number | bigint | string | Value[] | { [member: string]: Value };

/** A JSON object. */
export type Doc = { [member: string]: Value };

export const isDocValue = (value: Value | undefined): value is Doc =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Header fields as they came, case kept. */
export type RawHeaders = readonly (readonly [name: string, value: string])[];

/** @param wanted in lower case */
export const headerIn = (headers: RawHeaders, wanted: string): string | undefined =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1];

export interface PlatformAnswer {
  status: number;
  headers: Record<string, string>;
  /** JSON, or text that is sent unchanged; undefined: no body. */
  body: Value | { readonly raw: string | Uint8Array } | undefined;
}

/** One JSON-RPC call as the platform understood it, and its outcome. */
export interface RpcCall {
  readonly method: string;
  readonly params: Value | undefined;
  readonly id: Value;
  /** Of the method; null for an unknown one. */
  readonly errorTable: ErrorTable | null;
  /** Null where it was served. */
  readonly cause: RpcCause | null;
  /** Set where the key was missing or not valid. */
  readonly keyCause: "noKey" | "malformedKey" | "unknownKey" | "revokedKey" | null;
}

/** One request as the platform understood it. */
export interface JsonRpcCall {
  readonly method: string;
  readonly path: string;
  /** Set where the request is the documented usage request. */
  operation: "getProjectUsage" | null;
  /** Set for a JSON-RPC call that isn't in a batch. */
  rpc: RpcCall | null;
  /** Set where a wallet request was served. */
  wallet: WalletRouteName | null;
  /** The project of the key, where the key is valid. */
  project: Project | null;
  /** Where the key was found. */
  carrier: "header" | "query" | null;
  /** Unix time in ms, by the project's own calendar where there is a project. */
  now_ms: number;
}

/** Changes an answer; gets a deep copy. */
export type ResponseMutation = (answer: PlatformAnswer, call: JsonRpcCall) => PlatformAnswer;

export const isRaw = (body: PlatformAnswer["body"]): body is { readonly raw: string | Uint8Array } =>
  typeof body === "object" && body !== null && !Array.isArray(body) && "raw" in body;

export const bodyText = (body: PlatformAnswer["body"]): string | Uint8Array | null =>
  body === undefined ? null : isRaw(body) ? body.raw : jsonOf(body);

/** The texts of documents that are served repeatedly. */
const texts = new WeakMap<object, string>();

/** Marks a document as final: its text is written once. */
export function remembered(document: Doc): Doc {
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
