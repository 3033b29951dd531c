// Rank statistics: shift, confidence interval and significance, whatever the distribution.
import { errorFunction, median, probit, wilcoxonRankSum } from "simple-statistics";

/** By how much values shifted: above zero, the later ones are larger. */
export interface Shift {
  /** Hodges–Lehmann: the median of all differences between a later and an earlier value. */
  readonly by: number;
  /** The shift's interval at the given confidence. */
  readonly from: number;
  readonly to: number;
  /** Two-sided, Mann–Whitney, before any correction for the number of comparisons. */
  readonly p: number;
}

/** More values of a run are thinned out evenly: all pairs are compared. */
const most = 400;

function thinned(figures: readonly number[]): readonly number[] {
  const upTo = (nth: number): number => Math.floor((nth * most) / figures.length);
  return figures.filter((_, nth) => upTo(nth + 1) > upTo(nth));
}

/**
 * Hollander & Wolfe, Nonparametric Statistical Methods, §4.1 to §4.3, by the normal approximation, ties counted.
 * @param confidence of the interval, e.g. 0.99
 */
export function shiftBetween(earlier: readonly number[], later: readonly number[], confidence: number): Shift {
  const before = thinned(earlier);
  const after = thinned(later);
  const differences = after.flatMap((one) => before.map((other) => one - other)).sort((a, b) => a - b);
  const count = differences.length;
  const reach = probit((1 + confidence) / 2) * Math.sqrt(varianceOf(before, after));
  // How many differences lie beyond either end.
  const beyond = Math.max(0, Math.floor(count / 2 - reach));
  const by = median(differences);
  const [from = by] = differences.slice(beyond);
  const [to = by] = differences.slice(count - 1 - beyond);
  return { by, from, to, p: rankTest(before, after) };
}

/** Two-sided, with continuity correction. */
export function rankTest(some: readonly number[], others: readonly number[]): number {
  const u = wilcoxonRankSum([...some], [...others]) - (some.length * (some.length + 1)) / 2;
  const variance = varianceOf(some, others);
  if (variance === 0) return 1;
  const z = Math.max(0, Math.abs(u - (some.length * others.length) / 2) - 0.5) / Math.sqrt(variance);
  return Math.min(1, Math.max(0, 1 - errorFunction(z / Math.SQRT2)));
}

/** The variance of Mann and Whitney's U where both come from one distribution. */
function varianceOf(some: readonly number[], others: readonly number[]): number {
  const all = some.length + others.length;
  const sizes = new Map<number, number>();
  for (const figure of [...some, ...others]) sizes.set(figure, (sizes.get(figure) ?? 0) + 1);
  const ties = [...sizes.values()].reduce((total, size) => total + size ** 3 - size, 0);
  return ((some.length * others.length) / 12) * (all + 1 - ties / (all * (all - 1)));
}

/** Holm's step-down correction: a level holds for all comparisons together. In the order given. */
export function corrected(ps: readonly number[]): readonly number[] {
  let highest = 0;
  return ps
    .map((p, index) => ({ p, index }))
    .sort((a, b) => a.p - b.p)
    .map(({ p, index }, rank) => ({ index, p: (highest = Math.min(1, Math.max(highest, p * (ps.length - rank)))) }))
    .sort((a, b) => a.index - b.index)
    .map(({ p }) => p);
}

/** The probability that all of so many marked ones are among the first, were they distributed at random over both. */
export function chanceOfAll(marked: number, first: number, second: number): number {
  let chance = 1;
  for (let nth = 0; nth < marked; nth += 1) chance *= (first - nth) / (first + second - nth);
  return chance;
}
