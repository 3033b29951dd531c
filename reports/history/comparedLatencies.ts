// Latencies and loads of the last night beside those of earlier ones, added up

import type { LoadChange } from "../compare/comparedFigures.ts";
import type { Comparison } from "../compare/comparison.ts";
import { type LoadFigures, loadChangeBetween, loadFiguresOf, secondsInPhases, servedIn } from "../compare/loads.ts";
import { addedUp, type LatencySample, type ServedLatencies } from "../compare/quantileRatio.ts";
import { type LatencySides, measuredUnder } from "../compare/slowness.ts";
import { groupedBy } from "../lists.ts";
import type { Night } from "./night.ts";

/** Of nights in the order of their p95, this share is left out at either end. */
const trimmed = 0.25;

type Served = readonly [operation: string, sample: LatencySample];

const servedOn = ({ latencies, load, seconds }: Night): readonly Served[] => [
  ...servedIn(latencies, load ? secondsInPhases(load.phases) : (seconds ?? 0)),
];

/** The middle half added up: one slow night would otherwise be the p95 of all together. */
function middleOf(samples: readonly LatencySample[]): LatencySample {
  const out = Math.floor(samples.length * trimmed);
  const p95Of = ({ histogram }: LatencySample): number => histogram.getValueAtPercentile(95);
  const middle = [...samples].sort((a, b) => p95Of(a) - p95Of(b)).slice(out, samples.length - out);
  return addedUp(
    middle,
    middle.reduce((sum, { seconds }) => sum + (seconds ?? 0), 0),
  );
}

/** Why latencies of a night say nothing; null where they do. */
const whyUnsure = ({ id, left, load }: Night): string | null => {
  const reason = left ?? load?.lag;
  return reason === undefined ? null : `${id}: ${reason}`;
};

function latenciesOf(nights: readonly Night[], when: string): ServedLatencies {
  const served = nights.filter((night) => whyUnsure(night) === null).flatMap(servedOn);
  const groups = groupedBy(served, ([operation]) => operation);
  const [unsound] = nights.flatMap((night) => whyUnsure(night) ?? []);
  const isServed = nights.some(({ latencies }) => latencies.some(({ outcome }) => outcome === "served"));
  const lacking = isServed ? `the history has no histograms ${when}` : `nothing was served ${when}`;
  return {
    byOperation: new Map([...groups].map(([name, some]) => [name, middleOf(some.map(([, sample]) => sample))])),
    unsure: served.length > 0 ? null : (unsound ?? lacking),
  };
}

/** Described as the last of them. */
function loadsOf(nights: readonly [Night, ...Night[]]): LoadFigures | null {
  const { load } = nights.at(-1) ?? nights[0];
  if (load === undefined || nights.some(({ kind }) => kind !== load.shape)) return null;
  const phases = nights.flatMap((night) => night.load?.phases ?? []);
  const lines = nights.flatMap(({ latencies }) => latencies);
  return loadFiguresOf(load.shape, phases, { lines, described: load.phases, parts: load.parts ?? 1 });
}

/** What two nights sent, and how much of it was refused or failed; null where they aren't of one load. */
export function loadChangeOn(was: Night, is: Night): LoadChange | null {
  const [before, now] = [loadsOf([was]), loadsOf([is])] as const;
  return before && now && loadChangeBetween(before, now);
}

/**
 * The comparison of a history's last night with what its latencies say.
 * @param earlier at least one night that it is compared with
 * @param slower how many times their p95 is too slow; undefined for any
 */
export function withLatencies(
  comparison: Comparison,
  earlier: readonly [Night, ...Night[]],
  { head, slower }: { readonly head: Night; readonly slower: number | undefined },
): Comparison {
  const loads = { was: loadsOf(earlier), is: loadsOf([head]) };
  const areLoads = loads.was !== null && loads.is !== null;
  if (!areLoads && slower === undefined) return comparison;
  const measurement: LatencySides = {
    latencies: { was: latenciesOf(earlier, "before"), is: latenciesOf([head], "now") },
    loads: loads.was && loads.is && { was: loads.was, is: loads.is },
  };
  const pairs = comparison.pairs.map((pair) => measuredUnder(pair, measurement, slower));
  return { ...comparison, exitCode: pairs[0]?.exitCode ?? comparison.exitCode, pairs };
}
