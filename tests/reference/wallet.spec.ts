// The reference's wallet endpoints: answers, refusals, and data that agrees with itself (§4.2, §5, §8)
import { expect, test } from "@playwright/test";
import { askers, type Get, get, platform, refusedIn, samples, unknowns } from "../support/wallets.ts";

const ada = { address: samples.wallets[0], domain: samples.domains[0] };
const ben = { address: samples.wallets[1], domain: samples.domains[1] };
const [unknown = ""] = unknowns(1);

type Each<T> = readonly Readonly<T>[];
type Change = { mint: string | null; amount: number };
type Read = Readonly<{
  address: string;
  transactions: Each<{ slot: number; time: number; feePayer: string; balanceChanges: Each<Change> }>;
  transfers: Each<Change & { from: string | null; to: string; direction: string }>;
  tokens: Each<{ mint: string; amount: number; usdValue: number | null }>;
  nfts: Each<{ mint: string; usdValue: number | null }>;
  native: { readonly amount: number; readonly usdValue: number };
  totalUsdValue: number;
  balance: number;
  slot: number;
  identities: Each<{ query: string; address: string | null; name: string | null }>;
}>;

const readAt = async (ask: Get, path: string): Promise<Read> => {
  const { status, body } = await ask(path);
  expect([path, status]).toEqual([path, 200]);
  return body as Read;
};

for (const endpoint of ["identity", "balances", "balance-at?slot=330000000", "history", "transfers", "funded-by"]) {
  test(`${endpoint} answers the same by address and by domain`, async () => {
    const { ask } = platform();
    const byAddress = await readAt(ask, get(ada.address, endpoint));
    const byDomain = await readAt(ask, get(ada.domain, endpoint));
    const inCapitals = await readAt(ask, get("ADA.sol", endpoint));
    expect({ ...byDomain, query: ada.address }).toEqual({ query: ada.address, ...byAddress });
    expect({ ...inCapitals, query: ada.domain }).toEqual({ query: ada.domain, ...byDomain });
    expect(await readAt(ask, get(ben.address, endpoint))).not.toEqual(byAddress);
  });

  test(`${endpoint} of an unknown address is empty`, async () => {
    const { ask } = platform();
    expect((await readAt(ask, get(unknown, endpoint))).address).toBe(unknown);
  });
}

test("holdings are what history adds up to, with values in US dollars where there is a price", async () => {
  const { ask } = platform();
  const all: (number | null)[] = [];
  for (const { address } of [ada, ben]) {
    const { transactions } = await readAt(ask, get(address, "history"));
    const sums = new Map<string | null, bigint>();
    for (const { mint, amount } of transactions.flatMap(({ balanceChanges }) => balanceChanges))
      sums.set(mint, (sums.get(mint) ?? 0n) + BigInt(amount));
    const { native, tokens, nfts, totalUsdValue } = await readAt(ask, get(address, "balances"));
    expect(BigInt(native.amount)).toBe(sums.get(null));
    const held = [...sums].filter(
      ([mint, amount]) => mint !== null && amount !== 0n && !nfts.some((nft) => nft.mint === mint),
    );
    expect(tokens.length).toBe(held.length);
    expect(new Map(tokens.map(({ mint, amount }) => [mint, BigInt(amount)]))).toEqual(new Map(held));
    for (const { mint } of nfts) expect(sums.get(mint)).toBe(1n);
    const values = [native, ...tokens, ...nfts].map(({ usdValue }) => usdValue);
    all.push(...values);
    expect(values.reduce<number>((total, value) => total + (value ?? 0), 0)).toBeCloseTo(totalUsdValue, 2);
    expect(native.usdValue).toBeGreaterThan(0);
  }
  expect(all.some((usdValue) => usdValue === null)).toBe(true);
});

test("a past balance is the same by time, datetime and slot, and is the sum of history until then", async () => {
  const { ask } = platform();
  const { transactions } = await readAt(ask, get(ada.address, "history"));
  const oldestFirst = [...transactions].reverse();
  let held = 0;
  for (const { slot, time, balanceChanges } of oldestFirst) {
    held += balanceChanges.find(({ mint }) => mint === null)?.amount ?? 0;
    const forms = [`time=${time}`, `datetime=${new Date(time * 1000).toISOString()}`, `slot=${slot}`];
    const balances = await Promise.all(
      forms.map(async (form) => (await readAt(ask, get(ada.address, `balance-at?${form}`))).balance),
    );
    expect(balances).toEqual([held, held, held]);
    expect(held).toBeGreaterThanOrEqual(0);
  }
  expect(oldestFirst.length).toBeGreaterThan(30);
});

