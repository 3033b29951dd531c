// How JSON-RPC envelopes are read and written where the interface leaves it unspecified
import { parse } from "lossless-json";
import type { EnvelopeChoices } from "../platform/rpcChoices.ts";
import { type Doc, isDocValue, type Value } from "../platform/wire.ts";

/** @throws SyntaxError for text that this platform doesn't read as JSON */
export function read(text: string, { duplicates, deepest, loneSurrogates }: EnvelopeChoices): Value {
  const value = duplicates === "the last counts" ? (JSON.parse(text) as Value) : readOnce(text, duplicates);
  if (deepest !== null && depthOf(value) > deepest) throw new SyntaxError("nested too deeply");
  if (loneSurrogates === "replaced" && isDocValue(value) && typeof value["id"] === "string")
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
export function isRequestId(
  id: Value | undefined,
  { otherIds, fractionalIds, longestId, loneSurrogates }: EnvelopeChoices,
): boolean {
  if (typeof id === "number") return fractionalIds === "echoed" || Number.isInteger(id);
  if (typeof id !== "string") return id === undefined || id === null || otherIds === "echoed";
  if (loneSurrogates === "refused" && /\p{Surrogate}/u.test(id)) return false;
  return longestId === null || id.length <= longestId;
}

const members = new Set(["jsonrpc", "id", "method", "params"]);

export const hasOnlyItsMembers = (request: Doc): boolean => Object.keys(request).every((name) => members.has(name));

/** How far the second machine's index lags, in blocks. */
const lag = 40;

/** A result with this platform's context; every third call is answered by a machine that lags. */
export function inContext(result: Value, nth: number, { contextSlots, contextMembers }: EnvelopeChoices): Value {
  if (!isDocValue(result) || !isDocValue(result["context"])) return result;
  const { slot = null, ...others } = result["context"];
  const isLate = contextSlots === "of several" && nth % 3 === 2 && typeof slot === "number";
  const version: Doc = contextMembers === "slot" ? {} : { apiVersion: "2.1.0" };
  return { ...result, context: { ...others, ...version, slot: isLate ? slot - lag : slot } };
}
