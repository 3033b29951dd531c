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
  if (figures.length <= most) return figures;
  return Array.from({ length: most }, (_, nth) => figures[Math.floor((nth * figures.length) / most)] ?? 0);
}

/**
 * Hollander & Wolfe, Nonparametric Statistical Methods, §4.1 to §4.3, by the normal approximation, ties counted.
 * @param confidence of the interval, e.g. 0.99
 */
export function shiftBetween(earlier: readonly number[], later: readonly number[], confidence: number): Shift {
  const [before, after] = [thinned(earlier), thinned(later)];
  const differences = after.flatMap((one) => before.map((other) => one - other)).sort((a, b) => a - b);
  const count = differences.length;
  const reach = probit((1 + confidence) / 2) * Math.sqrt(varianceOf(before, after));
  // How many differences lie beyond either end.
  const beyond = Math.max(0, Math.floor(count / 2 - reach));
  return {
    by: median(differences),
    from: differences[beyond] ?? 0,
    to: differences[count - 1 - beyond] ?? 0,
    p: rankTest(before, after),
  };
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
  const adjusted = new Array<number>(ps.length).fill(1);
  let highest = 0;
  const order = ps.map((p, index) => ({ p, index })).sort((a, b) => a.p - b.p);
  for (const [rank, { p, index }] of order.entries()) {
    highest = Math.min(1, Math.max(highest, p * (ps.length - rank)));
    adjusted[index] = highest;
  }
  return adjusted;
}

/** The probability that all of so many marked ones are among the first, were they distributed at random over both. */
export function chanceOfAll(marked: number, first: number, second: number): number {
  let chance = 1;
  for (let nth = 0; nth < marked; nth += 1) chance *= Math.max(0, first - nth) / (first + second - nth);
  return chance;
}
