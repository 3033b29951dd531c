// The reference's credit figures, and what its demo projects make visible (§2.1; register §1)
import { expect, test } from "@playwright/test";
import { idsIn, platform as ownPlatform, type Usage } from "../support/wallets.ts";

interface Consumption {
  readonly product: string;
  readonly credits: string;
  readonly times?: number;
  readonly pool?: "regular" | "prepaid";
}

interface Wish {
  readonly creditsLimit?: number;
  readonly prepaid?: string;
  readonly consume: readonly Consumption[];
}

const sumOf = (credits: { readonly [product: string]: number }): number =>
  Object.values(credits).reduce((total, amount) => total + amount, 0);

/** Usage on a platform of its own. */
function platform(mutant?: string) {
  const { read, usageOf, control } = ownPlatform(mutant);
  return {
    main: () => read("paid"),
    free: () => read("free"),
    /** Makes a paid project, lets it consume, reads its usage. */
    made: async ({ creditsLimit = 1_000_000, prepaid = "0", consume }: Wish): Promise<Usage> => {
      const key = "c0ffee00-1111-4222-8333-444455556666";
      const { project } = (await control({
        do: "makeProject",
        plan: { name: "business", kind: "paid", creditsLimit },
        billingAnchor: "2025-03-15",
        standsAt: "2025-03-20T12:00:00Z",
        prepaid,
        keys: [{ value: key }],
      })) as { readonly project: string };
      for (const one of consume) await control({ do: "consume", project, ...one });
      return usageOf(project, key);
    },
  };
}

const paidCredits = {
  rpc: 100_000,
  enhancedApi: 20_000,
  walletApi: 30_000,
  das: 40_000,
  webhooks: 5_000,
  streamGrpc: 25_000,
  streamWebsocket: 12_000,
  preConfirmations: 3_000,
  archival: 8_000,
  compression: 15_000,
  other: 1_000,
};
const products = Object.keys(paidCredits);

test("the paid project has the register's figures: U 259,004, M 780,996, products 4 credits less (§1.6)", async () => {
  const usage = await platform().main();
  expect(usage).toMatchObject({
    creditsRemaining: 780_996,
    creditsUsed: 259_004,
    prepaidCreditsRemaining: 60_000,
    prepaidCreditsUsed: 40_000,
    subscriptionDetails: { creditsLimit: 1_000_000 },
  });
  expect(usage.credits).toEqual(paidCredits);
  expect(sumOf(usage.credits) - usage.creditsUsed).toBe(-4);
});

test("the paid project uses prepaid credits, keeps some, leaves a residual, and shows no 0 (§1.7)", async () => {
  const { creditCycle, subscriptionDetails, ...figures } = await platform().main();
  const { credits, requests, dataTransfer, ...pools } = figures;
  expect(sumOf(credits)).not.toBe(pools.creditsUsed);
  expect([...Object.entries(requests), ...Object.entries(dataTransfer)].filter(([, count]) => count <= 0)).toEqual([]);
  // Every arithmetic mutant shifts a figure by a pool or a product: each is more than the 12 credits that rounding
  // could explain (§1.3).
  expect(Object.entries({ ...pools, ...credits }).filter(([, amount]) => amount <= 12)).toEqual([]);
});

test("the free project is over its limit: nothing remains, no invoice, a cycle all the same (§1.6)", async () => {
  expect(await platform().free()).toMatchObject({
    creditsRemaining: 0,
    creditsUsed: 100_250,
    prepaidCreditsRemaining: 0,
    prepaidCreditsUsed: 0,
    subscriptionDetails: { billingCycle: null, creditsLimit: 100_000 },
    creditCycle: { start: "2025-05-02", end: "2025-06-01" },
  });
});

for (const [regular, left] of [
  ["999", 1],
  ["1000", 0],
  ["1001", 0],
  ["1100", 0],
] as const) {
  test(`of a limit of 1,000 with ${regular} regular credits used, ${left} remain (CRD-REM-02)`, async () => {
    const usage = await platform().made({ creditsLimit: 1_000, consume: [{ product: "rpc", credits: regular }] });
    expect(usage).toMatchObject({ creditsRemaining: left, creditsUsed: Number(regular), prepaidCreditsUsed: 0 });
  });
}

