// What is left of an arbitrary once some is thrown away? One of which nothing is left says so, where fast-check's own filter would draw for ever.
import type fc from "fast-check";

/** Misses in a row that no honest arbitrary has. */
const mostMisses = 10_000;

/** @throws Error, while drawing, where nothing passes */
export function filtered<Drawn>(
  arbitrary: fc.Arbitrary<Drawn>,
  passes: (drawn: Drawn) => boolean,
  what: string,
): fc.Arbitrary<Drawn> {
  let misses = 0;
  return arbitrary.filter((drawn) => {
    const isKept = passes(drawn);
    misses = isKept ? 0 : misses + 1;
    if (misses >= mostMisses) throw new Error(`no ${what} in ${mostMisses} draws`);
    return isKept;
  });
}
