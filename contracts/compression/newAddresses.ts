// Addresses that nobody has created: hashes in the range of an address tree (§2.4)
import { createHash } from "node:crypto";
import type { Samples } from "../../harness/model/sampleFinder.ts";
import { base58Text } from "../shared/base58.ts";

/** 32 bytes in base58, of which the first is 0. */
export const addressFromNumber = (value: bigint): string =>
  base58Text(Uint8Array.from(Buffer.from(value.toString(16).padStart(64, "0"), "hex")));

export const hashNamed = (name: string): bigint =>
  BigInt(`0x00${createHash("sha256").update(name).digest().subarray(1).toString("hex")}`);

const most = 4;

/** No run creates an address, so that those of a seed stay new. */
export const newAddresses = (seed: number): Samples =>
  Object.fromEntries(
    Array.from({ length: most }, (_, nth) => [
      `/samples/newAddresses/${nth}`,
      addressFromNumber(hashNamed(`new address ${nth} of run ${seed}`)),
    ]),
  );
