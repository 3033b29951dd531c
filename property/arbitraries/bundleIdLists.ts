// Whose statuses are asked for together? Known bundles and unknown ones mixed, in any order, also more than once. (§4.3 getBundleStatuses)
import fc from "fast-check";
import { listOf } from "./lists.ts";

/** The target's n-th sample, or the n-th id of nobody in the same form. */
export type SomeBundle = { readonly known: number } | { readonly unknown: number };

/** Two samples are what target files give. */
const aBundle = (most: number): fc.Arbitrary<SomeBundle> =>
  fc.oneof(
    fc.record({ unknown: fc.nat({ max: most }) }, { noNullPrototype: true }),
    fc.record({ known: fc.nat({ max: 1 }) }, { noNullPrototype: true }),
  );

const nameOf = (bundle: SomeBundle): string => JSON.stringify(bundle);

/** Each once. */
export const differentBundles = (min: number, max: number): fc.Arbitrary<readonly SomeBundle[]> =>
  fc.uniqueArray(aBundle(2 * max), { minLength: min, maxLength: max, selector: nameOf });

/** With repeats. */
export const someBundles = (min: number, max: number): fc.Arbitrary<readonly SomeBundle[]> =>
  listOf(aBundle(1), min, max);
