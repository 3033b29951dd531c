// Rounds of a panel: who is asked when, and what ends them.
import { expect, test } from "@playwright/test";
import { bundles, distinctOf, pickedFrom, polledBy, questions, type Setting, sampled } from "./madeRounds.ts";

test("a round puts each question once, to all vendors within 50 ms, in an order that the seed gives", async () => {
  const { all } = await polledBy({});
  const orders = [0, 1, 2, 3].map((nth) => all.filter(({ round }) => round === nth).map(({ question }) => question.id));
  for (const order of orders) expect([...order].sort()).toEqual(questions.map(({ id }) => id).sort());
  expect(new Set(orders.map(String)).size).toBeGreaterThan(1);
  expect(all.every(({ isTogether, replies }) => isTogether && replies.length === 3)).toBe(true);
  expect((await polledBy({})).all.map(({ question }) => question.id)).toEqual(orders.flat());
  expect((await polledBy({ seed: 9 })).all.map(({ question }) => question.id)).not.toEqual(orders.flat());
});

for (const most of [2, 24])
  test(`each vendor is asked before each other equally often, in ${most} rounds`, async () => {
    const { began } = await polledBy({ most });
    const polls = Array.from({ length: began.length / 3 }, (_, nth) => began.slice(nth * 3, nth * 3 + 3));
    for (const [one, other] of [
      [0, 1],
      [1, 2],
      [2, 0],
    ]) {
      const placeOf = (ask: typeof began, vendor?: number): number => ask.findIndex((each) => each.vendor === vendor);
      const first = polls.filter((ask) => placeOf(ask, one) < placeOf(ask, other)).length;
      expect(first / polls.length).toBeCloseTo(0.5, 1);
    }
  });

test("rounds begin two seconds apart, and what doesn't begin together is marked", async () => {
  expect((await polledBy({ most: 4 })).took_ms).toBeGreaterThan(6_000);
  expect((await polledBy({ most: 1, late_ms: 60 })).all.map(({ isTogether }) => isTogether)).toEqual([
    false,
    false,
    false,
  ]);
  expect((await polledBy({ most: 1, late_ms: 30 })).all.map(({ isTogether }) => isTogether)).toEqual([
    true,
    true,
    true,
  ]);
});

test("the slowest paces all", async () => {
  const { all, took_ms } = await polledBy({ paces: [100, 100, 0.5], most: 5 });
  expect(all).toHaveLength(15);
  expect(took_ms).toBeGreaterThan(15_000);
  expect(all.every(({ isTogether }) => isTogether)).toBe(true);
});

test("what only one vendor offers isn't asked, nor is anything of one that doesn't offer it", async () => {
  const isFirst = (vendor: number) => vendor === 0;
  const change: Setting["change"] = (_, vendor) => ({
    offers: isFirst(vendor) ? ["tokenAccounts", "bundles"] : ["tokenAccounts"],
  });
  const { all } = await polledBy({ asked: [...questions, ...bundles], change, most: 2 });
  expect(new Set(all.map(({ question }) => question.operation))).toEqual(new Set(["getTokenAccounts"]));
  expect((await polledBy({ asked: bundles, change })).began).toEqual([]);
});

test("one whose budget is spent is asked no more, and it ends with the last two", async () => {
  const left: readonly (readonly [number, number])[] = [
    [0, 4],
    [1, 6],
  ];
  const budgets = new Map(left);
  const { all } = await polledBy({
    most: 10,
    change: (target, vendor) => ({ budget: { ...target.budget, requests: budgets.get(vendor) ?? 100 } }),
  });
  expect(all.map(({ replies }) => replies.length)).toEqual([3, 3, 3, 3, 2, 2, 1]);
});

test("questions come from samples and lists, each once, and one's own come first", () => {
  const samples = sampled();
  expect(new Set(samples.map(({ operation }) => operation))).toEqual(
    new Set([
      "getTokenAccounts",
      "getCompressedBalance",
      "getMultipleNewAddressProofs",
      "getBundleStatuses",
      "getIndexerHealth",
      "getProjectUsage",
    ]),
  );
  const all = distinctOf([{ getIndexerHealth: null }], ...samples, ...samples);
  expect(all).toHaveLength(samples.length);
  expect(all[0]?.operation).toBe("getIndexerHealth");
});

test("accounts are picked from lists by the seed, in any order", () => {
  const accounts = Array.from({ length: 40 }, (_, nth) => ({ owner: `o${nth % 20}`, mint: `m${nth}` }));
  const picked = pickedFrom(3, accounts);
  expect(picked).toHaveLength(15);
  expect(pickedFrom(3, accounts.slice(20), accounts.toReversed())).toEqual(picked);
  expect(pickedFrom(4, accounts)).not.toEqual(picked);
  expect(pickedFrom(3, [{ owner: 1 }, {}])).toEqual([]);
});
