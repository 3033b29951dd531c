// Laws of credit arithmetic, case by case: at which figure each of them breaks (register §1)
import { expect, test } from "@playwright/test";
import { laws } from "../../contracts/usage/creditArithmetic.laws.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { type Change, type MadeRead, madeRead, says } from "./madeUsage.ts";

const saysOf = (id: string, exchange: Exchange): string => says(laws, id, exchange);

const figures = (remaining: number, used: number, prepaidUsed: number): Change => ({
  "/creditsRemaining": remaining,
  "/creditsUsed": used,
  "/prepaidCreditsUsed": prepaidUsed,
});

const limit = "/subscriptionDetails/creditsLimit";
const none = "0 where regular credits exceed the limit";

/** Of a limit of 1000. */
const arithmetic: readonly (readonly [id: string, what: string, change: Change, says: string])[] = [
  ["CRD-REM-01", "limit − (used − prepaid)", figures(600, 500, 100), "held"],
  ["CRD-REM-01", "one more, by rounding", figures(601, 500, 100), "held"],
  ["CRD-REM-01", "one less, by rounding", figures(599, 500, 100), "held"],
  ["CRD-REM-01", "two more", figures(602, 500, 100), "/creditsRemaining: 600 (±1)"],
  ["CRD-REM-01", "two less", figures(598, 500, 100), "/creditsRemaining: 600 (±1)"],
  ["CRD-REM-01", "none, though much is left", figures(0, 500, 100), "/creditsRemaining: 600 (±1)"],
  ["CRD-REM-01", "none where none is left", figures(0, 1100, 100), "held"],
  ["CRD-REM-01", "one where none is left, by rounding", figures(1, 1100, 100), "held"],
  ["CRD-REM-01", "none beyond the limit", figures(0, 1350, 100), "held"],
  ["CRD-REM-01", "less than nothing beyond the limit", figures(-250, 1350, 100), "/creditsRemaining: 0 (±1)"],
  ["CRD-REM-01", "the excess", figures(250, 1350, 100), "/creditsRemaining: -250 (±1)"],
  ["CRD-REM-01", "one of 250 beyond the limit", figures(1, 1350, 100), "/creditsRemaining: -250 (±1)"],
  ["CRD-REM-01", "-1 where half a credit is left", figures(-1, 1099.5, 100), "/creditsRemaining: 0.5 (±1)"],
  ["CRD-REM-01", "no limit", { [limit]: undefined }, "-"],
  ["CRD-REM-01", "a limit in words", { [limit]: "1000" }, "-"],

  ["CRD-REM-02", "within the limit", figures(600, 500, 100), "-"],
  ["CRD-REM-02", "at the limit", figures(7, 1100, 100), "-"],
  ["CRD-REM-02", "less than a credit beyond it", figures(7, 1100.5, 100), "-"],
  ["CRD-REM-02", "a credit beyond it", figures(0, 1101, 100), "held"],
  ["CRD-REM-02", "a credit beyond it, and one left", figures(1, 1101, 100), `/creditsRemaining: ${none}`],
  ["CRD-REM-02", "beyond it, and less than nothing", figures(-1, 1350, 100), `/creditsRemaining: ${none}`],

  ["CRD-REM-03", "all", figures(1000, 0, 0), "held"],
  ["CRD-REM-03", "one more", figures(1001, 0, 0), "/creditsRemaining: at most creditsLimit, 1000, a warning"],
  ["CRD-REM-03", "two more", figures(1002, 0, 0), "/creditsRemaining: at most creditsLimit, 1000"],
  ["CRD-REM-03", "a limit of 999.5, rounded up", { ...figures(1000, 0, 0), [limit]: 999.5 }, "held"],
  [
    "CRD-REM-03",
    "one more than 999.5, rounded up",
    { ...figures(1001, 0, 0), [limit]: 999.5 },
    "/creditsRemaining: at most creditsLimit, 999.5",
  ],

  ["CRD-USE-01", "limit − remaining + prepaid", figures(600, 500, 100), "held"],
  ["CRD-USE-01", "one more, by rounding", figures(600, 501, 100), "held"],
  ["CRD-USE-01", "one less, by rounding", figures(600, 499, 100), "held"],
  ["CRD-USE-01", "regular credits alone", figures(600, 400, 100), "/creditsUsed: 500 (±1)"],
  ["CRD-USE-01", "prepaid credits twice", figures(600, 600, 100), "/creditsUsed: 500 (±1)"],
  ["CRD-USE-01", "with one credit left", figures(1, 1099, 100), "held"],
  ["CRD-USE-01", "with none left, which may hide any excess", figures(0, 1350, 100), "-"],
  ["CRD-USE-01", "as much as prepaid, with none left", figures(0, 100, 100), "-"],
  ["CRD-USE-01", "one less than prepaid, by rounding", figures(0, 99, 100), "-"],
  ["CRD-USE-01", "two less than prepaid", figures(0, 98, 100), "/creditsUsed: at least prepaidCreditsUsed, 100"],
  ["CRD-USE-01", "half of what is prepaid", figures(600, 50, 100), "/creditsUsed: at least prepaidCreditsUsed, 100"],
];

