// Wallets and domains, alone and in batches (§4.2, §8)
import fc from "fast-check";
import { givenAt, type Knowledge } from "../../harness/core/template.ts";
import { base58Key } from "./base58.ts";

const textsAt = (knowledge: Knowledge, pointer: string): readonly string[] => {
  const listed = givenAt(knowledge, pointer);
  return Array.isArray(listed) ? listed.filter((one) => typeof one === "string") : [];
};

export const knownWallets = (known: Knowledge): readonly string[] => textsAt(known, "/samples/wallets");

export const knownDomains = (known: Knowledge): readonly string[] => textsAt(known, "/samples/domains");

export const walletAddress = (knowledge: Knowledge): fc.Arbitrary<string> => {
  const wallets = knownWallets(knowledge);
  return wallets.length > 0 ? fc.oneof({ arbitrary: base58Key, weight: 3 }, fc.constantFrom(...wallets)) : base58Key;
};

/** Wallets and domains mixed; domains only where the target knows some. */
export const walletOrDomain = (knowledge: Knowledge): fc.Arbitrary<string> => {
  const domains = knownDomains(knowledge);
  return domains.length > 0
    ? fc.oneof({ arbitrary: walletAddress(knowledge), weight: 4 }, fc.constantFrom(...domains))
    : walletAddress(knowledge);
};

/** Sizes around the limits, and between. */
const sizes = fc.oneof(fc.constantFrom(1, 2, 50, 99, 100), fc.integer({ min: 1, max: 100 }));

/** Up to 100 different entries (OBS-WAL-BATCH-DUP); an empty batch is unspecified (OBS-WAL-BATCH-EMPTY). */
export const walletBatch = (knowledge: Knowledge): fc.Arbitrary<readonly string[]> =>
  // fast-check would bias its own lengths towards the shortest.
  fc
    .tuple(sizes, fc.constantFrom(walletAddress(knowledge), walletOrDomain(knowledge)))
    .chain(([size, entry]) => fc.uniqueArray(entry, { minLength: size, maxLength: size, size: "max" }));
