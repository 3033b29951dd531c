// What laws say of answers in detail: where it is broken, what was expected, and which answers they leave alone
import { expect, test } from "@playwright/test";
import { laws as bundles } from "../../contracts/bundles/bundles.laws.ts";
import { laws as compression } from "../../contracts/compression/compression.laws.ts";
import { laws as json } from "../../contracts/http/json.laws.ts";
import { laws as envelopes } from "../../contracts/jsonrpc/envelope.laws.ts";
import { laws as rpcErrors } from "../../contracts/jsonrpc/errors.laws.ts";
import { laws as tokenPages } from "../../contracts/tokenAccounts/getTokenAccounts.laws.ts";
import { laws as documents } from "../../contracts/usage/document.laws.ts";
import { laws as usageErrors } from "../../contracts/usage/errors.laws.ts";
import { broken, type Finding, held, onlyWarning } from "../../harness/core/finding.ts";
import type { Json } from "../../harness/core/json.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import type { MethodName } from "../../specs/generated/operations.ts";
import { exchangeOf, type TypedAnswer, type TypedRequest } from "../golden/build.ts";

const headers = { "content-type": "application/json" };
const answered = (request: TypedRequest, answer: Partial<TypedAnswer>): Exchange =>
  exchangeOf(
    {
      ...{ title: "made", clause: "§4", holds: [], broken: [], notExercised: [], warns: [] },
      ...{ request, status: 200, headers, ...answer },
    },
    1,
  );

const all = [
  ...bundles,
  ...compression,
  ...json,
  ...envelopes,
  ...rpcErrors,
  ...tokenPages,
  ...documents,
  ...usageErrors,
];

/** What the laws of one requirement say; undefined where it isn't exercised. */
const found = (id: string, exchange: Exchange): Finding | undefined =>
  all.flatMap((law) => [...law.judge(exchange)]).find(([one]) => one === id)?.[1];

const usage: TypedRequest = { role: "paid", key: "header", of: "own" };
const asked = (method: MethodName, params: Json, id: string | number = 1): TypedRequest => ({
  ...{ role: "paid", method, id, params },
});
/** An answer to a call: an envelope with these members. */
const called = (method: MethodName, params: Json, members: { readonly [name: string]: Json }): Exchange =>
  answered(asked(method, params), { body: { jsonrpc: "2.0", id: 1, ...members } });

const statuses = (ids: readonly Json[]): Exchange => {
  const value = ids.map((id) => ({ bundle_id: id }));
  return called("getBundleStatuses", [["a", "b"]], { result: { context: { slot: 9 }, value } });
};
const page = (params: Json, result: Json): Exchange => called("getTokenAccounts", params, { result });
const refused = (code: number, message: string): Exchange =>
  called("getIndexerHealth", {}, { error: { code, message } });
const metered = (credits: Json, requests: Json): Exchange =>
  answered(usage, { body: { credits, requests, dataTransfer: {} } });

const cut = '{"a":';
const pageMembers = "an object with last_indexed_slot, total, limit, token_accounts";
const oneText = (got: string): Finding => broken("", "one well-formed JSON text", got);
const product = "a key for every metered product";

