// Bundles of the reference: sent, run and looked up; the judge's own code makes and signs them (§2.5, §4.3, §8)
import { expect, test } from "@playwright/test";
import { isBundleId } from "../../reference/bundles/bundleId.ts";
import { startAssay } from "../support/assay.ts";
import {
  type Answer,
  idOf,
  in58,
  in64,
  made,
  own,
  payerAddress,
  platform,
  some,
  tip,
  transfer,
  unsigned,
} from "../support/bundles.ts";
import { sendAndLookUp } from "../support/clients.ts";
import type { Embedded } from "../support/servedReference.ts";

type Status = { readonly [member: string]: unknown };
const statusOf = ({ result }: Answer) => (result as { value: readonly (Status | null)[] }).value[0];

const taken: readonly (readonly [title: string, bundle: ReturnType<typeof some>])[] = [
  ...[1, 2, 3, 4, 5].map((count) => [`a bundle of ${count}`, some(count)] as const),
  ...[1, 2, 3].map((nth) => [`a bundle with the tip in transaction ${nth} of 3`, some(3, nth - 1)] as const),
  ["a bundle of a transaction of version 0", [made(1, [own, tip], { version: 0 })]],
];
for (const [title, bundle] of taken) {
  test(`${title} is taken, and its id is the hash of its signatures`, async () => {
    expect((await platform().call("sendBundle", in64(bundle))).result).toBe(idOf(bundle));
  });
}

test("base58 is the default, and both encodings name the same bundle", async () => {
  const bundle = some(2);
  const { call } = platform();
  for (const params of [[in58(bundle)], [in58(bundle), { encoding: "base58" }], in64(bundle)])
    expect((await call("sendBundle", params)).result).toBe(idOf(bundle));
});

const refused: readonly (readonly [why: string, params: unknown, headers?: { readonly [name: string]: string }])[] = [
  ["the tip is missing: no transaction sends 1000 lamports to a tip account", in64([made(1, [own])])],
  ["the bundle has 6 transactions, and at most 5 are allowed", in64(some(6))],
  ["the bundle is empty", [[]]],
  ["there is no list of signed transactions", []],
  ["transaction 1 lacks a signature, or one that fits its message", in64([made(2), unsigned()])],
  ["transaction 0 is no transaction in base64", [["AQID"], { encoding: "base64" }]],
  ["transaction 0 isn't in base58; for base64, name that encoding", in64(some(1)).slice(0, 1)],
  ["the encoding is neither base64 nor base58", [in58(some(1)), { encoding: "hex" }]],
  [
    "engine-region is none of ams, dub, fra, lon, nyc, slc, sgp, tyo, mainnet",
    in64(some(1)),
    { "engine-region": "mars" },
  ],
];
for (const [why, params, headers = {}] of refused) {
  test(`a refusal says why: ${why}`, async () => {
    const { error } = await platform().call("sendBundle", params, { headers });
    expect(error).toEqual({ code: -32602, message: `Invalid params: ${why}` });
  });
}

test.describe("simulateBundle as Jito's clients send it", () => {
  const [texts] = in64(some(2));
  const configs = { preExecutionAccountsConfigs: [null, null], postExecutionAccountsConfigs: [null, null] };
  const ran = some(2).map(({ signature }) => expect.objectContaining({ signature, err: null }) as unknown);
  const simulated = async (...params: readonly unknown[]) => platform().call("simulateBundle", params);

  for (const [title, params] of [
    ["base64 alone", [{ encodedTransactions: texts }]],
    ["base64 with options", [{ encodedTransactions: texts }, { ...configs, skipSigVerify: true }]],
    ["base58", [{ encodedTransactions: in58(some(2)) }, { ...configs, transactionEncoding: "base58" }]],
  ] as const)
    test(`${title}: the result lists each transaction`, async () => {
      const { result } = await simulated(...params);
      expect(result).toMatchObject({ value: { summary: "succeeded", transactionResults: ran } });
    });

  test("signatures may be missing where skipSigVerify says so, and not without it", async () => {
    const encodedTransactions = in64([unsigned()])[0];
    expect((await simulated({ encodedTransactions }, { skipSigVerify: true })).error).toBeUndefined();
    const { error } = await simulated({ encodedTransactions }, configs);
    expect(error).toMatchObject({ message: expect.stringContaining("transaction 0 lacks a signature") });
  });

  test("the form of sendBundle is taken as well, with a result as short as before", async () => {
    const { result } = await simulated(...in64(some(2)));
    expect(result).toEqual({ context: { slot: expect.any(Number) as unknown }, value: { summary: "succeeded" } });
  });
});

test("a bundle is null until it lands, then processed, confirmed and finalized", async () => {
  const { call, clock } = platform();
  const bundle = some(2);
  await call("sendBundle", in64(bundle));
  const seen: unknown[] = [];
  for (const wait_ms of [0, 900, 1_500, 12_000]) {
    await clock.sleep(wait_ms);
    const status = statusOf(await call("getBundleStatuses", [[idOf(bundle)]]));
    seen.push(status && status["confirmation_status"]);
  }
  expect(seen).toEqual([null, "processed", "confirmed", "finalized"]);
});

