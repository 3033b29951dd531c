// Samples of limiters typed as text, and what an algorithm leaves unexplained of them
import type { FitsOf } from "../../load/rateLimits/countingFits.ts";
import { evidenceOf } from "../../load/rateLimits/evidence.ts";
import type { Outcome, Sample } from "../../load/rateLimits/samples.ts";

const outcomes = { S: "served", R: "refused", U: "undocumented", F: "failed" } as const satisfies {
  readonly [letter: string]: Outcome;
};

/** `SSR@0 S@1000`: two served and one refused at once, and one served a second later; each took so long. */
export const timed = (text: string, took_ms = 0): readonly Sample[] =>
  [...text.matchAll(/([SRUF]+)@(\d+)/g)].flatMap(([, letters = "", at = ""]) =>
    [...letters].map((letter) => ({
      sent_ms: Number(at),
      received_ms: Number(at) + took_ms,
      outcome: outcomes[letter as keyof typeof outcomes],
    })),
  );

/** So many unexplained decisions refute a limit. */
const refuting = 3;

export type Unexplained = number | "refuted";

/** Limits of so many in so long, and how many decisions each leaves unexplained. */
export type Limits = readonly (readonly [served: number, length_ms: number, unexplained: Unexplained])[];

/** What limits leave unexplained, in the order and the form of a table. */
export function unexplainedBy(fitsOf: FitsOf, experiments: readonly string[], limits: Limits): Limits {
  const fits = [...fitsOf(evidenceOf(experiments.map((text) => timed(text))), refuting)];
  return limits.map(([served, length_ms]) => {
    const those = fits.filter((fit) => fit.served === served && fit.least_ms <= length_ms && length_ms <= fit.most_ms);
    return [served, length_ms, those.length === 0 ? "refuted" : Math.min(...those.map((fit) => fit.unexplained))];
  });
}

/** A row of such a table: what was seen, in one experiment or several, and limits. */
export type FitRow = readonly [title: string, experiments: string | readonly string[], limits: Limits];
