// Base58 of 32 bytes, and texts that miss it in one way (§2.4, §4.3)
import fc from "fast-check";
import { base58Text } from "../../contracts/shared/base58.ts";

/** Without 0, O, I and l. */
export const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** Bytes of keys and hashes. */
const keyLength_bytes = 32;

/** Bytes of that length, sometimes with leading zeros, which base58 writes as ones. */
const base58Of = (length_bytes: number): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.uint8Array({ minLength: length_bytes, maxLength: length_bytes }),
      fc.oneof({ arbitrary: fc.constant(0), weight: 7 }, fc.nat(length_bytes)),
    )
    .map(([bytes, zeros]) => base58Text(bytes.fill(0, 0, zeros)));

/** A public key or a hash. */
export const base58Key: fc.Arbitrary<string> = base58Of(keyLength_bytes);

/** Base58 of another length than a key, never empty. */
export const wrongLength: fc.Arbitrary<string> = fc
  .oneof(fc.constantFrom(keyLength_bytes - 1, keyLength_bytes + 1), fc.integer({ min: 1, max: 2 * keyLength_bytes }))
  .filter((length) => length !== keyLength_bytes)
  .chain(base58Of);

/** Characters that base58 lacks. White space, which might be trimmed, isn't among them. */
const strangeLetter: fc.Arbitrary<string> = fc.constantFrom(..."0OIl+/-_!=é\u200bⅤ💩");

/** A text with one letter replaced. */
export const misspelled = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(text, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), strangeLetter)
    .map(([right, where, letter]) => {
      const place = Math.floor(where * right.length);
      return right.slice(0, place) + letter + right.slice(place + 1);
    });

/** As long as a key, but no base58. */
export const wrongAlphabet: fc.Arbitrary<string> = misspelled(base58Key);
