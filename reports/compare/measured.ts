// Measured figures that changed, corrected for chance and for the number of comparisons.
import { median, quantile } from "simple-statistics";
import type { Both, ComparedFigures, ComparedMeasure } from "./comparedFigures.ts";
import { corrected, shiftBetween } from "./statistics.ts";

/** The chance that one comparison reports any change where there is none. */
export const falseAlarms = 0.01;

/** With fewer values no change is significant at that level once corrected. */
export const fewestMeasured = 8;

/** Neither run's values are none. */
export interface BothSamples<Of> extends Both<readonly number[]> {
  readonly of: Of;
  /** A smaller shift isn't reported: at least so much, and at least that share of the median before. */
  readonly smallest: { readonly by: number; readonly share: number };
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000;

function figuresOf(values: readonly number[]): ComparedFigures {
  const all = [...values];
  return { count: values.length, median: rounded(median(all)), p95: rounded(quantile(all, 0.95)) };
}

/** All of one family: corrected together, and with intervals that hold together. */
export function measuredOf<Of>(family: readonly BothSamples<Of>[]): readonly (Of & ComparedMeasure)[] {
  const isTestable = ({ was, is }: BothSamples<Of>): boolean => Math.min(was.length, is.length) >= fewestMeasured;
  const tested = family.filter(isTestable);
  const confidence = 1 - falseAlarms / Math.max(1, tested.length);
  const shifts = tested.map(({ was, is }) => shiftBetween(was, is, confidence));
  const ps = corrected(shifts.map(({ p }) => p));
  return family.map((one) => {
    const index = tested.indexOf(one);
    const found = shifts[index];
    const p = ps[index] ?? 1;
    const was = figuresOf(one.was);
    const is = figuresOf(one.is);
    if (!found) return { ...one.of, was, is, shift: null, isReported: false };
    const least = Math.max(one.smallest.by, one.smallest.share * was.median);
    // The whole interval lies beyond the smallest shift.
    const isReported = p < falseAlarms && (found.from >= least || found.to <= -least);
    const shift = { by: rounded(found.by), from: rounded(found.from), to: rounded(found.to), p };
    return { ...one.of, was, is, shift, isReported };
  });
}
