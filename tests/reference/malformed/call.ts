// One malformed JSON-RPC call as a row, and the envelope that has to answer it (§7.2)
import { expect } from "@playwright/test";
import { Chain, wellKnown } from "../../../reference/platform/chain.ts";
import { type Json, type Requested, type Row, short, words } from "./rows.ts";

/** A code; `refusals`: one for each call of a batch; `result`: served; `none`: the empty answer to a notification. */
type Expected = number | "refusals" | "result" | "none";

/** An owner who holds accounts, and a compressed account: so that only what is wrong is wrong. */
export const { owner, mint } = wellKnown;
const [first, , third] = new Chain().compressed;
export const account = first?.address ?? "";
export const hashOfAnother = third?.hash ?? "";
/** In the field, and unknown. */
export const unknownAddress = "14HqxdCbbeUoPqCtTPCHF1H8qypLKdbGPw48kqkK9BKo";
export const methods = ["getIndexerHealth", "getTokenAccounts", "getCompressedBalance", "getMultipleNewAddressProofs"];
export const address = "/?api-key={key}";
export const asJson = { "content-type": "application/json" };

/** A call whose params and id stand as they are given. */
export const written = (method: Json, params?: string, id = "7"): string =>
  `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)}${params === undefined ? "" : `,"params":${params}`}}`;
export const envelope = (method: Json, params?: Json, id: Json = 7): string =>
  written(method, JSON.stringify(params), JSON.stringify(id));
export const health = envelope("getIndexerHealth");

/** Typed from §7.2, which shows no messages about bundles: the platform says there what is wrong. */
const bundles = { [-32602]: expect.stringMatching(/^Invalid params: \w/) as unknown, [-32001]: "Unauthorized" };
const documented: { readonly [errorTable: string]: { readonly [code: number]: unknown } } = {
  sendBundle: bundles,
  simulateBundle: bundles,
  getTokenAccounts: {
    [-32602]: "Invalid request parameters.",
    [-32001]: "Authentication failed. Missing or invalid API key.",
  },
  others: { [-32602]: "Invalid params", [-32001]: "Unauthorized" },
};

const refusalOf = (id: Json, code: unknown = expect.any(Number), message = words): object => ({
  jsonrpc: "2.0",
  id,
  error: { code, message },
});
const idIn = (call: unknown): Json => (call as { readonly id?: Json } | null)?.id ?? null;

function answerTo(body: MalformedCall["body"], expected: Expected, id: Json, method: string | undefined): unknown {
  if (expected === "result") return { jsonrpc: "2.0", id, result: expect.anything() as unknown };
  if (expected === "refusals") return (JSON.parse(String(body)) as unknown[]).map((call) => refusalOf(idIn(call)));
  return refusalOf(id, expected, method && documented[method in documented ? method : "others"]?.[Number(expected)]);
}

interface MalformedCall {
  readonly title: string;
  readonly body: string | Uint8Array;
  readonly expected: Expected;
  /** The id of the answer; null where nothing was parsed, else by default 7. */
  readonly id: Json;
  /** The method whose words the refusal has. */
  readonly method: string;
  readonly headers: { readonly [name: string]: string };
  /** What follows the origin. */
  readonly target: string;
}

export type CallRow = Row<Requested>;

export const text = (
  body: MalformedCall["body"],
  expected: Expected = -32700,
  { title, id = expected === -32700 ? null : 7, method, headers, target = address }: Partial<MalformedCall> = {},
): CallRow => ({
  title: title ?? short(typeof body === "string" ? JSON.stringify(body) : Buffer.from(body).toString("latin1")),
  sent: { target, verb: "POST", headers: headers ? { ...asJson, ...headers } : asJson, body },
  expected:
    expected === "none"
      ? { status: "204", type: "", body: "" }
      : { status: "200", type: "application/json", body: answerTo(body, expected, id, method) },
});
/** Params that the method refuses in its own words. */
export const badParams = (method: string, params: string | undefined, title?: string): CallRow =>
  text(written(method, params), -32602, { method, ...(title === undefined ? {} : { title }) });

/** Whether nothing but its body is odd. */
export const isPlain = ({ sent: { target, headers, body } }: CallRow): boolean =>
  target === address && headers === asJson && typeof body === "string";