const rows: readonly (readonly [id: string, rule: string, exchange: Exchange, finding: Finding | undefined])[] = [
  ["BST-ALIGN-01", "each status stands where its id does", statuses(["a", "b"]), held],
  ["BST-ALIGN-01", "two are swapped", statuses(["b", "a"]), broken("/result/value/0/bundle_id", "a", "b")],
  [
    "BST-ELT-01",
    "an id wasn't requested",
    statuses(["a", "c"]),
    broken("/result/value/1/bundle_id", "a requested id: a, b", "c"),
  ],
  ["BST-ELT-01", "an id is no text", statuses([5, null]), undefined],

  [
    "GEN-JSON-01",
    "JSON has another label",
    answered(usage, { headers: { "content-type": "text/plain" }, body: {} }),
    broken("header content-type", "application/json", "text/plain"),
  ],
  ["GEN-JSON-03", "a text is cut", answered(usage, { text: cut }), oneText(cut)],
  [
    "GEN-JSON-03",
    "its end is shown",
    answered(usage, { text: `${"x".repeat(9)}${"y".repeat(80)}` }),
    oneText("y".repeat(80)),
  ],
  [
    "GEN-JSON-03",
    "a mark stands before it",
    answered(usage, { text: "\ufeff{}" }),
    oneText("a byte-order mark before the text"),
  ],
  ["GEN-JSON-03", "a success is cut", answered(usage, { status: 299, text: cut }), oneText(cut)],
  ["GEN-JSON-03", "another status is cut", answered(usage, { status: 300, text: cut }), onlyWarning(oneText(cut))],
  [
    "GEN-JSON-03",
    "the platform's own error is cut",
    answered(usage, { status: 500, text: '{"statusCode": 500' }),
    oneText('{"statusCode": 500'),
  ],
  [
    "EXT-JSON-01",
    "a mark stands before it",
    answered(usage, { text: "\ufeff{}" }),
    broken("", "UTF-8 without a byte-order mark", "a byte-order mark"),
  ],
  [
    "EXT-JSON-01",
    "it is no UTF-8",
    answered(usage, { text: '{"a":"é"}', encodedAs: "latin1" }),
    broken("", "UTF-8 without a byte-order mark", "bytes that are not UTF-8"),
  ],

  ["ERR-X-01", "the shared code has its own message", refused(-32003, "Gateway timeout"), held],
  [
    "ERR-X-01",
    "it has that of token accounts",
    refused(-32003, "You do not have permission to access this resource."),
    broken("/error/message", '"Gateway timeout"', "You do not have permission to access this resource."),
  ],
  ["ERR-X-01", "another code has its message", refused(-32602, "Gateway timeout"), undefined],
  [
    "ERR-X-01",
    "another code has that of token accounts",
    refused(-32602, "You do not have permission to access this resource."),
    undefined,
  ],

  ["TA-LIM-02", "a limit of 10 comes back", page({ limit: 10 }, { limit: 10 }), held],
  [
    "TA-LIM-02",
    "a limit of 10 is cut",
    page({ limit: 10 }, { limit: 5 }),
    broken("/result/limit", "10, as requested", 5),
  ],
  ["TA-LIM-02", "a limit of 11 is cut", page({ limit: 11 }, { limit: 5 }), undefined],
  ["TA-RES-01", "there is a slot alone", page({}, { last_indexed_slot: 1 }), held],
  ["TA-RES-01", "there is a total alone", page({}, { total: 1 }), held],
  ["TA-RES-01", "there is a limit alone", page({}, { limit: 1 }), held],
  ["TA-RES-01", "there are accounts alone", page({}, { token_accounts: [] }), held],
  ["TA-RES-01", "there is something else", page({}, { items: [] }), broken("/result", pageMembers, ["items"])],

  ["USG-KEYS-07", "nothing is metered", metered({}, {}), undefined],
  ["USG-KEYS-07", "what isn't documented is metered", metered({}, { gadgets: 1 }), undefined],
  ["USG-KEYS-07", "one product is metered", metered({ rpc: 1 }, { rpc: 1 }), held],
  ["USG-KEYS-07", "its credits are missing", metered({}, { rpc: 1 }), broken("/credits/rpc", product, undefined)],
  [
    "USG-KEYS-07",
    "one of two lacks credits",
    metered({ rpc: 1 }, { rpc: 1, das: 1 }),
    broken("/credits/das", product, undefined),
  ],
];

for (const [id, rule, exchange, finding] of rows)
  test(`${id}, where ${rule}: ${finding?.outcome ?? "not exercised"}`, () => {
    expect(found(id, exchange)).toEqual(finding);
  });

const echoes: readonly (readonly [
  sent: string | number,
  method: MethodName,
  got: Json,
  outcome: string | undefined,
])[] = [
  ["a", "getIndexerHealth", "a", "held"],
  ["a", "getIndexerHealth", "b", "broken"],
  ["a", "getIndexerHealth", 1, "broken"],
  ["a", "sendBundle", "b", undefined],
  [7, "sendBundle", 7, "held"],
  [7, "sendBundle", 8, "broken"],
  [7, "sendBundle", "7", "broken"],
  [7, "getIndexerHealth", null, "broken"],
];

for (const [sent, method, got, outcome] of echoes)
  test(`${method}: ${JSON.stringify(sent)} comes back as ${JSON.stringify(got)}: ${outcome ?? "unspecified"}`, () => {
    const exchange = answered(asked(method, {}, sent), { body: { jsonrpc: "2.0", id: got, result: "ok" } });
    expect(found(typeof sent === "string" ? "RPC-ENV-02" : "RPC-ENV-03", exchange)?.outcome).toBe(outcome);
  });

const lengths = ["address", "higherRangeAddress", "lowerRangeAddress", "merkleTree", "root"] as const;

for (const name of lengths)
  test(`a proof's ${name} has 32 bytes`, () => {
    const proof = (text: string): Exchange =>
      called("getMultipleNewAddressProofs", [], { result: { context: { slot: 1 }, value: [{ [name]: text }] } });
    expect(found("EXT-SOL-01", proof("1".repeat(32)))).toEqual(held);
    const breach = broken(`/result/value/0/${name}`, "32 bytes in base58", '"2": 1 bytes');
    expect(found("EXT-SOL-01", proof("2"))).toEqual(breach);
  });

test("words of a switched-off interface are expected unless the address may be the cause", () => {
  const body = { statusCode: 403, message: "no", error: "Forbidden" };
  const { asker, ...rest } = answered({ role: "adminOff", key: "header", of: "own" }, { status: 403, body });
  const finding = broken("/message", '"Admin API not enabled for this project"', "no");
  expect(found("ERR-ADM-403-01", { ...rest, asker })).toEqual(finding);
  expect(found("ERR-ADM-403-01", { ...rest, asker: asker && { ...asker, role: "ipBlocked" } })).toBeUndefined();
});
