// Which ids may a JSON-RPC request carry? A string or a number, echoed as it was. (§4.3)
import fc from "fast-check";

/** Lengths at which a platform may cut, pad or take for something else. */
const suspiciousLengths = [0, 1, 16, 32, 36, 37, 63, 64, 65, 127, 128, 255, 256, 257];

const ofLength = (length: number): fc.Arbitrary<string> =>
  fc.string({ minLength: length, maxLength: length, unit: "grapheme-ascii" });

/** Whole text without lone surrogates, of which nothing is said (OBS-RPC-UNICODE); as long as ids are in the field (OBS-RPC-ID). */
export const textId: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...suspiciousLengths).chain(ofLength),
  fc.string({ unit: "grapheme", maxLength: 64 }),
  fc.uuid(),
  // What reads as something else: a number, a constant, a member of JavaScript's own.
  fc.constantFrom(
    "1",
    "0",
    "-1",
    "1.0",
    "1e3",
    "007",
    "null",
    "true",
    "{}",
    "[]",
    "__proto__",
    "constructor",
    " ",
    "\n",
    '"',
    "\\",
    "Ä",
    "ABC",
    "abc",
  ),
  fc.integer().map(String),
);

/** Whole numbers that JSON implementations carry safely; beyond 2^53, and of fractions, nothing is said (OBS-RPC-ID). */
export const numericId: fc.Arbitrary<number> = fc
  .oneof(fc.maxSafeInteger(), fc.integer(), fc.constantFrom(0, 1, -1, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 32 + 1))
  // How -0 is written, is open too.
  .map((id) => (id === 0 ? 0 : id));

/** Every documented kind. */
export const rpcId: fc.Arbitrary<string | number> = fc.oneof(textId, numericId);
