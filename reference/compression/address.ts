// Addresses of an address tree: 32 bytes, big-endian, below the highest element
import { createHash } from "node:crypto";
import bs58 from "bs58";
import { toBytes, toValue } from "./poseidon.ts";

/**
 * Light Protocol's HIGHEST_ADDRESS_PLUS_ONE. Addresses are hashes whose first byte is 0, so that they fit into the
 * field; most public keys of accounts are out of range.
 */
export const highestAddressValue = 2n ** 248n - 1n;

/** No tree can ever hold such an address. */
export class OutOfRange extends Error {
  override readonly name = "OutOfRange";

  constructor(address: Uint8Array) {
    super(`The address ${bs58.encode(address)} isn't 32 bytes whose value is below 2^248 - 1.`);
  }
}

/** An address is created once. */
export class Taken extends Error {
  override readonly name = "Taken";

  constructor(value: bigint) {
    super(`The address ${bs58.encode(toBytes(value))} is in the tree already.`);
  }
}

/** @throws {OutOfRange} */
export function addressValue(address: Uint8Array): bigint {
  const value = address.length === 32 ? toValue(address) : highestAddressValue;
  if (value >= highestAddressValue) throw new OutOfRange(address);
  return value;
}

/** The addresses of a seed, numbered from 0: a tree seeded with n elements holds the numbers below n. */
export function seededAddress(seed: string, number: number): Uint8Array {
  const address = createHash("sha256").update(`${seed} ${number}`).digest();
  address[0] = 0;
  return Uint8Array.from(address);
}
