// Protocols: how answers of an operation are read, from the error tables of an interface.
import { expect, test } from "@playwright/test";
import { dataPlatform } from "../../contracts/shared/interface.ts";
import { type Interface, type Operation, protocolOf } from "../../harness/core/interface.ts";
import { parseJson } from "../../harness/core/json.ts";
import { hindranceOf, isRateRefusal } from "../../harness/transport/answers.ts";

const operation = (id: string, errors: string): Operation =>
  ({ id, errors, api: "rpc", feature: "orders", method: "POST", path: "/", members: {} }) as unknown as Operation;

/** Two tables of which one shows how rates are refused. */
const tables: Interface = {
  ...dataPlatform,
  operations: [operation("placeOrder", "full"), operation("countOrders", "bare")],
  errorTables: {
    full: [
      { code: -1, cause: "rate" },
      { code: -2, cause: "server" },
      { code: -3, cause: "timeout" },
      { code: -4, cause: "params" },
    ],
    bare: [{ code: -5, cause: "params" }],
    other: [
      { code: -6, cause: "timeout" },
      { code: -7, cause: "unavailable" },
    ],
  },
  undocumentedRateCodes: [-9],
};
const of = (id: string | null) => protocolOf(tables, "rpc", id as Operation["id"] | null);

const isRefused = (id: string, code: number, message = ""): boolean => {
  const text = JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code, message } });
  return isRateRefusal({ protocol: of(id), answer: { status: 200, json: parseJson(text) } });
};

test("limits of a method with codes of its own show by those, by other platforms' codes, and by words", () => {
  expect(of("placeOrder")).toMatchObject({ kind: "json-rpc", errorTable: "full", rateCodes: [-1] });
  expect([-1, -9, 429].map((code) => isRefused("placeOrder", code))).toEqual([true, true, true]);
  expect(isRefused("placeOrder", -2, "429 Too Many Requests: over rate limit")).toBe(true);
  expect(isRefused("placeOrder", -8, "Connection rate limits exceeded")).toBe(true);
});

test("where its table says that the request is at fault, no words make it a limit", () => {
  expect(isRefused("placeOrder", -4, "rate limit exceeded")).toBe(false);
  expect(isRefused("countOrders", -5, "Too many requests")).toBe(false);
});

for (const [hindrance, ...all] of [
  ["rate", "1/second request limit reached - upgrade your account", "exceeded its quota of compute units per second"],
  ["quota", "monthly quota exhausted", "Payment Required", "credits are used up", "daily request count exceeded"],
  ["lag", "Node is behind by 42 slots", "Indexer is behind", "index not yet synced"],
  ["maintenance", "down for maintenance"],
  [null, "limit must be at most 1000", "insufficient balance for the tip", "unknown plan", "no credit account"],
] as const)
  test(`words of public reports show ${hindrance ?? "no hindrance"}`, () => {
    const shown = all.map((message) => {
      const json = parseJson(JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code: -8, message } }));
      return hindranceOf({ protocol: of("placeOrder"), answer: { status: 200, json } });
    });
    expect(shown).toEqual(all.map(() => hindrance));
  });

test("a table without such a row reads words and undocumented codes", () => {
  expect(of("countOrders")).toMatchObject({ rateCodes: null, serverCodes: null });
  expect([isRefused("countOrders", -9), isRefused("countOrders", -1)]).toEqual([true, false]);
  expect(isRefused("countOrders", -8, "Too many requests")).toBe(true);
  expect(isRefused("countOrders", -8, "too many orders")).toBe(false);
});

test("a server failure counts in every table, a timeout in its own only", () => {
  expect(of("placeOrder").serverCodes).toEqual([-2, -7, -3]);
});

test("what no operation describes is read by the codes of all tables, without timeouts", () => {
  expect(of(null)).toMatchObject({ errorTable: null, rateCodes: [-1], serverCodes: [-2, -7] });
});
