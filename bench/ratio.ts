// Measured ratios with their bounds, and figures without

export interface Ratio {
  readonly name: string;
  readonly measured: number;
  readonly bound: { readonly atLeast: number } | { readonly atMost: number };
  /** The unit of values that aren't ratios. */
  readonly unit?: "MB" | "ms" | "requests";
}

/** A time or pace without a bound, as it depends on the machine. */
export interface Figure {
  readonly name: string;
  readonly measured: number;
  readonly unit: "cases per second" | "requests" | "requests per second" | "s";
}

export const figureLine = ({ name, measured, unit }: Figure): string =>
  `measured ${name}: ${measured.toFixed(unit === "s" ? 1 : 0)} ${unit}`;

export const isWithinBound = ({ measured, bound }: Ratio): boolean =>
  "atLeast" in bound ? measured >= bound.atLeast : measured <= bound.atMost;

export function lineOf(ratio: Ratio): string {
  const { name, measured, bound, unit = "times" } = ratio;
  const limit = "atLeast" in bound ? `at least ${bound.atLeast}` : `at most ${bound.atMost}`;
  return `${isWithinBound(ratio) ? "within" : "BEYOND"}   ${name}: ${measured.toFixed(2)} ${unit} (${limit})`;
}
