// Changes of latency, operation by operation.
import type { Run } from "../../harness/record/run.ts";
import type { Both, LatencyChange } from "./comparedFigures.ts";
import { measuredOf } from "./measured.ts";
import { latencySampleOf, type ServedLatencies } from "./quantileRatio.ts";
import { type AnsweredRecord, answeredInBoth, type BothAnswers } from "./questions.ts";

/** In milliseconds, and as a share of the median before. Less may be our own machine or the network. */
export const smallestOfRuns = { by: 20, share: 0.2 } as const;

/** As many answers to each request in both runs, so that neither has more of the slow ones. */
function latenciesIn(both: readonly BothAnswers[]): Both<readonly number[]> {
  const paired = both.map(({ was, is }) => ({ was, is, count: Math.min(was.length, is.length) }));
  const of = (which: "was" | "is"): readonly number[] =>
    paired.flatMap((one) => one[which].slice(0, one.count).map(({ latency_ms }) => latency_ms));
  return { was: of("was"), is: of("is") };
}

/** Of served answers, by operation. */
function servedLatenciesIn(base: Run, head: Run): ReadonlyMap<string, Both<readonly number[]>> {
  const isServed = ({ outcome }: AnsweredRecord): boolean => outcome === "served";
  const groups = answeredInBoth(base, head, isServed, ({ operation }) => operation);
  return new Map([...groups].map(([operation, both]) => [operation, latenciesIn(both)]));
}

export const latencyChangesBetween = (base: Run, head: Run): readonly LatencyChange[] =>
  measuredOf(
    [...servedLatenciesIn(base, head)].map(([operation, both]) => ({
      of: { operation },
      ...both,
      smallest: smallestOfRuns,
    })),
  );

/** The same answers as samples. */
export function servedSamplesOf(base: Run, head: Run): Both<ServedLatencies> {
  const latencies = [...servedLatenciesIn(base, head)];
  const sideOf = (side: "was" | "is"): ServedLatencies => ({
    byOperation: new Map(latencies.map(([operation, both]) => [operation, latencySampleOf(both[side])])),
    unsure: null,
  });
  return { was: sideOf("was"), is: sideOf("is") };
}
