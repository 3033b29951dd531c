// What does the platform put on the wire? An answer that a lie can still bend.
import type { Project } from "./world.ts";

export type Value = null | boolean | number | string | Value[] | { [member: string]: Value };

export interface WireAnswer {
  status: number;
  headers: Record<string, string>;
  /** JSON, or a text that is sent as it stands; undefined: no body. */
  body: Value | { readonly raw: string | Uint8Array } | undefined;
}

/** One request as the platform understood it. */
export interface Call {
  readonly method: string;
  readonly path: string;
  /** Set where the request was found to be the documented usage request. */
  operation: "getProjectUsage" | null;
  /** The project of the key, where the key is good. */
  project: Project | null;
  /** Where the key was found. */
  carrier: "header" | "query" | null;
  /** Unix time in ms, by the project's own calendar where there is a project. */
  now_ms: number;
}

/** Bends an answer; works on a deep copy. */
export type Bend = (answer: WireAnswer, call: Call) => WireAnswer;

export const isRaw = (body: WireAnswer["body"]): body is { readonly raw: string | Uint8Array } =>
  typeof body === "object" && body !== null && !Array.isArray(body) && "raw" in body;

export const textOf = (body: WireAnswer["body"]): string | Uint8Array | null => (body === undefined ? null : isRaw(body) ? body.raw : JSON.stringify(body));
