// A filter on an arbitrary that throws where nothing passes, instead of generating for ever
import type fc from "fast-check";
import { notSeen } from "../../harness/core/outcomes.ts";

/** Misses in a row after which the filter gives up. */
const mostMisses = 10_000;

/** @throws Withheld, while generating, where nothing passes, as of samples in a form that we can't vary */
export function filtered<Value, Passing extends Value = Value>(
  arbitrary: fc.Arbitrary<Value>,
  passes: ((value: Value) => value is Passing) | ((value: Value) => boolean),
  what: string,
): fc.Arbitrary<Passing> {
  let misses = 0;
  return arbitrary.filter((value): value is Passing => {
    const isPassed = passes(value);
    misses = isPassed ? 0 : misses + 1;
    if (misses >= mostMisses)
      throw notSeen(`values can't be generated: no ${what} among ${mostMisses.toLocaleString("en")}`);
    return isPassed;
  });
}
