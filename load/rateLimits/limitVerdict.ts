// What does an experiment say of the limit? Broken and held name the request that shows it.
import type { Sample } from "./samples.ts";

export type Verdict<S extends Sample = Sample> =
  | { readonly is: "held"; readonly shownBy: S }
  | { readonly is: "broken"; readonly expected: string; readonly got: string; readonly shownBy: S }
  /** Ours or the network's: nothing is said of the platform. */
  | { readonly is: "unclear"; readonly why: string }
  /** It can't be judged here, or behind what is broken elsewhere. */
  | { readonly is: "hidden"; readonly why: string };

export const unclear = (why: string): { readonly is: "unclear"; readonly why: string } => ({ is: "unclear", why });
export const hidden = (why: string): { readonly is: "hidden"; readonly why: string } => ({ is: "hidden", why });

export const brokenBy = <S extends Sample>(shownBy: S | undefined, expected: string, got: string): Verdict<S> =>
  shownBy ? { is: "broken", expected, got, shownBy } : unclear("nothing was sent");

export const heldBy = <S extends Sample>(shownBy: S | undefined): Verdict<S> =>
  shownBy ? { is: "held", shownBy } : unclear("nothing was sent");

/** For people: `0.12 s`. */
export const seconds = (duration_ms: number): string => `${(duration_ms / 1000).toFixed(2)} s`;
