// How is an answer on the JSON-RPC address told, and which questions draw one of every kind?

import { literalAt, valueAt } from "../../harness/core/json.ts";
import type { Stimulus } from "../../harness/core/stimulus.ts";
import type { Answered } from "../../harness/model/fingerprint.ts";
import { isServed, rpcErrorOf } from "../../harness/transport/answers.ts";
import { mediaTypeOf } from "../../harness/transport/exchange.ts";
import { type Feature, operations } from "../../specs/generated/operations.ts";
import { unjudged } from "../shared/describeCalls.ts";
import { balance, health, owner, tokenAccounts } from "../shared/jsonRpcRequests.ts";
import { carriersOf } from "../shared/stimuli.ts";
import { tabledRequests } from "./baselineRequests.ts";

/** Parts whose methods are served at the JSON-RPC address, as far as they are asked. */
export const onRpc: readonly Feature[] = ["compression", "tokenAccounts"];
export const everywhere: readonly Feature[] = ["usage", ...onRpc];

/** A good call with something about it that the interface leaves open. */
export const unjudgedHealth = (change: Partial<Stimulus> = {}): Stimulus => ({ ...unjudged(health()), ...change });

/** GET {rpc_url}/, without the body that calls are made of. */
export const getOnRpc: Stimulus = {
  operation: null,
  api: "rpc",
  method: "GET",
  path: ["/"],
  carriers: carriersOf("owner", "query"),
};

function describeBody(answered: Answered): string {
  const { text, json } = answered.answer;
  const error = rpcErrorOf(answered);
  if (error) return `error ${error.code ?? "without a code"}`;
  if (isServed(answered)) return "a result";
  if (text.trim() === "") return "nothing";
  if (json) return Array.isArray(json.value) ? "an array" : "JSON without an envelope";
  return mediaTypeOf(answered.answer) === "text/html" ? "a page" : "another text";
}

/** `200 a result`, `400 error -32700`, `204 nothing`, `415 JSON without an envelope`. */
export const describeEnvelope = (answered: Answered): string => `${answered.answer.status} ${describeBody(answered)}`;

/** An id longer than this is told by its length. */
const longest = 40;

/** How an id came back: value, type and, of a number, the digits. */
export function describeId({ answer: { json } }: Answered): string {
  const id = valueAt(json?.value, "/id");
  if (json === null || id === undefined) return "no id";
  const text = literalAt(json, "/id") ?? JSON.stringify(id);
  return text.length > longest ? `an id of ${text.length - 2} characters` : `id ${text}`;
}

/** As above, with the id of an envelope. */
export const describeWithId = (answered: Answered): string =>
  isServed(answered) || rpcErrorOf(answered)
    ? `${describeEnvelope(answered)}, ${describeId(answered)}`
    : describeEnvelope(answered);

/** The method of a call, whether or not a law judges its answer; undefined where it is none of the documented ones. */
export function methodOf({ operation, json }: Stimulus): (typeof operations)[number] | undefined {
  const named = typeof json === "object" && json !== null && "method" in json ? json["method"] : null;
  return operations.find(({ id, api }) => api === "rpc" && id === (operation ?? named));
}

export const everyResult: readonly Stimulus[] = tabledRequests.map(({ ask }) => ask());

/** Refusals that cost nothing, some of them for their key and some for their params. */
export const everyError: readonly Stimulus[] = [
  ...tabledRequests.map(({ ask }) => ask({ as: "anonymous", id: "no key" })),
  tokenAccounts({ owner, limit: 2, mint: 1 }, { id: 5 }),
  balance({ address: 5 }, { id: 8 }),
];

/** Of documented calls: what came, whichever method was called. */
export function kindOf(answered: Answered): string | undefined {
  const { stimulus, answer } = answered;
  if (stimulus.api !== "rpc" || stimulus.operation === null) return undefined;
  if (isServed(answered)) return "JSON-RPC result";
  return rpcErrorOf(answered) ? "JSON-RPC error" : `JSON-RPC, HTTP ${answer.status}`;
}