for (const [id, what, change, expected] of arithmetic)
  test(`${id}: ${what}: ${expected}`, () => {
    expect(saysOf(id, madeRead({ change }))).toBe(expected);
  });

const extra = "/credits/extra";

/** The documented products add up to 500. */
const sums: readonly (readonly [what: string, change: Change, says: string])[] = [
  ["their sum", {}, "held"],
  ["6 more than 11 products", { "/creditsUsed": 506 }, "held"],
  ["6 less", { "/creditsUsed": 494 }, "held"],
  ["7 more", { "/creditsUsed": 507 }, "/creditsUsed: within 6 of the products' sum, 500"],
  ["7 less", { "/creditsUsed": 493 }, "/creditsUsed: within 6 of the products' sum, 500"],
  ["a fraction, 5.5 more", { "/creditsUsed": 505.5 }, "held"],
  ["a fraction, 5.6 more", { "/creditsUsed": 505.6 }, "/creditsUsed: within 5.5 of the products' sum, 500"],
  ["an undocumented product left out, and 6 more", { [extra]: 100, "/creditsUsed": 506 }, "held"],
  ["an undocumented product included, and 6 more", { [extra]: 100, "/creditsUsed": 606 }, "held"],
  [
    "an undocumented product included in part",
    { [extra]: 100, "/creditsUsed": 550 },
    "/creditsUsed: within 6 of the products' sum, 600",
  ],
  [
    "6.5 less than 12 products",
    { [extra]: 100.5, "/creditsUsed": 607 },
    "/creditsUsed: within 6 of the products' sum, 600.5",
  ],
  ["7 more than 13 products", { [extra]: 50, "/credits/more": 50, "/creditsUsed": 607 }, "held"],
  ["a documented product that is absent", { "/credits/other": undefined }, "-"],
  ["a documented product in words", { "/credits/other": "5" }, "-"],
];

for (const [what, change, expected] of sums)
  test(`CRD-SUM-01: ${what}: ${expected}`, () => {
    expect(saysOf("CRD-SUM-01", madeRead({ change }))).toBe(expected);
  });

test("CRD-SUM-01: where figures are rounded in one direction, each product may be a whole credit off", () => {
  const used = (credits: number): string =>
    saysOf("CRD-SUM-01", madeRead({ change: { "/creditsUsed": credits }, asker: { rounding: "directed" } }));
  expect([used(511), used(511.5)]).toEqual(["held", "/creditsUsed: within 11 of the products' sum, 500"]);
});

test("CRD-LIM-01: the limit is the one that the target gives of the asker's own project", () => {
  const known = (creditsLimit: number | undefined, rest: MadeRead = {}): string => {
    const project = { id: "made", plan: "paid", admin: "enabled" } as const;
    const given = creditsLimit === undefined ? project : { ...project, creditsLimit };
    return saysOf("CRD-LIM-01", madeRead({ ...rest, asker: { project: given } }));
  };
  expect([known(1000), known(undefined), known(1000, { isOwn: false })]).toEqual(["held", "-", "-"]);
  expect([known(999), known(1001)]).toEqual([`${limit}: 999`, `${limit}: 1001`]);
});
