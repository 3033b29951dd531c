// Use around a plan's credit limit, a credit or a fraction to either side (§2.1)
import Big from "big.js";
import fc from "fast-check";
import type { Of } from "./lists.ts";

/** Credits from `min` to `max`, as decimals of at most three places. */
const credits = (min: number, max: number): fc.Arbitrary<string> =>
  fc.oneof(
    fc.integer({ min, max }).map(String),
    fc.integer({ min: 1_000 * min, max: 1_000 * max }).map((thousandths) => new Big(thousandths).div(1_000).toFixed()),
  );

/** Regular use within three credits of the limit. */
export const aroundLimit = fc
  .record({ creditsLimit: fc.constantFrom(10, 1_000, 1_000_000), beside: credits(-3, 3), prepaid: credits(0, 3) })
  .map(({ creditsLimit, beside: by, prepaid: pool }) => ({
    creditsLimit,
    regular: new Big(creditsLimit).plus(by).toFixed(),
    prepaid: pool,
  }));

export type SomeUse = Of<typeof aroundLimit>;
