// Lists of known and unknown bundle ids in any order, with repeats or without (§4.3)
import fc from "fast-check";
import { listOf } from "./lists.ts";

/** The target's n-th sample, or the n-th unknown id in the same form. */
export type SomeBundle = { readonly known: number } | { readonly unknown: number };

/** Target files name two samples. */
const aBundle = (most: number): fc.Arbitrary<SomeBundle> =>
  fc.oneof(
    fc.record({ unknown: fc.nat({ max: most }) }, { noNullPrototype: true }),
    fc.record({ known: fc.nat({ max: 1 }) }, { noNullPrototype: true }),
  );

const nameOf = (bundle: SomeBundle): string => JSON.stringify(bundle);

/** Without repeats. */
export const differentBundles = (min: number, max: number): fc.Arbitrary<readonly SomeBundle[]> =>
  fc.uniqueArray(aBundle(2 * max), { minLength: min, maxLength: max, selector: nameOf });

/** With repeats. */
export const someBundles = (min: number, max: number): fc.Arbitrary<readonly SomeBundle[]> =>
  listOf(aBundle(1), min, max);
