// Encodings of transactions (§4.3 sendBundle)
import fc from "fast-check";
import type { Encoding } from "../../contracts/bundles/requests.ts";

/** Shrinks towards the default. */
export const anEncoding: fc.Arbitrary<Encoding> = fc.constantFrom("base58", "base64");
