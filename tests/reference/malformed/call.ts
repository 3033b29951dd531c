// One malformed JSON-RPC call as a row, and what is wrong with its answer (§7.2)
import { type Answer, isObject, type Json, type Row, received, short } from "./rows.ts";
import { faultOf as restFaultOf } from "./sockets.ts";

/**
 * A code; `refusal`: any code; `refusals`: a batch of refusals; `result`: served; `none`: the empty answer to a
 * notification; `4xx`: a refusal in HTTP, in the platform's own shape.
 */
type Expected = number | "refusal" | "refusals" | "result" | "none" | "4xx";

export interface MalformedCall {
  readonly title: string;
  readonly expected: Expected;
  readonly body: string | Uint8Array;
  /** The id of the answer; left out: null. */
  readonly id?: Json;
  /** The method whose words the refusal has. */
  readonly method?: string;
  readonly verb?: string;
  readonly headers?: { readonly [name: string]: string };
  /** What follows the origin, instead of `/?api-key={key}`; `{key}` stands for a good key. */
  readonly target?: string;
}

/** An owner who holds accounts, and a compressed account: so that only what is wrong is wrong. */
export interface Known {
  readonly owner: string;
  readonly mint: string;
  readonly account: string;
  readonly hashOfAnother: string;
}

/** In the field, and unknown. */
export const unknownAddress = "14HqxdCbbeUoPqCtTPCHF1H8qypLKdbGPw48kqkK9BKo";
export const methods = ["getIndexerHealth", "getTokenAccounts", "getCompressedBalance", "getMultipleNewAddressProofs"];

export const envelope = (method: Json, params?: Json, id: Json = 7): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params });
export const health = envelope("getIndexerHealth");

export const text = (
  body: string | Uint8Array,
  expected: Expected = -32700,
  rest: Partial<MalformedCall> = {},
): MalformedCall => ({
  title: short(typeof body === "string" ? JSON.stringify(body) : Buffer.from(body).toString("latin1")),
  expected,
  body,
  ...rest,
});
/** Typed from §7.2. */
const documented: { readonly [errorTable: string]: { readonly [code: number]: string } } = {
  getTokenAccounts: {
    [-32602]: "Invalid request parameters.",
    [-32001]: "Authentication failed. Missing or invalid API key.",
  },
  others: { [-32602]: "Invalid params", [-32001]: "Unauthorized" },
};
const messageFor = (code: number, method: string | undefined): string | undefined =>
  method === undefined ? undefined : documented[method === "getTokenAccounts" ? method : "others"]?.[code];

/** Whether a value is an error envelope as in §7.2, and nothing more. */
function isRefusal(
  value: unknown,
): value is { readonly id: Json; readonly error: { readonly code: number; readonly message: string } } {
  if (!isObject(value) || Object.keys(value).sort().join() !== "error,id,jsonrpc" || !isObject(value["error"]))
    return false;
  const { error, id, jsonrpc } = value;
  return (
    jsonrpc === "2.0" &&
    Number.isInteger(error["code"]) &&
    typeof error["message"] === "string" &&
    error["message"] !== "" &&
    (id === null || typeof id === "string" || typeof id === "number")
  );
}

export function faultOf(answer: Answer | null, { expected, id = null, method, verb }: MalformedCall): string | null {
  if (!answer) return "no answer";
  const got = received(answer);
  const { status, contentType, body } = answer;
  if (status < 200 || status >= 500) return got;
  if (expected === "none") return status === 204 && body === "" ? null : got;
  if (!contentType.startsWith("application/json")) return `${got}, labelled ${contentType}`;
  if (expected === "4xx") return verb === "HEAD" && status >= 400 ? null : restFaultOf(answer, "4xx");
  const sent = JSON.parse(body) as unknown;
  if (expected === "refusals") return Array.isArray(sent) && sent.length > 0 && sent.every(isRefusal) ? null : got;
  if (expected === "result") return isObject(sent) && "result" in sent && sent["id"] === id ? null : got;
  if (!isRefusal(sent) || sent.id !== id || (expected !== "refusal" && sent.error.code !== expected))
    return `${got} instead of ${expected} with the id ${JSON.stringify(id)}`;
  const message = messageFor(sent.error.code, method) ?? sent.error.message;
  return sent.error.message === message ? null : `${got} instead of "${message}"`;
}

export const rowOf = (call: MalformedCall): Row => ({
  title: call.title,
  sent: {
    target: call.target ?? "/?api-key={key}",
    verb: call.verb ?? "POST",
    headers: { "content-type": "application/json", ...call.headers },
    body: call.body,
  },
  faultOf: (answer) => faultOf(answer, call),
});
