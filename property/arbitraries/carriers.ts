// How can a key travel, and how can the name of its header be spelled? (§5.2, §5.3; RFC 9110 §5.1)
import fc from "fast-check";
import { type As, carriersOf } from "../../contracts/stimuli.ts";
import type { Carrier } from "../../harness/stimulus.ts";

/** Names of header fields know no case. */
export const caseVariantOf = (name: string): fc.Arbitrary<string> =>
  fc
    .array(fc.boolean(), { minLength: name.length, maxLength: name.length })
    .map((isUpper) => [...name].map((letter, nth) => (isUpper[nth] ? letter.toUpperCase() : letter.toLowerCase())).join(""));

const headerName = "X-Api-Key";

/** In the header, its name in any case; or in the query, whose names are exact. */
export const keyCarrier = (as: As): fc.Arbitrary<readonly Carrier[]> =>
  fc.oneof(
    { arbitrary: caseVariantOf(headerName).map((name) => carriersOf(as, "header", name)), weight: 3 },
    fc.constant(carriersOf(as, "header")),
    fc.constant(carriersOf(as, "query")),
  );
