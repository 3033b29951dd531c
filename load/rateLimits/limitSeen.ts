// What a user acts on of a limit: how many in how long, how many at once, whether its window is fixed or slides
import { measuredLimitText } from "../../harness/model/measuredLimit.ts";
import { groupsOf } from "./bursts.ts";
import { burstSize, type Experiment, idle_ms, longestBurst_ms } from "./experiments.ts";
import { bucket, fixed, fixedFromFirst, type LimiterModel, type Make, slidingLog, weighted } from "./limiterModels.ts";
import { countOutcomes, latency_ms, type Sample, sending_ms } from "./samples.ts";

/** An experiment, with its samples in the order of its requests. */
export type SentExperiment = readonly [experiment: Experiment, seen: readonly Sample[]];

/** Places become free each a window after its request, or all when a window ends, or one after another. */
export type LimitWindow = "slides" | "fixed" | "refills steadily";

/** Requests of an experiment that follow one another: of a burst, or of a rate from its first on. */
interface Span {
  readonly from: number;
  readonly to: number;
  /** Whether all were sent at once, after a rest. */
  readonly isRested: boolean;
  /** So many were served, without those that were late and may have met another window. */
  readonly least: number;
  /** No more were, even if those that failed were. */
  readonly most: number;
}

interface Decisions {
  readonly sent_ms: readonly number[];
  readonly spans: readonly Span[];
}

const late_ms = 100;

function decisionsIn([experiment, seen]: SentExperiment): Decisions {
  const inTime_ms = Math.min(...seen.map(latency_ms)) + late_ms;
  const sent_ms = seen.map((sample) => sample.sent_ms);
  const spans: Span[] = [];
  let from = 0;
  for (const group of groupsOf(experiment, seen).values()) {
    const rest_ms = (sent_ms[from] ?? 0) - (sent_ms[from - 1] ?? Number.NEGATIVE_INFINITY);
    const isRested = rest_ms > idle_ms - late_ms && sending_ms(group) < longestBurst_ms;
    for (let size = Math.min(burstSize, group.length); size <= group.length; size += burstSize) {
      const samples = group.slice(0, size);
      const inTime = samples.filter((sample) => latency_ms(sample) <= inTime_ms);
      const least = countOutcomes(inTime, "served");
      const most = countOutcomes(samples, "served", "failed");
      spans.push({ from, to: from + size, isRested, least, most });
    }
    from += group.length;
  }
  return { sent_ms, spans };
}

/** Fewer than a burst has. */
const mayBeAtOnce = Array.from({ length: burstSize - 1 }, (_, nth) => nth + 1);

/**
 * After each rest so many of a burst are served, and all of fewer; no other number explains that.
 * @param odd bursts that may have met two windows
 */
function servedAtOnce(spans: readonly Span[], odd: number): number | null {
  const rested = spans.filter(({ isRested }) => isRested);
  if (rested.filter(({ from, to, most }) => most < to - from).length < 3) return null;
  const explaining = mayBeAtOnce.filter((number) => {
    const others = rested.filter(({ from, to, least, most }) => {
      const expected = Math.min(number, to - from);
      return expected < least || expected > most;
    });
    return others.length <= odd && others.every(({ least }) => least > number);
  });
  return (explaining.length === 1 && explaining[0]) || null;
}

/** How many of the first requests a limiter serves, by their number. */
function servedBy(limiter: LimiterModel, sent_ms: readonly number[]): readonly number[] {
  const served = [0];
  for (const [nth, at_ms] of sent_ms.entries())
    served.push((served[nth] ?? 0) + (limiter({ at_ms, project: 0, key: 0, connection: 0 }) === null ? 0 : 1));
  return served;
}

/** How many decisions neither of two neighbours explains, nor any between them, for each two of a row of limiters. */
function unexplainedBetween({ sent_ms, spans }: Decisions, limiters: readonly LimiterModel[]): readonly number[] {
  const served = limiters.map((limiter) => servedBy(limiter, sent_ms));
  return served.slice(1).map((after, nth) => {
    const before = served[nth] ?? after;
    return spans.reduce((total, { from, to, least, most }) => {
      const [some, others] = [before, after].map((those) => (those[to] ?? 0) - (those[from] ?? 0)) as [number, number];
      return total + Math.max(0, least - Math.max(some, others), Math.min(some, others) - most);
    }, 0);
  });
}

/** A kind of limiter with a window of a length between two. */
interface Fit {
  readonly window: LimitWindow;
  readonly least_ms: number;
  readonly most_ms: number;
  readonly unexplained: number;
}

type MakeOf = (most: number, length_ms: number) => Make;

const earning: MakeOf = (most, length_ms) => bucket(most, (1_000 * most) / length_ms);

/** Limiters whose windows are where requests are. */
const following: readonly (readonly [window: LimitWindow, makeOf: MakeOf])[] = [
  ["slides", (most, length_ms) => slidingLog(most, { length_ms })],
  ["fixed", fixedFromFirst],
  ["refills steadily", earning],
];

