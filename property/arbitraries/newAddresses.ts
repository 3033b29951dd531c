// Addresses that can be created: hashes whose first byte is 0, the range of a tree (§2.4)
import fc from "fast-check";
import { highestAddress } from "../../contracts/compression/compression.laws.ts";
import { addressFromNumber, hashNamed } from "../../contracts/compression/newAddresses.ts";

/** 32 bytes in base58, sometimes at an end of the range. */
export const newAddress: fc.Arbitrary<string> = fc
  .oneof(
    { arbitrary: fc.nat({ max: 9_999 }).map((number) => hashNamed(`new address ${number}`)), weight: 9 },
    fc.constantFrom(1n, 2n, highestAddress - 2n, highestAddress - 1n),
  )
  .map(addressFromNumber);
