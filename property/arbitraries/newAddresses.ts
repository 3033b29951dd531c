// Addresses that can be created: hashes whose first byte is 0, the range of a tree (§2.4)
import { createHash } from "node:crypto";
import fc from "fast-check";
import { textOf } from "../../contracts/shared/base58.ts";

/** The end of every tree's range. */
const highest = 2n ** 248n - 1n;

function hashNamed(number: number): bigint {
  const digest = createHash("sha256").update(`new address ${number}`).digest();
  return BigInt(`0x00${digest.subarray(1).toString("hex")}`);
}

/** 32 bytes in base58, sometimes at an end of the range. */
export const newAddress: fc.Arbitrary<string> = fc
  .oneof(
    { arbitrary: fc.nat({ max: 9_999 }).map(hashNamed), weight: 9 },
    fc.constantFrom(1n, 2n, highest - 2n, highest - 1n),
  )
  .map((value) => textOf(Uint8Array.from(Buffer.from(value.toString(16).padStart(64, "0"), "hex"))));
