// Change points of latencies over nights: a large step is named at once, a small one once it has lasted
import { errorFunction, median, quantile } from "simple-statistics";
import { corrected } from "../compare/statistics.ts";

/** One percentile over nights, in ms; null where a night has none. */
export interface Series {
  readonly operation: string;
  readonly percentile: "p50" | "p95";
  readonly figures: readonly (number | null)[];
  /** From how many answers each figure is; many where it isn't said. */
  readonly counts?: readonly number[];
}

export interface ChangePoint extends Pick<Series, "operation" | "percentile"> {
  /** The first night of the new level. */
  readonly night: number;
  /** The night that showed it. */
  readonly named: number;
  /** Medians before it, and on its first nights. */
  readonly was: number;
  readonly is: number;
  /** Corrected for all series of the night. */
  readonly p: number;
  /** The night on which it was as before again, soon: a busy spell. Null where it wasn't. */
  back: number | null;
}

/**
 * A sequential test with thresholds by size (after Wald): a step is named once it has lasted so many nights by at least
 * this factor; the weakest of them may be smaller. Busy nights are up to 2.4 times as slow in the noise of the tests,
 * so that one of 5 times, or two of 2.4 times, are no busy nights; a small step has to last. Nights of few answers, or
 * of weekends, differ among themselves by as much as a small step: that shows where it has lasted for longer.
 */
const stages = [
  { nights: 1, factor: 5, weakest: 5 },
  { nights: 2, factor: 2.4, weakest: 2.4 },
  { nights: 4, factor: 1.18, weakest: 1.1 },
  { nights: 9, factor: 1.12, weakest: 1 },
  { nights: 12, factor: 1.12, weakest: 1 },
] as const;
type Stage = (typeof stages)[number];
const lasting = stages[2].nights;
/** A step that is named after longer is at least this factor in the median. */
const smallestAtLast = 1.25;
/** How often a night without a change may show one in any series: once in ten years, were nights normal. */
const chance = 3e-4;
/** A level is that of a week, as weekends differ; older nights are left out, as latencies drift. */
const mostBefore = 7;
/** Nights by whose differences a level's spread is known. */
const mostSpread = 28;
const mostKnown = mostSpread + 8;
/** Nights that make a level. */
export const fewestBefore = 2;
/** Less isn't worth naming, in ms. */
const smallest_ms = 1;
/** Scheduling and timers alone cost so much, in ms: what is faster than that varies by factors. */
const floor_ms = 0.5;
/**
 * Two nights don't show their spread. So nights are expected to differ by this share, as if so many more had shown it:
 * a drift of a tenth and ±3 % of noise, as in the tests, have a standard deviation of 7 %, of which half is slow.
 */
const prior = { spread: 0.06, nights: 4 } as const;
/** The standard deviation of the logarithms of a night's latencies, as of a service that waits for nothing else. */
const spreadOfAnswers = 0.5;
/** The standard error of a quantile of normal values, in their spreads, times the root of their number. */
const errorOf = { p50: 1.25, p95: 2.11 } as const;
/** The p95 of fewer answers is one or two of them: large steps of it have to last, too. */
const fewestForTail = 200;
/** Nights differ at least so much among themselves, as a share. */
const leastSpread = 0.03;
/** By how many spreads each night of a small step is beyond the level, or their median where it has lasted longer. */
const beyond = 2.5;
/** How far the two weakest nights of a new level may differ, in spreads. */
const agreeing = 4;
/** A night is busy if all series are slower by this share. */
const smallestShared = 0.15;
/** Logarithms of the nights of a shared level differ by less than that, once it has lasted longer. */
const mostUneven = 0.25;

/** A figure as its logarithm, and by how much that night was busier for all series. */
interface Known {
  readonly night: number;
  readonly log: number;
  readonly shared: number;
  readonly count: number;
}

const own = ({ log, shared }: Known): number => log - shared;
const logOf = (figure_ms: number): number => Math.log(figure_ms + floor_ms);
const figureOf = (log: number): number => Math.max(0, Math.exp(log) - floor_ms);

type Percentile = Series["percentile"];

/** Of a level's nights: what they show, weighed with what is expected. */
function spreadOf(nights: readonly Known[], percentile: Percentile): number {
  const steps = nights.slice(1).map((night, nth) => own(night) - own(nights[nth] ?? night));
  const seen = steps.length === 0 ? 0 : (1.4826 * median(steps.map(Math.abs))) / Math.SQRT2;
  const sampling = (errorOf[percentile] * spreadOfAnswers) ** 2 / median(nights.map(({ count }) => count));
  const expected = prior.spread ** 2 + sampling;
  const all = nights.length + prior.nights;
  return Math.max(leastSpread, Math.sqrt((nights.length * seen ** 2 + prior.nights * expected) / all));
}

interface Candidate extends Pick<ChangePoint, "night" | "was" | "is" | "p"> {
  readonly stage: Stage;
}

