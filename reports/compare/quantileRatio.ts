// How many times another a quantile of latency is, and how sure that is, from two histograms.
import { build, decodeFromCompressedBase64, type Histogram } from "hdr-histogram-js";
import { gammaln } from "simple-statistics";
import type { Both, ComparedQuantile, QuantileBetween } from "./comparedFigures.ts";

/** Of each interval. */
export const ratioConfidence = 0.95;

/** Latencies of served answers. */
export interface LatencySample {
  /** Of µs; none are kept one by one, so that loads and nights can be added up. */
  readonly histogram: Histogram;
  /** How long the load took; null where requests were sent one after another. */
  readonly seconds: number | null;
}

/** Served answers of one side of a comparison. */
export interface ServedLatencies {
  readonly byOperation: ReadonlyMap<string, LatencySample>;
  /** Why they say nothing, as a sentence without a full stop; null where they do. */
  readonly unsure: string | null;
}

/** @param seconds of all of them */
export function addedUp(samples: readonly LatencySample[], seconds: number | null): LatencySample {
  const histogram = build({ bitBucketSize: 32, numberOfSignificantValueDigits: 3 });
  for (const sample of samples) histogram.add(sample.histogram);
  return { histogram, seconds };
}

/** @param encoded HdrHistogram V2 of µs, compressed, in base64 */
export const decodedSample = (encoded: string, seconds: number): LatencySample => ({
  histogram: decodeFromCompressedBase64(encoded),
  seconds,
});

/** @param latencies_ms exact values of few answers */
export function latencySampleOf(latencies_ms: readonly number[], seconds: number | null = null): LatencySample {
  const sample = addedUp([], seconds);
  for (const latency_ms of latencies_ms) sample.histogram.recordValue(Math.max(1, Math.round(latency_ms * 1_000)));
  return sample;
}

/** Answers of one moment are slow together, for instance where a machine is busy: more of a second tell no more. */
const independentPerSecond = 5;

const independentIn = ({ histogram, seconds }: LatencySample, perSecond: number): number =>
  Math.min(histogram.totalCount, Math.round((seconds ?? Number.POSITIVE_INFINITY) * perSecond));

/** Ten standard deviations from the mean a binomial probability is nothing. */
const reach = 10;

/**
 * Between which of so many values, in order and counted from 1, a quantile lies at `ratioConfidence`, whatever the
 * distribution: the binomial interval of order statistics (David and Nagaraja, Order Statistics, §7.1). Null where
 * there are too few values for that end.
 */
export function ranksAround(quantile: number, count: number): readonly [least: number | null, most: number | null] {
  const missed = (1 - ratioConfidence) / 2;
  const mean = count * quantile;
  const spread = reach * (Math.sqrt(mean * (1 - quantile)) + 1);
  const logOfAll = gammaln(count + 1);
  const chanceOf = (below: number): number =>
    Math.exp(
      logOfAll -
        gammaln(below + 1) -
        gammaln(count - below + 1) +
        below * Math.log(quantile) +
        (count - below) * Math.log(1 - quantile),
    );
  let least: number | null = null;
  let most: number | null = null;
  // The chance that fewer values than the rank are below the quantile.
  let fewer = 0;
  for (let rank = Math.max(0, Math.floor(mean - spread)); rank <= Math.min(count, mean + spread); rank += 1) {
    if (rank > 0 && fewer <= missed) least = rank;
    if (rank > 0 && most === null && 1 - fewer <= missed) most = rank;
    fewer += chanceOf(rank);
  }
  return [least, most];
}

/** Fewer values have no upper end for their p95. */
export const fewestForP95 = Math.ceil(Math.log((1 - ratioConfidence) / 2) / Math.log(0.95));

/** Of a load: in a shorter one, too few answers are independent. */
export const fewestSecondsForP95 = Math.ceil(fewestForP95 / independentPerSecond);

/** A quantile with its interval. @param perSecond how many answers of a second tell more than one of them */
export function quantileBetween(
  sample: LatencySample,
  quantile: number,
  perSecond = independentPerSecond,
): QuantileBetween {
  const { histogram } = sample;
  const count = independentIn(sample, perSecond);
  const at = (rank: number): number =>
    Math.max(1, Math.min(histogram.getValueAtPercentile((100 * rank) / count), histogram.maxValue));
  const [least, most] = ranksAround(quantile, count);
  return {
    ms: inMilliseconds(at(quantile * count)),
    from_ms: least === null ? null : inMilliseconds(at(least)),
    to_ms: most === null ? null : inMilliseconds(at(most)),
  };
}

/** Rounded to three digits. */
const toDigits = (value: number): number => Number(value.toPrecision(3));
const inMilliseconds = (us: number): number => Math.round(us) / 1_000;

/** @param samples none is empty */
export const quantileRatioOf = (
  samples: Both<LatencySample>,
  quantile: number,
  perSecond = independentPerSecond,
): ComparedQuantile =>
  ratioBetween(quantileBetween(samples.was, quantile, perSecond), quantileBetween(samples.is, quantile, perSecond));

/**
 * The two intervals together by the method of variance estimates recovery (Zou and Donner, Statistics in Medicine 27,
 * 2008), on logarithms, as the ratio is their difference.
 */
export function ratioBetween(was: QuantileBetween, is: QuantileBetween): ComparedQuantile {
  const ratio = is.ms / was.ms;
  const apart = (some_ms: number, other_ms: number): number => Math.log(some_ms / other_ms);
  const beyond = (first: number, second: number): number => Math.exp(Math.hypot(first, second));
  const { from_ms, to_ms } = was;
  return {
    was: was.ms,
    is: is.ms,
    ratio: toDigits(ratio),
    from:
      is.from_ms === null || to_ms === null
        ? null
        : toDigits(ratio / beyond(apart(is.ms, is.from_ms), apart(to_ms, was.ms))),
    to:
      is.to_ms === null || from_ms === null
        ? null
        : toDigits(ratio * beyond(apart(is.to_ms, is.ms), apart(was.ms, from_ms))),
  };
}
