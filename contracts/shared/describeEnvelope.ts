// Summaries of answers on the JSON-RPC address: HTTP status, envelope and id.
import { literalAt, valueAt } from "../../harness/core/json.ts";
import type { AnsweredExchange } from "../../harness/model/fingerprint.ts";
import { isServed, rpcErrorOf } from "../../harness/transport/answers.ts";
import { mediaTypeOf } from "../../harness/transport/exchange.ts";

function describeBody(answered: AnsweredExchange): string {
  const { text, json } = answered.answer;
  const error = rpcErrorOf(answered);
  if (error) return `error ${error.code ?? "without a code"}`;
  if (isServed(answered)) return "a result";
  if (text.trim() === "") return "nothing";
  if (json) return Array.isArray(json.value) ? "an array" : "JSON without an envelope";
  return mediaTypeOf(answered.answer) === "text/html" ? "a page" : "another text";
}

/** `200 a result`, `400 error -32700`, `204 nothing`, `415 JSON without an envelope`. */
export const describeEnvelope = (answered: AnsweredExchange): string =>
  `${answered.answer.status} ${describeBody(answered)}`;

/** Of a longer id only the length is reported. */
const longestId = 40;

/** How an id came back: value, type and, of a number, the digits. */
export function describeId({ answer: { json } }: AnsweredExchange): string {
  const id = valueAt(json?.value, "/id");
  if (json === null || id === undefined) return "no id";
  const text = literalAt(json, "/id") ?? JSON.stringify(id);
  return text.length > longestId ? `an id of ${text.length - 2} characters` : `id ${text}`;
}

/** `200 a result, id 1`; of what has no envelope, as `describeEnvelope` has it. */
export const describeWithId = (answered: AnsweredExchange): string =>
  isServed(answered) || rpcErrorOf(answered)
    ? `${describeEnvelope(answered)}, ${describeId(answered)}`
    : describeEnvelope(answered);
