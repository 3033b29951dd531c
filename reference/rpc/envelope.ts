// What does the platform do with envelopes where the interface leaves it open? Choices: none of them breaks a promise.
import { parse } from "lossless-json";
import type { Value } from "../platform/wire.ts";
import { isObject } from "./method.ts";

export interface EnvelopeChoices {
  /** HTTP status of a call that is served. */
  readonly servedStatus: 200 | 202;
  /** HTTP status of what is no JSON. */
  readonly parseStatus: 200 | 400;
  readonly notificationStatus: 200 | 202 | 204;
  /** Whether `jsonrpc` must be "2.0". */
  readonly version: "demanded" | "not looked at" | "1.0 wanted";
  readonly methodSpelling: "exact" | "any case and white space";
  /** Ids that are neither text nor number nor null. */
  readonly otherIds: "refused" | "echoed";
  readonly fractionalIds: "echoed" | "refused";
  /** Characters of an id, at most; null: any number. */
  readonly longestId: number | null;
  readonly loneSurrogates: "echoed" | "replaced" | "refused";
  /** Calls in a batch, at most; null: any number. */
  readonly longestBatch: number | null;
  readonly batchOrder: "as asked" | "the last first";
  readonly duplicates: "the last counts" | "the first counts" | "refused";
  /** Members that no envelope has. */
  readonly otherMembers: "ignored" | "refused";
  /** Params that are neither object nor array nor null. */
  readonly scalarParams: "no request" | "bad params";
  /** Levels of JSON, at most; null: any number. */
  readonly deepest: number | null;
  /** Bytes of a body, at most; null: any number. */
  readonly largestBody: number | null;
  /** Bodies that were sent compressed. */
  readonly gzipped: "taken as they are" | "refused" | "unpacked";
  readonly get: "not allowed" | "not found" | "a page";
  readonly discover: "a document" | "unknown";
  readonly contextSlots: "of one index" | "of several";
  readonly contextMembers: "slot" | "slot and version";
  readonly errorData: "none" | "the cause";
  readonly requestId: "none" | "in every envelope";
  readonly keyInHeader: "not looked at" | "as good as in the query";
  readonly blockedAddress: "in an envelope" | "by HTTP alone";
  /** When the key is judged. */
  readonly keyJudged: "after the envelope" | "before the envelope" | "after the method";
  readonly limitJudged: "before the method" | "last";
}

export const honestEnvelopes: EnvelopeChoices = {
  servedStatus: 200,
  parseStatus: 200,
  notificationStatus: 204,
  version: "demanded",
  methodSpelling: "exact",
  otherIds: "refused",
  fractionalIds: "echoed",
  longestId: null,
  loneSurrogates: "echoed",
  longestBatch: null,
  batchOrder: "as asked",
  duplicates: "the last counts",
  otherMembers: "ignored",
  scalarParams: "no request",
  deepest: null,
  largestBody: null,
  gzipped: "taken as they are",
  get: "not allowed",
  discover: "a document",
  contextSlots: "of one index",
  contextMembers: "slot",
  errorData: "none",
  requestId: "none",
  keyInHeader: "not looked at",
  blockedAddress: "in an envelope",
  keyJudged: "after the envelope",
  limitJudged: "before the method",
};

/** @throws SyntaxError where the text is no JSON that this platform reads */
export function read(text: string, { duplicates, deepest, loneSurrogates }: EnvelopeChoices): Value {
  const value = duplicates === "the last counts" ? (JSON.parse(text) as Value) : readOnce(text, duplicates);
  if (deepest !== null && depthOf(value) > deepest) throw new SyntaxError("nested too deeply");
  if (loneSurrogates === "replaced" && isObject(value) && typeof value["id"] === "string")
    value["id"] = Buffer.from(value["id"]).toString();
  return value;
}

const readOnce = (text: string, duplicates: EnvelopeChoices["duplicates"]): Value =>
  parse(text, null, {
    parseNumber: Number,
    onDuplicateKey: ({ oldValue }) => {
      if (duplicates === "refused") throw new SyntaxError("a member is there twice");
      return oldValue;
    },
  }) as Value;

const depthOf = (value: Value): number =>
  typeof value !== "object" || value === null
    ? 0
    : 1 + Math.max(0, ...Object.values(value).map((member) => depthOf(member)));

/** Undefined is the id of a notification. */
export function isId(
  id: Value | undefined,
  { otherIds, fractionalIds, longestId, loneSurrogates }: EnvelopeChoices,
): boolean {
  if (typeof id === "number") return fractionalIds === "echoed" || Number.isInteger(id);
  if (typeof id !== "string") return id === undefined || id === null || otherIds === "echoed";
  if (loneSurrogates === "refused" && /\p{Surrogate}/u.test(id)) return false;
  return longestId === null || id.length <= longestId;
}

const members = new Set(["jsonrpc", "id", "method", "params"]);

export const hasOnlyItsMembers = (request: { readonly [member: string]: Value }): boolean =>
  Object.keys(request).every((name) => members.has(name));

/** How far the index of the second machine is behind the others', in blocks. */
const lag = 40;

/** A result with what this platform says of its context; every third call is answered by a machine that is behind. */
export function inContext(result: Value, nth: number, { contextSlots, contextMembers }: EnvelopeChoices): Value {
  if (!isObject(result) || !isObject(result["context"])) return result;
  const { slot = null, ...others } = result["context"];
  const isLate = contextSlots === "of several" && nth % 3 === 2 && typeof slot === "number";
  const version: { [member: string]: Value } = contextMembers === "slot" ? {} : { apiVersion: "2.1.0" };
  return { ...result, context: { ...others, ...version, slot: isLate ? slot - lag : slot } };
}
