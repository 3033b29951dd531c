// Transactions of a bundle: legacy and versioned, of several sizes, in either encoding (§4.3 sendBundle)
import fc from "fast-check";
import { listArbitrary, type Of, recordArbitrary } from "./lists.ts";

const mostTransfers = 4;

const aTransaction = recordArbitrary({
  version: fc.constantFrom<"legacy" | 0>("legacy", 0),
  /** Besides a tip; each makes the transaction longer. */
  transfers: fc.integer({ min: 1, max: mostTransfers }),
});

/** In any order; half of the time as many as possible. */
export const someTransactions = (min: number, max: number): fc.Arbitrary<readonly Of<typeof aTransaction>[]> =>
  fc.oneof({ withCrossShrink: true }, listArbitrary(aTransaction, min, max), listArbitrary(aTransaction, max, max));

/** Shrinks towards the default. */
export const anEncoding = fc.constantFrom("base58", "base64");
