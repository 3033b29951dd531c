// A filter on an arbitrary that throws where nothing passes, instead of generating for ever
import type fc from "fast-check";

/** Misses in a row after which the filter gives up. */
const mostMisses = 10_000;

/** @throws Error, while generating, where nothing passes */
export function filtered<Value, Passing extends Value = Value>(
  arbitrary: fc.Arbitrary<Value>,
  passes: ((value: Value) => value is Passing) | ((value: Value) => boolean),
  what: string,
): fc.Arbitrary<Passing> {
  let misses = 0;
  return arbitrary.filter((value): value is Passing => {
    const isPassed = passes(value);
    misses = isPassed ? 0 : misses + 1;
    if (misses >= mostMisses) throw new Error(`no ${what} among ${mostMisses} generated values`);
    return isPassed;
  });
}
