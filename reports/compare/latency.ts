// Changes of latency, operation by operation.
import type { Run } from "../../harness/record/run.ts";
import type { Both, LatencyChange } from "./comparison.ts";
import { measuredOf } from "./measured.ts";
import { type AnsweredRecord, answeredInBoth, type BothAnswers } from "./questions.ts";

/** In milliseconds, and as a share of the median before. Less may be our own machine or the network. */
const smallest = { by: 20, share: 0.2 } as const;

/** As many answers to each request in both runs, so that neither has more of the slow ones. */
function latenciesIn(both: readonly BothAnswers[]): Both<readonly number[]> {
  const paired = both.map(({ was, is }) => ({ was, is, count: Math.min(was.length, is.length) }));
  const of = (which: "was" | "is"): readonly number[] =>
    paired.flatMap((one) => one[which].slice(0, one.count).map(({ latency_ms }) => latency_ms));
  return { was: of("was"), is: of("is") };
}

export function latencyChangesBetween(base: Run, head: Run): readonly LatencyChange[] {
  const isServed = ({ outcome }: AnsweredRecord): boolean => outcome === "served";
  const groups = answeredInBoth(base, head, isServed, ({ operation }) => operation);
  return measuredOf([...groups].map(([operation, both]) => ({ of: { operation }, ...latenciesIn(both), smallest })));
}
