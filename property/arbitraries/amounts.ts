// Amounts of base units, within and beyond what a double holds (§2.2; EXT-JSON-02)
import fc from "fast-check";
import { listArbitrary } from "./lists.ts";

const largestU64 = 2n ** 64n - 1n;
const safest = BigInt(Number.MAX_SAFE_INTEGER);

/** A decimal of 64 bits above 0, often just beyond what a double holds. */
export const anAmount: fc.Arbitrary<string> = fc
  .oneof(
    fc.bigInt({ min: 1n, max: safest }),
    fc.bigInt({ min: safest, max: safest + 1_000n }),
    fc.bigInt({ min: 1n, max: largestU64 }),
    fc.constantFrom(1n, safest, safest + 2n, largestU64),
  )
  .map(String);

/** Few enough for one page. */
export const amounts: fc.Arbitrary<readonly string[]> = listArbitrary(anAmount, 1, 8);