test("the status of a landed bundle has id, signatures, slot and Ok", async () => {
  const { call, clock } = platform();
  const bundle = some(2);
  await call("sendBundle", in64(bundle));
  await clock.sleep(20_000);
  const answer = await call("getBundleStatuses", [["0".repeat(64), idOf(bundle)]]);
  const { context, value } = answer.result as { context: { slot: number }; value: readonly [null, { slot: number }] };
  expect(value).toEqual([
    null,
    {
      bundle_id: idOf(bundle),
      transactions: bundle.map(({ signature }) => signature),
      slot: expect.anything(),
      confirmation_status: "finalized",
      err: { Ok: null },
    },
  ]);
  expect(value[1].slot).toBeLessThan(context.slot);
});

test("6 ids are refused, 5 are answered at their places", async () => {
  const { call } = platform();
  const ids = Array.from({ length: 6 }, (_, nth) => String(nth).repeat(64));
  expect((await call("getBundleStatuses", [ids])).error?.code).toBe(-32602);
  expect((await call("getBundleStatuses", [ids.slice(1)])).result).toMatchObject({
    value: [null, null, null, null, null],
  });
});

/** Balances of seeded accounts after a bundle of these transfers. */
async function after(
  transfers: readonly ReturnType<typeof transfer>[],
  seeded: { readonly [payer: string]: string },
  method = "sendBundle",
): Promise<unknown> {
  const { call, power, clock } = platform();
  const accounts = Object.entries(seeded).map(([name, lamports]) => ({ address: payerAddress(name), lamports }));
  await power({ do: "seedAccounts", accounts });
  await call(method, in64(transfers.map((one, nth) => made(nth, nth === transfers.length - 1 ? [one, tip] : [one]))));
  await clock.sleep(60_000);
  return (await power({ do: "readBalances", addresses: accounts.map(({ address }) => address) }))["balances"];
}

test("transactions run in their order, each on what the one before left", async () => {
  const transfers = [transfer("a", "b", 500), transfer("b", "c", 400)];
  expect(await after(transfers, { a: "1000", b: "0", c: "0" })).toEqual(["500", "100", "400"]);
});

test("where one transaction fails, none takes effect", async () => {
  const overdrawn = [transfer("a", "b", 500), transfer("a", "b", 600)];
  expect(await after(overdrawn, { a: "1000", b: "0" })).toEqual(["1000", "0"]);
  const tooEarly = [transfer("b", "c", 400), transfer("a", "b", 500)];
  expect(await after(tooEarly, { a: "1000", b: "0", c: "0" })).toEqual(["1000", "0", "0"]);
});

test("simulating lands nothing", async () => {
  expect(await after([transfer("a", "b", 500)], { a: "1000", b: "0" }, "simulateBundle")).toEqual(["1000", "0"]);
});

test("a bundle goes to the region that it names, and avoids flagged validators on request", async () => {
  const { call, power } = platform();
  const ways = [
    {},
    { query: "&mev-protect=true", headers: { "engine-region": "tyo" } },
    { query: "&mev-protect=false", headers: { "engine-region": "mainnet" } },
  ];
  for (const [nonce, way] of ways.entries()) await call("sendBundle", in64([made(nonce)]), way);
  const { routes } = (await power({ do: "readRoutes" })) as {
    routes: readonly { region: string; isPinned: boolean; avoidsFlagged: boolean }[];
  };
  expect(routes.map(({ region, isPinned, avoidsFlagged }) => [isPinned && region, avoidsFlagged])).toEqual([
    [false, false],
    ["tyo", true],
    ["mainnet", false],
  ]);
});

test("a project sends 5 bundles a second, by any of its keys; other calls and projects don't count", async () => {
  const { call, keys } = platform();
  const codes = [];
  for (let nth = 0; nth < 7; nth += 1) {
    const { error } = await call("sendBundle", in64([made(nth)]), { key: nth % 2 ? keys.second : keys.paid });
    codes.push(error?.code ?? "taken");
  }
  expect(codes).toEqual(["taken", "taken", "taken", "taken", "taken", -32097, -32097]);
  expect((await call("getBundleStatuses", [["x"]])).error).toBeUndefined();
  expect((await call("sendBundle", in64([made(9)]), { key: keys.other })).error).toBeUndefined();
});

test("the status of a spoilt bundle has an error without Ok", async () => {
  const { call, power, clock } = platform();
  await call("sendBundle", in64([made(1)]));
  await clock.sleep(20_000);
  await power({ do: "spoilBundle", bundle: idOf([made(1)]) });
  const { err } = statusOf(await call("getBundleStatuses", [[idOf([made(1)])]])) ?? {};
  expect(err).toBeInstanceOf(Object);
  expect(err).not.toHaveProperty("Ok");
});

for (const [form, id] of [
  ["base64", `0x${"A".repeat(41)}=`],
  ["base64url", `0x${"A".repeat(41)}`],
  ["0x hex", `0x${"0a".repeat(32)}`],
] as const)
  test(`an id in ${form} is known for one, though it begins with 0x`, () => {
    expect(isBundleId(id, form)).toBe(true);
    expect(isBundleId(id.slice(2), form)).toBe(false);
  });

test("jito-js-rpc sends a bundle to `assay serve` and looks it up", async () => {
  const serving = startAssay(["serve", "--json"]);
  try {
    const { base, environment } = JSON.parse(await serving.says("\n")) as Pick<Embedded, "base" | "environment">;
    await sendAndLookUp({ base, keys: { paid: environment["ASSAY_REFERENCE_PAID"] ?? "" } });
  } finally {
    serving.kill("SIGTERM");
  }
});
