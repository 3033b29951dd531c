// What was measured, and is it within its bound?

export interface Ratio {
  readonly name: string;
  readonly measured: number;
  readonly bound: { readonly atLeast: number } | { readonly atMost: number };
  /** What both were measured in, where it isn't one divided by the other. */
  readonly unit?: "MB" | "requests";
}

/** A time or a pace, of which nothing is asked: on another day the machine has other things to do. */
export interface Figure {
  readonly name: string;
  readonly measured: number;
  readonly unit: "cases per second" | "s";
}

export const figureLine = ({ name, measured, unit }: Figure): string =>
  `told    ${name}: ${measured.toFixed(unit === "s" ? 1 : 0)} ${unit}`;

export const isKept = ({ measured, bound }: Ratio): boolean =>
  "atLeast" in bound ? measured >= bound.atLeast : measured <= bound.atMost;

export function lineOf(ratio: Ratio): string {
  const { name, measured, bound, unit = "times" } = ratio;
  const limit = "atLeast" in bound ? `at least ${bound.atLeast}` : `at most ${bound.atMost}`;
  return `${isKept(ratio) ? "kept  " : "BROKEN"}  ${name}: ${measured.toFixed(2)} ${unit} (${limit})`;
}

/** The middle one; of an even number the upper of the two. */
export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
