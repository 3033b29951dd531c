// Lists of known and unknown bundle ids in any order, with repeats or without (§4.3)
import fc from "fast-check";
import { listArbitrary, type Of, recordArbitrary } from "./lists.ts";

/** The target's n-th sample, of which target files name two, or the n-th unknown id in the same form. */
const aBundle = (most: number) =>
  fc.oneof(recordArbitrary({ unknown: fc.nat({ max: most }) }), recordArbitrary({ known: fc.nat({ max: 1 }) }));

export type SomeBundle = Of<ReturnType<typeof aBundle>>;

/** Without repeats. */
export const differentBundles = (min: number, max: number): fc.Arbitrary<readonly SomeBundle[]> =>
  fc.uniqueArray(aBundle(2 * max), { minLength: min, maxLength: max, selector: (bundle) => JSON.stringify(bundle) });

/** With repeats. */
export const someBundles = (min: number, max: number): fc.Arbitrary<readonly SomeBundle[]> =>
  listArbitrary(aBundle(1), min, max);
