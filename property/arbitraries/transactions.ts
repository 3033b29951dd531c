// Transactions of a bundle: legacy and versioned, of several sizes (§4.3 sendBundle)
import fc from "fast-check";
import { listOf } from "./lists.ts";

export interface SomeTransaction {
  readonly version: "legacy" | 0;
  /** Besides a tip; each makes the transaction longer. */
  readonly transfers: number;
}

export const mostTransfers = 4;

const aTransaction: fc.Arbitrary<SomeTransaction> = fc.record(
  { version: fc.constantFrom("legacy" as const, 0 as const), transfers: fc.integer({ min: 1, max: mostTransfers }) },
  { noNullPrototype: true },
);

/** In any order; half of the time as many as possible. */
export const someTransactions = (min: number, max: number): fc.Arbitrary<readonly SomeTransaction[]> =>
  fc.oneof({ withCrossShrink: true }, listOf(aTransaction, min, max), listOf(aTransaction, max, max));
