// Which measured figures moved, once chance and the number of comparisons are allowed for?
import { median, quantile } from "simple-statistics";
import type { Figures, Measured } from "./comparison.ts";
import { corrected, shiftBetween } from "./statistics.ts";

/** Of all that is told of figures in one comparison, so much is told by chance. */
export const falseAlarms = 0.01;

/** Fewer can't be told apart at that level once they are corrected for. */
const fewest = 8;

export interface Samples<Of> {
  readonly of: Of;
  readonly was: readonly number[];
  readonly is: readonly number[];
  /** A smaller shift isn't worth telling: at least so much, and at least that share of the median before. */
  readonly smallest: { readonly by: number; readonly share: number };
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000;

function figuresOf(values: readonly number[]): Figures {
  const all = values.length > 0 ? [...values] : [0];
  return { count: values.length, median: rounded(median(all)), p95: rounded(quantile(all, 0.95)) };
}

/** All of one family: they are corrected for together, and their intervals hold together. */
export function measuredOf<Of>(family: readonly Samples<Of>[]): readonly (Of & Measured)[] {
  const isTestable = ({ was, is }: Samples<Of>): boolean => Math.min(was.length, is.length) >= fewest;
  const tested = family.filter(isTestable);
  const confidence = 1 - falseAlarms / Math.max(1, tested.length);
  const shifts = tested.map(({ was, is }) => shiftBetween(was, is, confidence));
  const ps = corrected(shifts.map(({ p }) => p));
  return family.map((one) => {
    const index = tested.indexOf(one);
    const [found, p = 1] = [shifts[index], ps[index]];
    const [was, is] = [figuresOf(one.was), figuresOf(one.is)];
    if (!found) return { ...one.of, was, is, shift: null, isReported: false };
    const worth = Math.max(one.smallest.by, one.smallest.share * was.median);
    // The whole interval lies beyond what isn't worth telling.
    const isReported = p < falseAlarms && (found.from >= worth || found.to <= -worth);
    return {
      ...one.of,
      was,
      is,
      shift: { by: rounded(found.by), from: rounded(found.from), to: rounded(found.to), p },
      isReported,
    };
  });
}
