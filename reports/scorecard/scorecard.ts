// Vendors beside each other, criterion by criterion: who is best and worst in what, and never a total.
import type { Tone } from "../document/document.ts";

/** In the order of the table: who is wrong comes first. */
export const criteria = [
  "wrong",
  "stale",
  "backwards",
  "p50",
  "p95",
  "refusals",
  "conformance",
  "limits",
  "price",
  "charges",
] as const;
export type Criterion = (typeof criteria)[number];

/** What one vendor has of a criterion. */
export interface VendorCell {
  readonly text: string;
  /** `broken` where it speaks against the vendor alone. */
  readonly tone: Tone;
  /** Anchors of the page that show it, the nearest first. */
  readonly evidence: readonly string[];
  /** Distinguished from every other vendor of which this is known; a tie and chance are neither. */
  readonly rank: "best" | "worst" | null;
  /** Whether it was measured as those that are ranked. */
  readonly isCompared: boolean;
}

export interface CriterionRow {
  readonly criterion: Criterion;
  /** What stands before it. */
  readonly label: string;
  /** Vendor by vendor; null where nothing is known. */
  readonly cells: readonly (VendorCell | null)[];
}

export interface VendorScorecard {
  readonly names: readonly string[];
  readonly rows: readonly CriterionRow[];
  /** Vendor by vendor: what isn't known of it, and why or what that takes. */
  readonly unknown: readonly (readonly string[])[];
}

/** How one criterion is shown and ranked. */
interface Scoring<Value> {
  readonly label: string;
  readonly textOf: (value: Value) => string;
  readonly toneOf?: (value: Value) => Tone;
  readonly evidenceOf: (vendor: number) => readonly string[];
  /** Of all, unless given: others are shown, and are neither best nor worst. */
  readonly isCompared?: (value: Value) => boolean;
  /** Whether the first is better, and neither by chance nor by too little to matter. */
  readonly isBetter: (one: Value, other: Value) => boolean;
}

/** None where nothing is known of any vendor. @param values vendor by vendor */
export function rankedRow<Value>(
  criterion: Criterion,
  values: readonly (Value | null)[],
  { label, textOf, toneOf = () => "none", evidenceOf, isCompared = () => true, isBetter }: Scoring<Value>,
): readonly CriterionRow[] {
  const known = values.flatMap((value, vendor) => (value === null ? [] : [{ vendor, value }]));
  if (known.length === 0) return [];
  const compared = known.filter(({ value }) => isCompared(value));
  // What reads the same isn't distinguished.
  const isAhead = (one: Value, other: Value): boolean => textOf(one) !== textOf(other) && isBetter(one, other);
  const cells = values.map((value, vendor): VendorCell | null => {
    if (value === null) return null;
    const others = isCompared(value) ? compared.flatMap((one) => (one.vendor === vendor ? [] : [one.value])) : [];
    const isFirst = others.length > 0 && others.every((other) => isAhead(value, other));
    const isLast = others.length > 0 && others.every((other) => isAhead(other, value));
    const rank = isFirst ? "best" : isLast ? "worst" : null;
    const shown = { text: textOf(value), tone: toneOf(value), evidence: evidenceOf(vendor) };
    return { ...shown, rank, isCompared: isCompared(value) };
  });
  return [{ criterion, label, cells }];
}

/** Whether two intervals, or a figure with ends that aren't known, leave something between them. */
export const isIntervalBelow = (one: readonly (number | null)[], other: readonly (number | null)[]): boolean => {
  const [, most = null] = one;
  const [least = null] = other;
  return most !== null && least !== null && most < least;
};