/** Compares the last nights with those before, by medians, which a busy night in ten doesn't move. */
function candidateAt(known: readonly Known[], percentile: Percentile, stage: Stage): Candidate | null {
  const last = known.slice(-stage.nights);
  const earlier = known.slice(0, -stage.nights).slice(-mostSpread);
  const quiet = earlier.filter(({ shared }) => shared === 0);
  const all = quiet.length < fewestBefore ? earlier : quiet;
  const before = all.slice(-mostBefore);
  const [first] = last;
  if (!first || last.length < stage.nights || before.length < fewestBefore) return null;
  if (stage.nights < lasting && percentile === "p95" && last.some(({ count }) => count < fewestForTail)) return null;
  const were = before.map(own);
  const was = median(were);
  const shift = median(last.map((night) => own(night) - was));
  const sign = Math.sign(shift);
  // Busy nights are slower, never faster. So a level that falls must have lasted as long as one that rises, and its
  // quietest nights count.
  if (sign < 0 && before.length < stage.nights) return null;
  const reached = sign < 0 ? quantile(were, 0.15) : was;
  const grown = last.map((night) => sign * (own(night) - reached)).sort((a, b) => a - b);
  const [weakest = 0, weak = weakest] = grown;
  const wasFigure = figureOf(was);
  const is = figureOf(was + shift);
  const isSmall = weakest < Math.log(stage.weakest) || weak < Math.log(stage.factor);
  if (isSmall || Math.abs(is - wasFigure) < smallest_ms) return null;
  const spread = spreadOf(all, percentile);
  // What a night of the level has reached before is no step for a night or two.
  const isKnown = weakest <= Math.max(...all.map((night) => sign * (own(night) - was)));
  // Busy nights differ more among themselves than the nights of a level.
  const isUneven = weakest < beyond * spread || weak - weakest > agreeing * spread;
  const isFaint = Math.abs(shift) < Math.max(Math.log(smallestAtLast), beyond * spread);
  if (stage.nights < lasting ? isKnown : stage.nights === lasting ? isUneven : isFaint) return null;
  // The error of a median of normal values is 1.2533 times that of their mean.
  const z = Math.abs(shift) / (1.2533 * spread * Math.sqrt(1 / last.length + 1 / before.length));
  return { night: first.night, was: wasFigure, is, p: Math.max(0, 1 - errorFunction(z / Math.SQRT2)), stage };
}

interface Level {
  readonly of: Pick<Series, "operation" | "percentile">;
  known: readonly Known[];
  /** Before the last point, while that is young. */
  before: { readonly point: ChangePoint; readonly known: readonly Known[] } | null;
}

/** By how much all series differ from their levels on a night; 0 where that is no more than drift. */
function sharedOf(nights: readonly { readonly level: Level; readonly log: number }[]): number {
  const shifts = nights.flatMap(({ level: { known }, log }) =>
    known.length >= fewestBefore ? [log - median(known.map(own))] : [],
  );
  const shared = shifts.length === 0 ? 0 : median(shifts);
  return Math.abs(shared) < Math.log(1 + smallestShared) ? 0 : shared;
}

/** How many of the last nights' shared shifts are a new level of all series, not a busy spell. */
function sharedLevel(shares: readonly number[]): number {
  const found = stages.find(({ nights, factor }) => {
    const last = shares.slice(-nights);
    if (last.length < nights || last.some((shared) => shared === 0)) return false;
    if (last.some((shared) => Math.sign(shared) !== Math.sign(last[0] ?? 0))) return false;
    if (nights < lasting) return last.every((shared) => Math.abs(shared) >= Math.log(factor));
    return Math.max(...last) - Math.min(...last) <= (nights === lasting ? agreeing * leastSpread : mostUneven);
  });
  return found?.nights ?? 0;
}

/** A spell that ends within a few nights was busy: its nights belong to the level before. */
function takeBack(level: Level, night: number): boolean {
  const { before, known } = level;
  const last = known.at(-1);
  if (!before || !last) return false;
  if (known.length > lasting) {
    level.before = null;
    return false;
  }
  const was = logOf(before.point.was);
  const is = logOf(before.point.is);
  if (Math.abs(own(last) - was) > Math.abs(is - was) / 3) return false;
  before.point.back = night;
  level.known = [...before.known, ...known].slice(-mostKnown);
  level.before = null;
  return true;
}

/** Night by night, as they come: what later nights show adds only that a step was taken back. */
export function changePointsIn(series: readonly Series[]): readonly ChangePoint[] {
  const levels = series.map(
    ({ operation, percentile }): Level => ({ of: { operation, percentile }, known: [], before: null }),
  );
  const found: ChangePoint[] = [];
  let shares: readonly number[] = [];
  for (let night = 0; night < Math.max(0, ...series.map(({ figures }) => figures.length)); night += 1) {
    const nights = levels.flatMap((level, nth) => {
      const figure = series[nth]?.figures[night] ?? null;
      const count = series[nth]?.counts?.[night] ?? 1_000;
      return figure === null ? [] : [{ level, log: logOf(figure), count }];
    });
    if (nights.length === 0) continue;
    const shared = sharedOf(nights);
    shares = [...shares, shared].slice(-stages[4].nights);
    const isShared = sharedLevel(shares) > 0;
    const from = shares.length - sharedLevel(shares);
    for (const { level, log, count } of nights) {
      const known = [...level.known, { night, log, shared, count }].slice(-mostKnown);
      level.known = known.map((one, nth) => (nth - known.length + shares.length >= from ? { ...one, shared: 0 } : one));
      takeBack(level, night);
    }
    const candidates = nights.flatMap(({ level }) => {
      const [candidate = null] = stages.flatMap((stage) => candidateAt(level.known, level.of.percentile, stage) ?? []);
      return candidate ? [{ level, candidate }] : [];
    });
    const ps = corrected(candidates.map(({ candidate }) => candidate.p));
    for (const [nth, { level, candidate }] of candidates.entries()) {
      // What all show needs no correction for their number.
      const p = isShared ? candidate.p : (ps[nth] ?? 1);
      const { stage: _, ...step } = candidate;
      if (p >= chance) continue;
      const point: ChangePoint = { ...level.of, ...step, named: night, p, back: null };
      found.push(point);
      level.before = { point, known: level.known.filter((one) => one.night < step.night) };
      level.known = level.known.filter((one) => one.night >= step.night);
    }
  }
  return found;
}
