// Laws of JSON-RPC envelopes: the id of the request, codes of JSON-RPC 2.0, result or error (§4.3, §7.2)
import Big from "big.js";
import { type Finding, must } from "../../harness/core/finding.ts";
import { isObject, type Json, literalAt, valueAt } from "../../harness/core/json.ts";
import { type LawReading, law } from "../../harness/model/law.ts";
import { mayBeRewritten } from "../../harness/model/recorded.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { mayBeLag } from "./errors.laws.ts";

const sentId = ({ sent }: Exchange): Json | undefined => valueAt(sent.json, "/id");

/** How ids beyond 2^53 and fractions come back is unspecified (register, amendment 8). */
const isPlainNumber = (id: Json | undefined): id is number => typeof id === "number" && Number.isSafeInteger(id);

/** What comes back of half a character is unspecified (OBS-RPC-UNICODE). */
const loneSurrogate = /[\ud800-\udfff]/u;

/** For sendBundle the interface shows numbers only (§4.3): how a text comes back is unspecified (T-10). */
const takesTexts = ({ requestSpec }: Exchange): boolean => requestSpec.operation !== "sendBundle";

/** Undefined for anything but an envelope: another requirement is about that. */
function echoes(exchange: Exchange, id: string | number): Finding | undefined {
  const { json } = exchange.answer ?? {};
  const body = json?.value;
  if (!json || !isObject(body) || !("jsonrpc" in body || "result" in body || "error" in body)) return undefined;
  const got = body["id"];
  if (got !== id && mayBeRewritten(exchange, id, got)) return undefined;
  const expected = `${JSON.stringify(id)}, as it was sent`;
  if (typeof id === "string") return loneSurrogate.test(id) ? undefined : must(got === id, "/id", expected, got);
  const literal = literalAt(json, "/id");
  return must(literal !== undefined && new Big(literal).eq(id), "/id", expected, got);
}

/** Echoes ids that are texts, numbers, or both. */
const echo =
  (...kinds: readonly ("text" | "number")[]) =>
  ({ exchange }: LawReading<Json>): Finding | undefined => {
    const id = sentId(exchange);
    const isText = typeof id === "string" && kinds.includes("text") && takesTexts(exchange);
    return isText || (isPlainNumber(id) && kinds.includes("number")) ? echoes(exchange, id) : undefined;
  };

const resultEnvelopes = law<Json>("any method", "result", { "RPC-ENV-02": echo("text"), "RPC-ENV-03": echo("number") });

const errorEnvelopes = law<Json>("any method", "error", {
  "RPC-ENV-07": echo("text", "number"),
  // JSON-RPC 2.0 §5.1: a server's own codes go from -32099 to -32000.
  "EXT-JR-08": ({ any, exchange }) => {
    const code = any("/error/code");
    if (typeof code !== "number" || mayBeLag(exchange)) return undefined;
    // Outside the reserved range an application may choose, and for bundles no codes are shown.
    if (exchange.protocol.errorTable === "bundles" && (code < -32768 || code > -32000))
      return must(Number.isInteger(code), "/error/code", "a whole number", code);
    const isOwn = [-32700, -32600, -32601, -32602, -32603].includes(code);
    return must(
      isOwn || (Number.isInteger(code) && code >= -32099 && code <= -32000),
      "/error/code",
      "a code of JSON-RPC 2.0 or from -32099 to -32000",
      code,
    );
  },
});

const oneOfTwo = law("any method", "any", {
  "EXT-JR-01": ({ answer, exchange }) => {
    const value = answer.json?.value;
    if (!isObject(value) || !("jsonrpc" in value)) return undefined;
    // Who parses by a type writes its other members as null.
    const isThere = (member: string) => member in value && (exchange.recordedAs !== "json" || value[member] !== null);
    const members = ["result", "error"].filter(isThere);
    return must(members.length === 1, "", "one of result and error", members);
  },
});

export const laws = [resultEnvelopes, errorEnvelopes, oneOfTwo];
