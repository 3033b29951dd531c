// Lists that shrink by leaving out any of their items, and records that can be saved as plain JSON
import fc from "fast-check";

/** From `min` to `max` items; each slot is empty half of the time. */
export function listArbitrary<Item>(item: fc.Arbitrary<Item>, min: number, max: number): fc.Arbitrary<readonly Item[]> {
  if (min === max) return fc.tuple(...Array.from({ length: max }, () => item));
  const slots = Array.from({ length: max }, () => fc.option(fc.record({ item }), { freq: 2, nil: null }));
  return fc
    .tuple(...slots)
    .map((all) => all.flatMap((slot) => (slot === null ? [] : [slot.item])))
    .filter((list) => list.length >= min);
}

/** Arbitraries by the name of the member that they generate. */
export type Arbitraries<Values> = { readonly [Name in keyof Values]: fc.Arbitrary<Values[Name]> };

export const recordArbitrary = <Values>(arbitraries: Arbitraries<Values>): fc.Arbitrary<Values> =>
  fc.record<Values>({ ...arbitraries }, { noNullPrototype: true });

/** What an arbitrary generates. */
export type Of<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;
