// Use around a plan's credit limit, a credit or a fraction to either side (§2.1)
import Big from "big.js";
import fc from "fast-check";

export interface SomeUse {
  readonly creditsLimit: number;
  /** Decimals of three places; regular use is within three credits of the limit. */
  readonly regular: string;
  readonly prepaid: string;
}

const beside: fc.Arbitrary<string> = fc.oneof(
  fc.integer({ min: -3, max: 3 }).map(String),
  fc.integer({ min: -3_000, max: 3_000 }).map((thousandths) => new Big(thousandths).div(1_000).toFixed()),
);

const prepaid: fc.Arbitrary<string> = fc.oneof(
  fc.nat({ max: 3 }).map(String),
  fc.nat({ max: 3_000 }).map((thousandths) => new Big(thousandths).div(1_000).toFixed()),
);

export const aroundLimit: fc.Arbitrary<SomeUse> = fc
  .record({ creditsLimit: fc.constantFrom(10, 1_000, 1_000_000), beside, prepaid })
  .map(({ creditsLimit, beside: by, prepaid: pool }) => ({
    creditsLimit,
    regular: new Big(creditsLimit).plus(by).toFixed(),
    prepaid: pool,
  }));