test("a past balance of a token is read by its mint", async () => {
  const { ask } = platform();
  const { mint } = samples;
  const early = await readAt(ask, get(ada.address, `balance-at?time=1688000000&mint=${mint}`));
  const late = await readAt(ask, get(ada.address, `balance-at?time=1760000000&mint=${mint}`));
  expect(early.balance).toBeGreaterThan(0);
  const { tokens } = await readAt(ask, get(ada.address, "balances"));
  expect(late.balance).toBe(tokens.find((one) => one.mint === mint)?.amount ?? 0);
});

test("transfers name sender and recipient, and both sides list them", async () => {
  const { ask } = platform();
  const { transfers } = await readAt(ask, get(ada.address, "transfers"));
  expect(transfers.length).toBeGreaterThan(20);
  for (const { from, to, direction } of transfers) expect(direction === "in" ? to : from).toBe(ada.address);
  const toBen = transfers.filter(({ to }) => to === ben.address);
  const theirs = await readAt(ask, get(ben.address, "transfers"));
  expect(theirs.transfers.filter(({ from }) => from === ada.address)).toEqual(
    toBen.map((one) => ({ ...one, direction: "in" })),
  );
});

test("a wallet is funded by the sender of its first coins", async () => {
  const { ask } = platform();
  const { body } = await ask(get(ada.address, "funded-by"));
  const { transfers } = await readAt(ask, get(ada.address, "transfers"));
  const first = [...transfers].reverse().find(({ mint, direction }) => mint === null && direction === "in");
  expect(body).toMatchObject({
    address: ada.address,
    fundedBy: { address: first?.from, name: "Harbour Exchange", lamports: first?.amount },
  });
  expect((await ask(get(unknown, "funded-by"))).body).toMatchObject({ fundedBy: null });
});

for (const count of [1, 2, 100]) {
  test(`a batch of ${count} is answered entry by entry`, async () => {
    const { batch } = platform();
    const entries = [ada.domain, ben.address, ...unknowns(98)].slice(0, count);
    const { status, body } = await batch(entries);
    expect(status).toBe(200);
    const { identities } = body as Read;
    expect(identities.map(({ query }) => query)).toEqual(entries);
    expect(identities[0]).toMatchObject({ address: ada.address, name: "Ada Marsh" });
  });
}

for (const [title, entries] of [
  ["101 addresses", unknowns(101)],
  ["101 domains", Array.from({ length: 101 }, (_, nth) => `unknown${nth}.sol`)],
  ["100 addresses and a domain", [ada.domain, ...unknowns(100)]],
] as const) {
  test(`${title} in a batch are refused, and free`, async () => {
    const { batch, spent } = platform();
    expect(refusedIn(await batch(entries))).toEqual([400, "TOO_MANY_ENTRIES"]);
    expect(spent()).toEqual({ credits: 0, requests: 0 });
  });
}

for (const [nth, { title, ask }] of askers(ada.address).entries()) {
  const isPaid = [0, 1, 6].includes(nth);
  test(`${title} on a free plan is ${isPaid ? "refused with 403, free of charge" : "served"}`, async () => {
    const { keys, spent, send } = platform();
    const answer = await send(ask, keys.free);
    expect(answer.status).toBe(isPaid ? 403 : 200);
    expect(spent("free")).toEqual(isPaid ? { credits: 0, requests: 0 } : { credits: 100, requests: 1 });
  });
}

/** Mutants, with a request that shows each. */
const mutated: readonly (readonly [id: string, path: string, role: "paid" | "free" | "other", status: number])[] = [
  ["WAL-ID-01.v2-path", get(ada.address, "identity"), "paid", 404],
  ["WAL-ID-02.domain-400", get(ada.domain, "identity"), "paid", 400],
  ["WAL-BALAT-01.slot-unsupported", get(ada.address, "balance-at?slot=330000000"), "paid", 400],
  ["WAL-FREE-01.402", get(ada.address, "identity"), "free", 402],
  ["WAL-FREE-04.empty-on-free", get(ada.address, "balances"), "free", 204],
  ["WAL-PAID-01.paid-403", get(ada.address, "funded-by"), "other", 403],
  ["WAL-XFER-01.alias-history", get(ada.address, "transfers"), "paid", 302],
  ["VER-WAL-01.v1beta", get(ada.address, "balances"), "paid", 404],
  ["AUTH-WAL-HDR-01.transfers-header-ignored", get(ada.address, "transfers"), "paid", 401],
];

for (const [id, path, role, status] of mutated) {
  test(`the mutant ${id} answers ${status}`, async () => {
    const statusOn = async ({ keys, ask }: ReturnType<typeof platform>): Promise<number> =>
      (await ask(path, { key: keys[role] })).status;
    expect(await statusOn(platform(id))).toBe(status);
    expect(await statusOn(platform())).toBe(id === "WAL-FREE-01.402" ? 403 : 200);
  });
}