/** Limiters whose windows begin at set times, on a clock that isn't known. */
const clocked: readonly (readonly [window: LimitWindow, makeOf: MakeOf])[] = [
  ["slides", weighted],
  ["fixed", fixed],
];

/** Lengths of windows that people choose. */
const usualLengths_ms = [100, 200, 250, 500, 1_000, 1_500, 2_000, 2_500, 3_000];

/** Or the bucket earns a whole number per second. */
const usualFor = (window: LimitWindow, most: number): readonly number[] =>
  window === "refills steadily" ? Array.from({ length: 12 }, (_, nth) => (1_000 * most) / (nth + 1)) : usualLengths_ms;

/** From 0.1 s to 3 s, each 3 % longer than the one before. */
const lengths_ms = Array.from({ length: 117 }, (_, nth) => 100 * 1.03 ** nth);
/** Where within a window the clock may be. */
const phases = Array.from({ length: 21 }, (_, nth) => nth / 20);

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** So many decisions may stay unexplained; a limiter is out where it leaves so many more than the best. */
const mostUnexplained = 2;
const margin = 3;

function* fitsOf(experiments: readonly Decisions[], most: number): Generator<Fit> {
  for (const [window, makeOf] of following) {
    const limiters = () => lengths_ms.map((length_ms) => makeOf(most, length_ms)(0));
    const unexplained = experiments.map((decisions) => unexplainedBetween(decisions, limiters()));
    for (const [nth, most_ms] of lengths_ms.slice(1).entries()) {
      const least_ms = lengths_ms[nth] ?? most_ms;
      yield { window, least_ms, most_ms, unexplained: sum(unexplained.map((each) => each[nth] ?? 0)) };
    }
  }
  for (const [window, makeOf] of clocked)
    for (const length_ms of usualLengths_ms) {
      const limiters = () => phases.map((phase) => makeOf(most, length_ms)(phase * length_ms));
      let unexplained = 0;
      // Clocks aren't compared, as windows may begin elsewhere in each experiment. Excluded models stay excluded.
      for (const decisions of experiments)
        if (unexplained < mostUnexplained + margin)
          unexplained += Math.min(...unexplainedBetween(decisions, limiters()));
      yield { window, least_ms: length_ms, most_ms: length_ms, unexplained };
    }
}

/** The one usual length that is among the best fits, where no other is among all. */
function lengthOf(window: LimitWindow, most: number, { fits, fewest }: { fits: readonly Fit[]; fewest: number }) {
  const usualIn = (fits: readonly Fit[]): readonly number[] =>
    usualFor(window, most).filter((length_ms) =>
      fits.some(({ least_ms, most_ms }) => least_ms <= length_ms && length_ms <= most_ms),
    );
  const [length_ms] = usualIn(fits.filter(({ unexplained }) => unexplained === fewest));
  return (usualIn(fits).length === 1 && length_ms) || null;
}

/** What one run shows of a limit; null where another run could show something else. */
export interface LimitSeen {
  readonly atOnce: number | null;
  readonly length_ms: number | null;
  readonly window: LimitWindow | null;
}

/** Sends known limiters the same requests, and tells what all those agree on that decide as it was decided. */
export function limitSeen(experiments: readonly SentExperiment[]): LimitSeen {
  const decisions = experiments.map(decisionsIn);
  const spans = decisions.flatMap((each) => each.spans);
  const onlyAtOnce = { atOnce: servedAtOnce(spans, 0), length_ms: null, window: null };
  const atOnce = servedAtOnce(spans, 1);
  if (atOnce === null) return onlyAtOnce;
  const all = [...fitsOf(decisions, atOnce)];
  const fewest = Math.min(...all.map(({ unexplained }) => unexplained));
  const fits = all.filter(({ unexplained }) => unexplained < fewest + margin);
  const [window, ...others] = new Set(fits.map((fit) => fit.window));
  if (fewest > mostUnexplained || !window || others.length > 0) return onlyAtOnce;
  const length_ms = lengthOf(window, atOnce, { fits, fewest });
  return length_ms === null ? onlyAtOnce : { atOnce, length_ms, window };
}

const unknown = "can't be told";
const none = "none: nothing was refused";

/** The limit that was recognised, in words. */
export function limitInWords(experiments: readonly SentExperiment[]) {
  const seen = experiments.flatMap(([, samples]) => samples);
  if (countOutcomes(seen, "served") === seen.length)
    return { limit: none, atOnce: `${burstSize} or more`, window: none };
  const { atOnce, length_ms, window } = limitSeen(experiments);
  const isKnown = atOnce !== null && length_ms !== null;
  return {
    limit: isKnown ? measuredLimitText({ most: atOnce, window_s: Math.round(length_ms / 10) / 100 }) : unknown,
    atOnce: atOnce ?? unknown,
    window: window ?? unknown,
  };
}
