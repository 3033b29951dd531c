// Does what is no bundle get a well-formed refusal, land nothing and change no ledger? (§4.3)
import { expect, test } from "@playwright/test";
import { payerNamed } from "../../contracts/bundles/transactions.ts";
import { in58, in64, made, own, payer, platform, some, tip } from "../support/bundles.ts";

const [one] = some(1);
const bytes = one?.bytes ?? new Uint8Array();
const base64 = (changed: Uint8Array): readonly unknown[] => [
  [Buffer.from(changed).toString("base64")],
  { encoding: "base64" },
];
const flipped = (at: number): Uint8Array => bytes.map((byte, index) => (index === at ? byte ^ 1 : byte));
const nobody = payerNamed("nobody");

const refused: readonly (readonly [
  title: string,
  params: unknown,
  more?: { readonly headers?: Record<string, string> },
])[] = [
  ["6 transactions", in64(some(6))],
  ["12 transactions", in64(some(12))],
  ["no transaction", [[], { encoding: "base64" }]],
  ["no params", undefined],
  ["empty params", []],
  ["null for the bundle", [null]],
  ["a bare text", [in58(some(1))[0]]],
  ["numbers", [[1, 2]]],
  ["objects", [[{ transaction: in58(some(1))[0] }]]],
  ["an object for params", { transactions: in58(some(1)) }],
  ["a number for params", 5],
  ["no tip", in64([made(1, [own])])],
  [
    "a tip to an account that isn't designated",
    in64([made(1, [{ from: payer, to: nobody.publicKey, lamports: 1000n }])]),
  ],
  ["a transaction that nobody signed", in64([made(1, [tip], { unsigned: [payer] })])],
  ["a transaction that one of two signed", in64([made(1, [tip], { unsigned: [nobody] })])],
  ["a signature of something else", base64(flipped(5))],
  ["a message that was changed after signing", base64(flipped(bytes.length - 20))],
  ["bytes missing at the end", base64(bytes.slice(0, -1))],
  ["bytes too many at the end", base64(Uint8Array.from([...bytes, 0]))],
  ["half a transaction", base64(bytes.slice(0, 80))],
  ["nothing but zeros", base64(new Uint8Array(200))],
  ["1 MB of text", [["A".repeat(1_000_000)], { encoding: "base64" }]],
  ["1 MB of base58", [["2".repeat(1_000_000)]]],
  ["base64 read as base58", [in64(some(1))[0]]],
  ["an encoding that there isn't", [in58(some(1)), { encoding: "base32" }]],
  ["a number for the encoding", [in58(some(1)), { encoding: 64 }]],
  ["a text for the options", [in58(some(1)), "base58"]],
  ["a region that there isn't", in64(some(1)), { headers: { "engine-region": "mars" } }],
];

for (const [title, params, more] of refused) {
  test(`refused, and nothing lands: ${title}`, async () => {
    const { call, power, clock } = platform();
    const before = await power({ do: "readLedger" });
    const answer = await call("sendBundle", params, more);
    expect(await power({ do: "readLedger" })).toEqual(before);
    await clock.sleep(60_000);
    expect({
      error: typeof answer.error?.code,
      result: answer.result,
      routes: (await power({ do: "readRoutes" }))["routes"],
    }).toEqual({
      error: "number",
      result: undefined,
      routes: [],
    });
  });
}

const ofEveryType: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  "",
  "x",
  [],
  [[]],
  {},
  { 0: [] },
  [null],
  [true],
  [1],
  ["x"],
  [{}],
  [[null]],
  [[1]],
  [[{}]],
  [[[]]],
  [[], 5],
  [["AQID"], []],
  [["AQID"], { encoding: null }],
];

const badParams = { code: -32602, message: "Invalid params" };

for (const method of ["sendBundle", "getBundleStatuses", "simulateBundle"]) {
  test(`${method} answers params of every type with a well-formed envelope, and nothing lands`, async () => {
    const { call, power, clock } = platform();
    for (const params of ofEveryType) {
      await clock.sleep(1_000);
      const answer = await call(method, params);
      const isGood =
        method === "getBundleStatuses" &&
        Array.isArray(params) &&
        Array.isArray(params[0]) &&
        params[0].every((one) => typeof one === "string");
      const { error, ...rest } = answer as { readonly error?: { readonly message?: unknown } };
      if (isGood) expect(Object.keys(rest).sort()).toEqual(["id", "jsonrpc", "result"]);
      // What is no container at all is JSON-RPC's own matter (its §4.2).
      else
        expect({ ...rest, error }).toEqual({
          jsonrpc: "2.0",
          id: 7,
          error:
            params === null || typeof params === "object" ? badParams : { code: -32600, message: "Invalid Request" },
        });
    }
    expect((await power({ do: "readRoutes" }))["routes"]).toEqual([]);
  });
}

test("the same transaction twice, and a flag that says nothing, are taken or refused in an envelope", async () => {
  const { call } = platform();
  const [twice] = some(1);
  const bundle = in64([...some(1), ...(twice ? [twice] : [])]);
  for (const answer of [
    await call("sendBundle", bundle),
    await call("sendBundle", in64([made(5)]), { query: "&mev-protect=maybe" }),
  ])
    expect(typeof (answer.result ?? answer.error?.code)).toMatch(/string|number/);
});
