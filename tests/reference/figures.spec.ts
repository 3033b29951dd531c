// The reference's credit figures, and what its demo projects make visible (§2.1; register §1)
import { expect, test } from "@playwright/test";
import { products } from "../../contracts/shared/figures.ts";
import { demo } from "../../reference/demo.ts";
import { benignVariants } from "../../reference/generated/benignVariants.ts";
import { mutants } from "../../reference/generated/mutants.ts";
import type { Variant } from "../../reference/platform/mutant.ts";
import { createPlatform } from "../../reference/platform.ts";

interface Usage {
  readonly creditsRemaining: number;
  readonly creditsUsed: number;
  readonly prepaidCreditsRemaining: number;
  readonly prepaidCreditsUsed: number;
  readonly creditCycle: object;
  readonly subscriptionDetails: { readonly billingCycle: object | null; readonly creditsLimit: number };
  readonly credits: { readonly [product: string]: number };
  readonly requests: { readonly [product: string]: number };
  readonly dataTransfer: { readonly [stream: string]: number };
}

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

function mutantOf(id: string): Variant {
  const variant = [...mutants, ...benignVariants].find((one) => one.id === id);
  if (!variant) throw new Error(`there is no mutant ${id}`);
  return variant;
}

/** A platform in this process, and who may read what of it. */
function platform(mutant?: string) {
  const { world, keys, ids } = demo();
  const { fetch } = createPlatform({
    world,
    now_ms: () => 0,
    controlToken: "t",
    ...(mutant === undefined ? {} : { variant: mutantOf(mutant) }),
  });
  const read = async (id: string, key: string): Promise<Usage> => {
    const response = await fetch(
      new Request(`http://reference.example/v0/admin/projects/${id}/usage`, { headers: { "X-Api-Key": key } }),
    );
    expect(response.status).toBe(200);
    return (await response.json()) as Usage;
  };
  const order = async (command: object): Promise<{ readonly project?: string }> => {
    const response = await fetch(
      new Request("http://reference.example/control", {
        method: "POST",
        headers: { "X-Assay-Control": "t" },
        body: JSON.stringify(command),
      }),
    );
    expect(response.status, JSON.stringify(command)).toBe(200);
    return (await response.json()) as { readonly project?: string };
  };
  return {
    main: () => read(ids.paid, keys.paid),
    free: () => read(ids.free, keys.free),
    /** Makes a paid project, lets it consume, reads its usage. */
    made: async ({ creditsLimit = 1_000_000, prepaid = "0", consume }: Wish): Promise<Usage> => {
      const key = "c0ffee00-1111-4222-8333-444455556666";
      const plan = { name: "business", kind: "paid", creditsLimit };
      const { project = "" } = await order({
        do: "makeProject",
        plan,
        billingAnchor: "2025-03-15",
        standsAt: "2025-03-20T12:00:00Z",
        prepaid,
        keys: [{ value: key }],
      });
      for (const one of consume) await order({ do: "consume", project, ...one });
      return read(project, key);
    },
  };
}

test("the paid project has the register's figures: U 259,004, M 780,996, products 4 credits less (§1.6)", async () => {
  const { creditsRemaining, creditsUsed, prepaidCreditsRemaining, prepaidCreditsUsed, subscriptionDetails, credits } =
    await platform().main();
  expect({
    creditsRemaining,
    creditsUsed,
    prepaidCreditsRemaining,
    prepaidCreditsUsed,
    creditsLimit: subscriptionDetails.creditsLimit,
  }).toEqual({
    creditsRemaining: 780_996,
    creditsUsed: 259_004,
    prepaidCreditsRemaining: 60_000,
    prepaidCreditsUsed: 40_000,
    creditsLimit: 1_000_000,
  });
  expect(credits).toEqual({
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
  });
  expect(sumOf(credits) - creditsUsed).toBe(-4);
});

test("the paid project uses prepaid credits, keeps some, leaves a residual, and shows no 0 (§1.7)", async () => {
  const {
    creditsRemaining,
    creditsUsed,
    prepaidCreditsRemaining,
    prepaidCreditsUsed,
    credits,
    requests,
    dataTransfer,
  } = await platform().main();
  expect(sumOf(credits)).not.toBe(creditsUsed);
  const figures = { creditsRemaining, creditsUsed, prepaidCreditsRemaining, prepaidCreditsUsed, ...credits };
  expect(Object.entries({ ...figures }).filter(([, amount]) => amount <= 0)).toEqual([]);
  expect([...Object.entries(requests), ...Object.entries(dataTransfer)].filter(([, count]) => count <= 0)).toEqual([]);
  // Every arithmetic mutant shifts a figure by a pool or a product: each is more than the 12 credits that rounding
  // could explain (§1.3).
  expect(Object.entries(figures).filter(([, amount]) => amount <= 12)).toEqual([]);
});