const beyondLimit: Consumption = { product: "rpc", credits: "130" };
const fromPrepaid: Consumption = { product: "das", credits: "15.4", pool: "prepaid" };
for (const [title, consumed, creditsRemaining, creditsUsed, prepaidCreditsUsed] of [
  ["pay beyond the limit while there are any, and then nobody does (§2.1)", beyondLimit, 0, 130, 20],
  ["may pay before the limit is reached, and leave what remains alone (§1.2)", fromPrepaid, 100, 15, 15],
] as const) {
  test(`prepaid credits ${title}`, async () => {
    const usage = await platform().made({ creditsLimit: 100, prepaid: "20", consume: [consumed] });
    const prepaidCreditsRemaining = 20 - prepaidCreditsUsed;
    expect(usage).toMatchObject({ creditsRemaining, creditsUsed, prepaidCreditsUsed, prepaidCreditsRemaining });
  });
}

for (const [credits, times, shown] of [
  ["0.3", 10, 3],
  ["0.6", 10, 6],
  ["0.1", 4, 0],
  ["2.1", 1, 2],
  ["2.9", 1, 3],
] as const) {
  test(`${times} increments of ${credits} show ${shown}, rounded once, to the nearest (CRD-ROUND-01)`, async () => {
    const usage = await platform().made({ consume: [{ product: "das", credits, times }] });
    expect(usage).toMatchObject({ creditsUsed: shown, creditsRemaining: 1_000_000 - shown, credits: { das: shown } });
  });
}

for (const [title, mutant, inSum] of [
  ["up eleven products of 2.5 show 3 each beside a total of 28, a residual of 5", undefined, 33],
  ["to even eleven products of 2.5 show 2 each beside a total of 28, a residual of 6", "CRD-ROUND-02.ok-tie-even", 22],
] as const) {
  test(`with ties ${title} (§1.4)`, async () => {
    const consume = products.map((product) => ({ product, credits: "2.5" }));
    const { creditsUsed, credits } = await platform(mutant).made({ consume });
    expect({ creditsUsed, inSum: sumOf(credits) }).toEqual({ creditsUsed: 28, inSum });
  });
}

/** Variants of the table in §1.6, with what the paid project shows under each. */
for (const [mutant, used, remaining, residual] of [
  ["CRD-REM-01.minus-total", 259_004, 740_996, -4],
  ["CRD-REM-01.plus-prepaid", 259_004, 840_996, -4],
  ["CRD-USE-01.regular-only", 219_004, 780_996, 39_996],
  ["CRD-USE-01.prepaid-twice", 299_004, 780_996, -40_004],
  ["CRD-SUM-01.product-not-totalled", 244_004, 780_996, 14_996],
] as const) {
  test(`${mutant} shows the figures of the register's table (§1.6)`, async () => {
    const usage = await platform(mutant).main();
    expect(usage).toMatchObject({ creditsUsed: used, creditsRemaining: remaining });
    expect(sumOf(usage.credits) - usage.creditsUsed).toBe(residual);
  });
}

/** Usage in every product, nothing prepaid, one entry each, in the project's first cycle. */
const blind: Wish = { consume: products.map((product) => ({ product, credits: "100.4" })) };

for (const mutant of idsIn(
  "CRD-REM-01.minus-total CRD-USE-01.regular-only CRD-SUM-01.total-regular-only CRD-USE-01.prepaid-twice",
)) {
  test(`without prepaid credits ${mutant} shows nothing, with them it does (§1.7)`, async () => {
    expect(await platform(mutant).made(blind)).toEqual(await platform().made(blind));
    expect(await platform(mutant).main()).not.toEqual(await platform().main());
  });
}

test("in a project's first cycle lifetime figures are the cycle's (§1.7)", async () => {
  expect(await platform("CRD-SCOPE-01.lifetime-products").made(blind)).toEqual(await platform().made(blind));
});

for (const mutant of ["CRD-ROUND-01.round-each", "CRD-ROUND-02.truncate"]) {
  test(`with fractions below a half ${mutant} moves no product; a fractional meter shows it (§1.7)`, async () => {
    const half: Wish = { consume: [{ product: "das", credits: "0.6", times: 6 }] };
    expect((await platform(mutant).main()).credits).toEqual((await platform().main()).credits);
    expect((await platform(mutant).made(half)).credits).not.toEqual((await platform().made(half)).credits);
  });
}
