// Which operations are slower, how many times, and whether that is surely beyond the bound of `--slower`.
import { fewOf } from "../lists.ts";
import type { Both, LatencyRatio, SlownessBound } from "./comparedFigures.ts";
import type { Pair } from "./comparison.ts";
import { type LoadFigures, loadChangeBetween, secondsInPhases } from "./loads.ts";
import {
  addedUp,
  fewestForP95,
  fewestSecondsForP95,
  type LatencySample,
  quantileRatioOf,
  type ServedLatencies,
} from "./quantileRatio.ts";

/** What two runs say of latency. */
export interface LatencySides {
  readonly latencies: Both<ServedLatencies>;
  /** Null unless both are only loads. */
  readonly loads: Both<LoadFigures> | null;
}

/** In milliseconds, and as a share of what it was. Less may be our own machine or the network. */
const smallest = { by: 1, share: 0.2 } as const;

type Ratio = LatencyRatio["p95"];

/** @param by in milliseconds, at least */
export const isSurelyOther = ({ was, is, from, to }: Ratio, by: number = smallest.by): boolean =>
  Math.abs(is - was) >= by &&
  ((from !== null && from >= 1 + smallest.share) || (to !== null && to <= 1 / (1 + smallest.share)));

/** Where the median isn't beyond the bound, a p95 may be that of a slow second or two: each counts as one answer. */
const ofSlowSeconds = 1;

function besideBound(
  { p50, p95 }: Pick<LatencyRatio, "p50" | "p95">,
  both: Both<LatencySample>,
  times: number,
): NonNullable<LatencyRatio["bound"]> {
  const { was, is, from, to } = p95;
  if (from === null) return "unjudged";
  if (is - was < smallest.by || (to !== null && to <= times)) return "kept";
  const sure = (p50.from ?? 0) > times ? p95 : quantileRatioOf(both, 0.95, ofSlowSeconds);
  return (sure.from ?? 0) > times ? "exceeded" : "unsure";
}

function ratioOf(operation: string | null, both: Both<LatencySample>, times: number | undefined): LatencyRatio {
  const [p50, p95] = [quantileRatioOf(both, 0.5), quantileRatioOf(both, 0.95)] as const;
  return {
    operation,
    answers: { was: both.was.histogram.totalCount, is: both.is.histogram.totalCount },
    p50,
    p95,
    isReported: isSurelyOther(p50) || isSurelyOther(p95),
    ...(times === undefined ? {} : { bound: besideBound({ p50, p95 }, both, times) }),
  };
}

/**
 * Of operations that were served in both, the most slower first, after all of them together.
 * @param isSameMix whether both called them in the same proportions, so that all together can be compared
 * @param times the bound of `--slower`
 */
function latencyRatiosOf(sides: Both<ServedLatencies>, isSameMix: boolean, times?: number): readonly LatencyRatio[] {
  const { was, is } = sides;
  const pairs = [...is.byOperation].flatMap(([operation, sample]) => {
    const before = was.byOperation.get(operation);
    return before === undefined ? [] : [{ operation, both: { was: before, is: sample } }];
  });
  const ratios = pairs
    .map(({ operation, both }) => ratioOf(operation, both, times))
    .sort((a, b) => b.p95.ratio - a.p95.ratio);
  if (!isSameMix || pairs.length < 2) return ratios;
  const together = (side: "was" | "is"): LatencySample => {
    const samples = pairs.map(({ both }) => both[side]);
    // All were called at the same time.
    return addedUp(samples, samples[0]?.seconds ?? null);
  };
  return [ratioOf(null, { was: together("was"), is: together("is") }, times), ...ratios];
}

/** Of all operations that both answered, which called them as often; null where there are none. */
export function ratioTogether({ was, is }: Both<ServedLatencies>): LatencyRatio | null {
  const together = (side: ServedLatencies): LatencySample => addedUp([...side.byOperation.values()], null);
  return is.byOperation.size === 0 ? null : ratioOf(null, { was: together(was), is: together(is) }, undefined);
}

/** Null for what isn't surely another, or by too little to matter. */
export function speedOf({ isReported, p50, p95 }: LatencyRatio): "slower" | "faster" | null {
  if (!isReported) return null;
  const isAbove = ({ from }: Ratio): boolean => from !== null && from > 1;
  return isAbove(p95) || isAbove(p50) ? "slower" : "faster";
}

