// What is left of an arbitrary once some is thrown away? One of which nothing is left says so, where fast-check's own filter would draw for ever.
import type fc from "fast-check";

/** Misses in a row that no honest arbitrary has. */
const mostMisses = 10_000;

/** @throws Error, while drawing, where nothing passes */
export function filtered<Counterexample>(
  arbitrary: fc.Arbitrary<Counterexample>,
  passes: (counterexample: Counterexample) => boolean,
  what: string,
): fc.Arbitrary<Counterexample> {
  let misses = 0;
  return arbitrary.filter((counterexample) => {
    const isKept = passes(counterexample);
    misses = isKept ? 0 : misses + 1;
    if (misses >= mostMisses) throw new Error(`no ${what} in ${mostMisses} draws`);
    return isKept;
  });
}
