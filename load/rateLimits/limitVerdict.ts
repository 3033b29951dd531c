// Verdicts of experiments on limits; broken and held name the request that shows it
import type { Sample } from "./samples.ts";

export type LimitVerdict<S extends Sample = Sample> =
  | { readonly is: "held"; readonly shownBy: S }
  | { readonly is: "broken"; readonly expected: string; readonly got: string; readonly shownBy: S }
  /** Assay's fault or the network's. */
  | { readonly is: "inconclusive"; readonly why: string }
  /** It can't be judged here, or another breach masks it. */
  | { readonly is: "withheld"; readonly why: string };

export const inconclusive = (why: string): { readonly is: "inconclusive"; readonly why: string } => ({
  is: "inconclusive",
  why,
});
export const withheld = (why: string): { readonly is: "withheld"; readonly why: string } => ({ is: "withheld", why });

export const limitBroken = <S extends Sample>(
  shownBy: S | undefined,
  expected: string,
  got: string,
): LimitVerdict<S> => (shownBy ? { is: "broken", expected, got, shownBy } : inconclusive("nothing was sent"));

export const limitHeld = <S extends Sample>(shownBy: S | undefined): LimitVerdict<S> =>
  shownBy ? { is: "held", shownBy } : inconclusive("nothing was sent");

/** For people: `0.12 s`. */
export const secondsText = (duration_ms: number): string => `${(duration_ms / 1000).toFixed(2)} s`;