test("the free project is over its limit: nothing remains, no invoice, a cycle all the same (§1.6)", async () => {
  const {
    creditsRemaining,
    creditsUsed,
    prepaidCreditsRemaining,
    prepaidCreditsUsed,
    subscriptionDetails,
    creditCycle,
  } = await platform().free();
  expect({ creditsRemaining, creditsUsed, prepaidCreditsRemaining, prepaidCreditsUsed }).toEqual({
    creditsRemaining: 0,
    creditsUsed: 100_250,
    prepaidCreditsRemaining: 0,
    prepaidCreditsUsed: 0,
  });
  expect(subscriptionDetails).toMatchObject({ billingCycle: null, creditsLimit: 100_000 });
  expect(creditCycle).toEqual({ start: "2025-05-02", end: "2025-06-01" });
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

test("prepaid credits pay beyond the limit while there are any, and then nobody does (§2.1)", async () => {
  const usage = await platform().made({
    creditsLimit: 100,
    prepaid: "20",
    consume: [{ product: "rpc", credits: "130" }],
  });
  expect(usage).toMatchObject({
    creditsRemaining: 0,
    creditsUsed: 130,
    prepaidCreditsUsed: 20,
    prepaidCreditsRemaining: 0,
  });
});

test("prepaid credits may pay before the limit is reached, and leave what remains alone (§1.2)", async () => {
  const usage = await platform().made({
    creditsLimit: 100,
    prepaid: "20",
    consume: [{ product: "das", credits: "15.4", pool: "prepaid" }],
  });
  expect(usage).toMatchObject({
    creditsRemaining: 100,
    creditsUsed: 15,
    prepaidCreditsUsed: 15,
    prepaidCreditsRemaining: 5,
  });
});

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

test("with ties up eleven products of 2.5 show 3 each beside a total of 28, a residual of 5 (§1.4)", async () => {
  const { creditsUsed, credits } = await platform().made({
    consume: products.map((product) => ({ product, credits: "2.5" })),
  });
  expect({ creditsUsed, inSum: sumOf(credits) }).toEqual({ creditsUsed: 28, inSum: 33 });
});

test("with ties to even eleven products of 2.5 show 2 each beside a total of 28, a residual of 6 (§1.4)", async () => {
  const { creditsUsed, credits } = await platform("CRD-ROUND-02.ok-tie-even").made({
    consume: products.map((product) => ({ product, credits: "2.5" })),
  });
  expect({ creditsUsed, inSum: sumOf(credits) }).toEqual({ creditsUsed: 28, inSum: 22 });
});

/** Variants of the table in §1.6, with what the paid project shows under each. */
const variants = [
  { mutant: "CRD-REM-01.minus-total", used: 259_004, remaining: 740_996, residual: -4 },
  { mutant: "CRD-REM-01.plus-prepaid", used: 259_004, remaining: 840_996, residual: -4 },
  { mutant: "CRD-USE-01.regular-only", used: 219_004, remaining: 780_996, residual: 39_996 },
  { mutant: "CRD-USE-01.prepaid-twice", used: 299_004, remaining: 780_996, residual: -40_004 },
  { mutant: "CRD-SUM-01.product-not-totalled", used: 244_004, remaining: 780_996, residual: 14_996 },
];

for (const { mutant, used, remaining, residual } of variants) {
  test(`${mutant} shows the figures of the register's table (§1.6)`, async () => {
    const { creditsUsed, creditsRemaining, credits } = await platform(mutant).main();
    expect({ creditsUsed, creditsRemaining, residual: sumOf(credits) - creditsUsed }).toEqual({
      creditsUsed: used,
      creditsRemaining: remaining,
      residual,
    });
  });
}

/** Usage in every product, nothing prepaid, one entry each, in the project's first cycle. */
const blind: Wish = { consume: products.map((product) => ({ product, credits: "100.4" })) };

for (const mutant of [
  "CRD-REM-01.minus-total",
  "CRD-USE-01.regular-only",
  "CRD-SUM-01.total-regular-only",
  "CRD-USE-01.prepaid-twice",
]) {
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