/** Why a p95 has no interval. */
function tooFewText(loads: Both<LoadFigures> | null): string {
  const isShort = loads !== null && secondsInPhases(loads.was.phases) < fewestSecondsForP95;
  return isShort
    ? `the baseline's load is too short: a p95 needs ${fewestSecondsForP95} s`
    : `too few answers: the baseline needs ${fewestForP95} of an operation`;
}

export const nameOfRatio = ({ operation }: Pick<LatencyRatio, "operation">): string => operation ?? "all operations";

/** @param unsure why no latency says anything; null where they do @param tooFew why a p95 says nothing */
function slownessBoundOf(
  times: number,
  ratios: readonly LatencyRatio[],
  { unsure, tooFew }: { readonly unsure: string | null; readonly tooFew: string },
): SlownessBound {
  const isAny = (wanted: LatencyRatio["bound"]): boolean => ratios.some(({ bound }) => bound === wanted);
  if (unsure === null && isAny("exceeded")) return { times, verdict: "exceeded", reason: null };
  if (unsure === null && (isAny("kept") || isAny("unsure"))) return { times, verdict: "kept", reason: null };
  return { times, verdict: "unjudged", reason: unsure ?? tooFew };
}

/** An exceeded bound fails like a broken requirement; where nothing could be held against it, nothing is green. */
const exitCodeBeside = (code: Pair["exitCode"], bound: SlownessBound | null): Pair["exitCode"] =>
  code === 1 || bound?.verdict === "exceeded" ? 1 : bound?.verdict === "unjudged" ? 3 : code;

const mostNamed = 4;

function named(ratios: readonly LatencyRatio[]): string {
  const { shown, rest } = fewOf(ratios.map(nameOfRatio), mostNamed);
  return [...shown, ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
}

/** What couldn't be compared. */
function notesOn(
  ratios: readonly LatencyRatio[],
  { latencies: sides, loads }: LatencySides,
  times: number | undefined,
): readonly string[] {
  const those = (wanted: LatencyRatio["bound"]): readonly LatencyRatio[] =>
    ratios.filter(({ bound }) => bound === wanted);
  const [unjudged, unsure] = [those("unjudged"), those("unsure")] as const;
  const { was, is } = { was: [...sides.was.byOperation.keys()], is: [...sides.is.byOperation.keys()] };
  const lone = [...was.filter((name) => !is.includes(name)), ...is.filter((name) => !was.includes(name))];
  return [
    ...(lone.length > 0 ? [`Served in only one of the two, so not compared: ${lone.join(", ")}.`] : []),
    ...(unjudged.length > 0 ? [`Not held against ${times} × (${tooFewText(loads)}): p95 of ${named(unjudged)}.`] : []),
    ...(unsure.length > 0
      ? [`Perhaps above ${times} ×, but not surely (more answers would tell): p95 of ${named(unsure)}.`]
      : []),
  ];
}

/**
 * The pair with what its loads, or latencies, say.
 * @param measurement null where latencies aren't compared by ratios
 * @param times the bound of `--slower`
 */
export function measuredUnder(pair: Pair, measurement: LatencySides | null, times?: number): Pair {
  if (measurement === null) return pair;
  const { latencies, loads } = measurement;
  const load = loads === null ? null : loadChangeBetween(loads.was, loads.is);
  const reasons = [latencies.was.unsure, latencies.is.unsure].flatMap((reason) => reason ?? []);
  const isSameMix = load === null || !load.differs.includes("mix");
  const latencyRatios = reasons.length > 0 ? [] : latencyRatiosOf(latencies, isSameMix, times);
  const unsure =
    reasons.length > 0
      ? [...new Set(reasons)].join("; ")
      : latencyRatios.length === 0
        ? "no operation was served in both"
        : null;
  const bound =
    times === undefined ? null : slownessBoundOf(times, latencyRatios, { unsure, tooFew: tooFewText(loads) });
  return {
    ...pair,
    exitCode: exitCodeBeside(pair.exitCode, bound),
    latencyRatios,
    ...(load === null ? {} : { load }),
    ...(bound === null ? {} : { bound }),
    notes: [
      ...pair.notes,
      ...(unsure === null ? [] : [`Latency isn't compared: ${unsure}.`]),
      ...notesOn(latencyRatios, measurement, times),
    ],
  };
}
