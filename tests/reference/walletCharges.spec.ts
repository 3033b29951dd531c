// Charges of the reference: once per served call, in the caller's own project and calendar (§1.5, §2.1, §4.2, §8)
import { expect, test } from "@playwright/test";
import { type Asked, askers, batchOf, get, platform, ruled, samples, unknowns } from "../support/wallets.ts";

const [ada] = samples.wallets;
const balances = { path: get(ada, "balances") };

for (const { title, ask } of askers(ada)) {
  for (const keyIn of ["header", "query"] as const) {
    test(`${title} with the key in the ${keyIn} costs 100 credits and counts once`, async () => {
      const { send, keys, charged } = platform();
      expect((await send(ask, keys.paid, keyIn)).status).toBe(200);
      expect(charged("paid")).toEqual([["walletApi", 100, 1]]);
      expect(charged("other")).toEqual([]);
    });
  }
}

test("both carriers get the same answer", async () => {
  const { send, keys } = platform();
  for (const { ask } of askers(ada))
    expect(await send(ask, keys.paid, "query")).toEqual(await send(ask, keys.paid, "header"));
});

test("a batch of 100 costs what one call costs", async () => {
  const { batch, spent } = platform();
  await batch(unknowns(100));
  expect(spent()).toEqual({ credits: 100, requests: 1 });
});

test("usage shows a call at once: in walletApi, in the total, and nowhere else", async () => {
  const { send, read } = platform();
  const before = await read("paid");
  await send(balances);
  const after = await read("paid");
  expect(after).toEqual({
    ...before,
    creditsUsed: before.creditsUsed + 100,
    creditsRemaining: expect.any(Number) as unknown,
    credits: { ...before.credits, walletApi: before.credits.walletApi + 100 },
    requests: { ...before.requests, walletApi: before.requests.walletApi + 1 },
  });
});

test("each call is booked on the calendar of its own project", async () => {
  const { send, keys, charged, read } = platform();
  const calls = async (role: "paid" | "other"): Promise<number> => (await read(role)).requests.walletApi;
  const before = [await calls("paid"), await calls("other")] as const;
  for (const role of ["paid", "other", "second"] as const) await send(balances, keys[role]);
  expect([charged("paid").length, charged("other").length]).toEqual([2, 1]);
  // Their cycles end in different months, and usage counts until now.
  expect([await calls("paid"), await calls("other")]).toEqual([before[0] + 2, before[1] + 1]);
});

test("20 calls at once are all charged", async () => {
  const { send, spent } = platform();
  await Promise.all(Array.from({ length: 20 }, () => send(balances)));
  expect(spent()).toEqual({ credits: 2000, requests: 20 });
});

test("beyond the plan, prepaid credits pay", async () => {
  const { send, control, usageOf } = platform();
  const key = "c0ffee00-1111-4222-8333-444455556666";
  const { project } = (await control({
    ...{ do: "makeProject", plan: { name: "business", kind: "paid", creditsLimit: 0 }, prepaid: "1000" },
    ...{ billingAnchor: "2025-03-15", standsAt: "2025-03-20T12:00:00Z", keys: [{ value: key }] },
  })) as { readonly project: string };
  await send(balances, key);
  expect(await usageOf(project, key)).toMatchObject({ prepaidCreditsUsed: 100, prepaidCreditsRemaining: 900 });
});

test("refused calls are free", async () => {
  const { send, batch, keys, spent } = platform();
  await send(balances, "not-a-key");
  await send(balances, null);
  await send({ path: get("abc", "balances") });
  await send({ path: get(ada, "nothing") });
  await batch([]);
  await send({ path: get(ada, "identity") }, keys.free);
  await send(balances, keys.ipBlocked);
  for (const role of ["paid", "free"] as const) expect(spent(role)).toEqual({ credits: 0, requests: 0 });
});

const rpcCalls: readonly (readonly [method: string, params: unknown, product: string, credits: number])[] = [
  ["getIndexerHealth", undefined, "compression", 1],
  ["getMultipleNewAddressProofs", samples.newAddresses.slice(0, 2), "compression", 1],
  ["getTokenAccounts", { owner: samples.owner }, "das", 10],
  ["getBundleStatuses", [["0".repeat(64)]], "rpc", 1],
];
const rpc = (calls: object): Asked => ({ path: "/", method: "POST", body: JSON.stringify(calls) });
const call = (method: string, params?: unknown, id = 1): object => ({ jsonrpc: "2.0", id, method, params });

for (const [method, params, product, credits] of rpcCalls) {
  test(`${method} counts once under ${product}`, async () => {
    const { send, keys, charged } = platform();
    await send(rpc(call(method, params)), keys.paid, "query");
    expect(charged("paid")).toEqual([[product, credits, 1]]);
  });
}

