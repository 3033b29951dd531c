// Documented JSON-RPC ids: strings and numbers (§4.3)
import fc from "fast-check";

/** Lengths at which a platform may cut, pad or misread texts. */
const suspiciousLengths = [0, 1, 16, 32, 36, 37, 63, 64, 65, 127, 128, 255, 256, 257];

/** Texts that read as something else. */
const likeNumbers = ["1", "0", "-1", "1.0", "1e3", "007"];
const likeConstants = ["null", "true", "{}", "[]"];
const likeMembers = ["__proto__", "constructor"];
const letters = [" ", "\n", '"', "\\", "Ä", "ABC", "abc"];

const ofLength = (length: number): fc.Arbitrary<string> =>
  fc.string({ minLength: length, maxLength: length, unit: "grapheme-ascii" });

/** Texts without lone surrogates, which are unspecified (OBS-RPC-UNICODE), of usual lengths (OBS-RPC-ID). */
export const textId: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...suspiciousLengths).chain(ofLength),
  fc.string({ unit: "grapheme", maxLength: 64 }),
  fc.uuid(),
  fc.constantFrom(...likeNumbers, ...likeConstants, ...likeMembers, ...letters),
  fc.integer().map(String),
);

/** Safe integers; fractions and numbers beyond 2^53 are unspecified (OBS-RPC-ID). */
export const numericId: fc.Arbitrary<number> = fc
  .oneof(fc.maxSafeInteger(), fc.integer(), fc.constantFrom(0, 1, -1, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 32 + 1))
  // How -0 is written is unspecified too.
  .map((id) => (id === 0 ? 0 : id));

export const rpcId: fc.Arbitrary<string | number> = fc.oneof(textId, numericId);
