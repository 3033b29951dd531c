// Which ids may a JSON-RPC request have? Texts and whole numbers that every JSON implementation carries safely. (§4.3; register, amendment 8)
import fc from "fast-check";

/** Where fixed sizes of buffers and columns end, and beside. */
const lengths = [8, 16, 32, 64, 128, 255].flatMap((length) => [length - 1, length, length + 1]);

const ofLength = (length: number): fc.Arbitrary<string> => fc.string({ minLength: length, maxLength: length });

/** Of any characters and length, those included that another type could be read from. */
export const textIds: fc.Arbitrary<string> = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom(...lengths).chain(ofLength),
  fc.constantFrom("null", "true", "0", "-1", "1e3", "1.0", "{}", "[]", " 1", "__proto__"),
  fc.uuid(),
);

/** Around zero, below it, and as large as is safe. */
export const numberIds: fc.Arbitrary<number> = fc.oneof(fc.integer({ min: -2, max: 2 }), fc.integer(), fc.maxSafeInteger());

export const anyId: fc.Arbitrary<string | number> = fc.oneof(textIds, numberIds);