test("a JSON-RPC batch counts each call, those that are refused aside", async () => {
  const calls = [
    ...rpcCalls.map(([method, params], nth) => call(method, params, nth)),
    call("getTokenAccounts", [], 8),
    call("noSuchMethod", [], 9),
  ];
  const [each, once] = [platform(), platform(ruled({ metering: { rpcBatch: "once" } }))];
  for (const { send, keys } of [each, once]) await send(rpc(calls), keys.paid, "query");
  expect([each.charged("paid").length, once.charged("paid").length]).toEqual([4, 1]);
});

test("JSON-RPC calls may be unmetered, refusals charged, and charges late: choices", async () => {
  const unmetered = platform(ruled({ metering: { rpc: "not metered" } }));
  await unmetered.send(rpc(call("getIndexerHealth")), unmetered.keys.paid, "query");
  expect(unmetered.charged("paid")).toEqual([]);

  const charging = platform(ruled({ metering: { refused: "charged" } }));
  await charging.send({ path: get("abc", "balances") });
  await charging.send({ path: get(ada, "identity") }, charging.keys.free);
  for (const role of ["paid", "free"] as const) expect(charging.charged(role)).toEqual([["walletApi", 100, 1]]);

  const late = platform(ruled({ metering: { lag_ms: 3_000 } }));
  const used = async (): Promise<number> => (await late.read("paid")).credits.walletApi;
  const before = await used();
  await late.send(balances);
  expect(await used()).toBe(before);
  await late.clock.sleep(3_000);
  expect(await used()).toBe(before + 100);
});

test("mutants of prices: batches, the first call of a day, calls after the first thousand", async () => {
  const spentBy = async (id: string, ...calls: readonly Asked[]) => {
    const { send, charged } = platform(id);
    for (const one of calls) await send(one);
    return charged("paid");
  };
  const three = batchOf([ada, "ada.sol", "ortolan.sol"]);
  expect(await spentBy("MET-WAL-01.batch-per-item", three)).toEqual([["walletApi", 300, 1]]);
  expect(await spentBy("MET-WAL-02.batch-n", three)).toEqual([["walletApi", 100, 3]]);
  expect(await spentBy("MET-WAL-01.first-free", balances, balances)).toEqual([
    ["walletApi", 0, 1],
    ["walletApi", 100, 1],
  ]);
  const thousand = Array.from({ length: 701 }, () => balances);
  expect((await spentBy("MET-WAL-06.discounted", ...thousand)).slice(-2)).toEqual([
    ["walletApi", 100, 1],
    ["walletApi", 90, 1],
  ]);
  expect(await spentBy("MET-WAL-06.time-based", { path: get(ada, "history") })).toEqual([["walletApi", 150, 1]]);
});

for (const id of ["MET-CONC-01.lost-update", "MET-CONC-01.coalesced"]) {
  test(`the mutant ${id} loses charges of calls at once and of no others`, async () => {
    const { send, spent } = platform(id);
    await Promise.all(Array.from({ length: 10 }, () => send(balances)));
    expect(spent().requests).toBe(1);
    for (let nth = 0; nth < 3; nth += 1) await send(balances);
    expect(spent().requests).toBe(4);
  });
}

test("mutants of scope: the calls that a usage document shows", async () => {
  const shown = async (id: string | undefined, reader: "paid" | "second" | "other"): Promise<number> => {
    const { send, read, keys } = platform(id);
    const before = (await read(reader)).requests.walletApi;
    await send(balances, keys.paid);
    return (await read(reader)).requests.walletApi - before;
  };
  expect([await shown(undefined, "paid"), await shown(undefined, "second"), await shown(undefined, "other")]).toEqual([
    1, 1, 0,
  ]);
  expect(await shown("MET-SCOPE-01.global-counter", "other")).toBe(1);
  expect(await shown("MET-SCOPE-01.keyed-by-ip", "other")).toBe(1);
  expect([await shown("MET-SCOPE-02.per-key", "paid"), await shown("MET-SCOPE-02.per-key", "second")]).toEqual([1, 0]);
});

test("mutants of payers make calls with the key in the query free, or charge all to the first caller", async () => {
  const unattributed = platform("AUTH-ALL-02.query-unattributed");
  await unattributed.send(balances, unattributed.keys.paid, "query");
  expect(unattributed.spent().requests).toBe(0);
  await unattributed.send(balances, unattributed.keys.paid, "header");
  expect(unattributed.spent().requests).toBe(1);

  const cached = platform("AUTH-ALL-02.last-project-cached");
  for (const role of ["paid", "other", "other"] as const) await cached.send(balances, cached.keys[role]);
  expect([cached.spent("paid").requests, cached.spent("other").requests]).toEqual([3, 0]);
});
