// What calls cost: usage before and after them in virtual time, and what is said of it.
import { expect, test } from "@playwright/test";
import { madePanel } from "./made.ts";
import {
  listedPrices,
  type Meter,
  madeWorkload,
  mixPricesOf,
  pricedPanel,
  priceOfTen,
  textOfPanel,
} from "./madePrices.ts";

test("what usage grew by is charged for the calls that were served, exactly", async () => {
  const { took_ms, ...price } = await priceOfTen({});
  expect(price).toEqual({
    vendor: 0,
    listed: { getIndexerHealth: 10, getTokenAccounts: null },
    // From 9007199254740993.0 to 9007199254740993.100: as doubles they are the same.
    charged: { credits: "0.1", calls: 10, listed: 100 },
    why: null,
  });
  expect(took_ms).toBeLessThan(18_000 + 2 * 5_000);
});

test("charges that show seconds later are waited for", async () => {
  const says = (credits: number): string => `{ "creditsUsed": ${credits} }`;
  for (const lag_ms of [0, 1_500, 5_500])
    expect((await priceOfTen({ says, lag_ms })).charged).toEqual({ credits: "100", calls: 10, listed: 100 });
});

const flat = (): string => `{ "creditsUsed": 7 }`;
for (const [title, meter, why] of [
  ["not quiet", { change: { quiet: false } }, "others may use its project: the target doesn't say `quiet: true`"],
  ["not offered", { change: { offers: ["compression"] } }, "the target doesn't offer usage"],
  ["refused", { isRefused: true }, /^its usage wasn't served: .*403/],
  ["no number", { says: () => `{ "creditsUsed": "many" }` }, "its usage has no number of creditsUsed"],
  ["not moved", { says: flat }, "its usage hadn't moved 10 s after the last call: charges may show later"],
  [
    "moves by itself",
    { says: (_: number, reads: number) => `{ "creditsUsed": ${reads} }` },
    "its usage moved before anything was asked",
  ],
  [
    "still moves",
    { says: (credits: number, reads: number) => `{ "creditsUsed": ${credits > 0 ? reads : 0} }` },
    "its usage was still moving 10 s after the last call: charges may show later",
  ],
  [
    "a new cycle",
    { says: (credits: number) => `{ "creditsUsed": ${credits > 0 ? 1 : 5_000} }` },
    "its usage fell: a new credit cycle began",
  ],
  [
    "nothing served",
    { served: false, says: (credits: number) => `{ "creditsUsed": ${credits} }` },
    "it served no call",
  ],
  ["a defect of ours", { isBroken: true }, "Assay itself failed on its usage: made for this test"],
  [
    "budget spent",
    { change: { budget: { requests: 13 } }, says: (credits: number) => `{ "creditsUsed": ${credits} }` },
    "its budget leaves no request for its usage",
  ],
  [
    "others",
    {
      says: (credits: number) => `{ "creditsUsed": ${credits} }`,
      change: { others: { sentences: () => [], projects: () => ["main"], publish: () => {} } },
    },
    "another command of this machine used its project",
  ],
] as const satisfies readonly (readonly [string, Meter, string | RegExp])[])
  test(`of charges nothing is said where usage tells nothing: ${title}`, async () => {
    const { charged, why: cause } = await priceOfTen(meter);
    expect(charged).toBeNull();
    expect(cause).toEqual(typeof why === "string" ? why : expect.stringMatching(why));
  });

test("calls without an answer may have been charged: where they matter, nothing is said", async () => {
  const says = (credits: number): string => `{ "creditsUsed": ${credits} }`;
  const { charged, why } = await priceOfTen({ says, answers: 8 });
  expect([charged, why]).toEqual([null, "calls without an answer may be charged, too"]);
});

test("calls that aren't those of the mix tell nothing of its price", async () => {
  const says = (credits: number): string => `{ "creditsUsed": ${credits} }`;
  const whyOf = async (shares: { readonly [operation: string]: number }, change = {}) =>
    (await priceOfTen({ says, change }, { shares })).why;
  expect(await whyOf({ getIndexerHealth: 0.6, getWalletBalances: 0.4 })).toBe(
    "it served no getWalletBalances, a part of the mix",
  );
  expect(await whyOf({ getIndexerHealth: 0.8 }, { prices: {} })).toBe(
    "its served calls aren't in the shares of the mix, nor all priced",
  );
  for (const shares of [{ getIndexerHealth: 0.8 }, { getIndexerHealth: 0.96, getWalletBalances: 0.04 }])
    expect(await whyOf(shares)).toBeNull();
});

test("a panel that is cut short waits for nothing", async () => {
  const { charged, why } = await priceOfTen({}, { complete: false });
  expect([charged, why]).toEqual([null, "the panel was cut short"]);
});

test("the price of a million calls of the mix, and by how much charges differ from it", () => {
  // Served were 8 and 2 calls, for which 82 are listed; charged was a quarter more.
  const charged = { credits: "102.5", calls: 10, listed: 82 };
  const panel = pricedPanel(
    { listed: listedPrices, charged, why: null },
    { listed: listedPrices, charged: { ...charged, credits: "82" }, why: null },
    {
      listed: { ...listedPrices, getIndexerHealth: null },
      charged: { credits: "90", calls: 10, listed: null },
      why: null,
    },
  );
  expect(mixPricesOf(panel)).toEqual([
    { listed: 7_750_000, charged: 9_687_500, unpriced: [], why: null },
    { listed: 7_750_000, charged: 7_750_000, unpriced: [], why: null },
    { listed: null, charged: 9_000_000, unpriced: ["getIndexerHealth"], why: null },
  ]);
  const text = textOfPanel(panel);
  expect(text).toContain("7,750,000 credits per million calls");
  expect(text).toContain("charged 9,687,500, 25 % more than listed");
  expect(text).toContain("charged 7,750,000, as listed");
  expect(text).toContain("unknown: getIndexerHealth has no price in the interface or cyd.yaml");
  expect(text).toContain("Credits of different vendors may not cost the same.");
});

test("without prices or a workload nothing is said of cost", () => {
  const none = { listed: { getTokenAccounts: null }, charged: null, why: "usage is read with --workload only" };
  for (const panel of [madePanel(), madePanel({ prices: [0, 1, 2].map((vendor) => ({ ...none, vendor })) })])
    expect(textOfPanel(panel)).not.toContain("What it costs");
  expect(mixPricesOf(madePanel())[0]).toEqual({
    listed: null,
    charged: null,
    unpriced: [],
    why: "no prices are recorded",
  });
});

test("a panel says what it asked, why, and what not", () => {
  const left = [
    { what: "sendBundle", calls: 12, why: "can't be undone" },
    { what: "getWalletBalances", calls: 0, why: "only with --paid" },
  ];
  const text = textOfPanel(madePanel({ workload: { ...madeWorkload, why: "Our own work.", left } }));
  expect(text).toContain("Asked: the mix w (getTokenAccounts 75 %, getIndexerHealth 25 %), 10 polls.\nOur own work.\n");
  expect(text).toContain("sendBundle, 12 calls: can't be undone\n");
  expect(text).toContain("getWalletBalances: only with --paid\n");
});
