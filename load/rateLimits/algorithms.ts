// Which algorithms of limiters fit samples, and which one is named: only what would be named again
import { bucketFits, type FitsOf, setWindowFits, slidingLogFits, weightedFits } from "./countingFits.ts";
import { type Evidence, evidenceOf } from "./evidence.ts";
import type { Fit } from "./fits.ts";
import { count, type Sample } from "./samples.ts";
import { blockFits, startedWindowFits } from "./startingFits.ts";

/** Refusals while others may have been in flight: of how many isn't seen. */
const concurrencyFits: FitsOf = function* (all, fewest) {
  let unexplained = 0;
  for (const { refused, perhaps } of all)
    for (const { from_ms, to_ms } of refused.all) if (perhaps.possible(from_ms, to_ms) === 0) unexplained += 1;
  if (unexplained < fewest) yield { served: 1, least_ms: 0, most_ms: 0, unexplained };
};

const eachOf = (...kinds: readonly FitsOf[]): FitsOf =>
  function* (all, fewest) {
    for (const fits of kinds) yield* fits(all, fewest);
  };

/** How each algorithm explains decisions; what no experiment distinguishes has one name. */
export const algorithms = {
  "sliding log": slidingLogFits(false),
  "sliding log that counts what it refuses": slidingLogFits(true),
  "windows from the first request": startedWindowFits,
  "windows at set times": setWindowFits,
  "two weighted windows": eachOf(
    weightedFits({ countsRefused: false, roundsDown: false }),
    weightedFits({ countsRefused: false, roundsDown: true }),
  ),
  "two weighted windows that count what they refuse": eachOf(
    weightedFits({ countsRefused: true, roundsDown: false }),
    weightedFits({ countsRefused: true, roundsDown: true }),
  ),
  bucket: bucketFits,
  "blocks once exceeded": blockFits,
  "so many at once": concurrencyFits,
} as const satisfies { readonly [name: string]: FitsOf };

export type Algorithm = keyof typeof algorithms;

/** So many unexplained decisions refute an algorithm; with fewer it isn't named, but may be the one. */
export const refuting = 3;

/** Of one algorithm, those fits that leave fewest unexplained. */
interface Fitting {
  readonly algorithm: Algorithm;
  readonly unexplained: number;
  readonly fits: readonly Fit[];
}

function fittingTo(evidence: readonly Evidence[]): readonly Fitting[] {
  return (Object.keys(algorithms) as Algorithm[]).flatMap((algorithm) => {
    const fits = [...algorithms[algorithm](evidence, refuting)];
    if (fits.length === 0) return [];
    const unexplained = Math.min(...fits.map((fit) => fit.unexplained));
    return [{ algorithm, unexplained, fits: fits.filter((fit) => fit.unexplained === unexplained) }];
  });
}

/** What samples show of a limiter. */
export interface LimiterSeen {
  /** The one algorithm that explains all, where every other is refuted. */
  readonly named: Algorithm | null;
  /** Where one explains all: those that aren't refuted, the best first. None where nothing was refused. */
  readonly possible: readonly Algorithm[];
  /** Limits of those that explain all, such as `5 in 1 s`. */
  readonly limits: readonly string[];
}

/** @param experiments samples of one caller each; limiters forget between experiments */
export function limiterBehind(experiments: readonly (readonly Sample[])[]): LimiterSeen {
  if (count(experiments.flat(), "refused") === 0) return { named: null, possible: [], limits: [none] };
  const fitting = [...fittingTo(evidenceOf(experiments))].sort((a, b) => a.unexplained - b.unexplained);
  const explaining = fitting.filter(({ unexplained }) => unexplained === 0);
  const [first] = explaining;
  return {
    named: (fitting.length === 1 && first?.algorithm) || null,
    possible: first ? fitting.map(({ algorithm }) => algorithm) : [],
    limits: [...new Set(explaining.flatMap(({ fits }) => limitsIn(fits)))].sort(),
  };
}

const none = "none: nothing was refused";
/** More limits than these are no measurement. */
const mostLimits = 3;

/** What is seen, in words. */
export function wordsOf({ named, possible, limits }: LimiterSeen) {
  const [several, unknown] = ["inconclusive", "none that we know"];
  return {
    limit: limits.length === 0 ? unknown : limits.length > mostLimits ? several : limits.join(" or "),
    algorithm: named ?? (possible.length === 0 ? unknown : `can't be distinguished: ${possible.join(" | ")}`),
  };
}

/** `5 in 1 s`, with the roundest of the lengths that fit. */
function limitsIn(fits: readonly Fit[]): readonly string[] {
  const served = [...new Set(fits.map((fit) => fit.served))];
  return served.map((most) => {
    const those = fits.filter((fit) => fit.served === most);
    const [least_ms, most_ms] = [
      Math.min(...those.map((fit) => fit.least_ms)),
      Math.max(...those.map((fit) => fit.most_ms)),
    ];
    return `${most} in ${roundest(least_ms, most_ms) / 1_000} s`;
  });
}

/** The multiple of the largest step between the two. */
function roundest(least_ms: number, most_ms: number): number {
  for (const step_ms of [60_000, 10_000, 5_000, 1_000, 500, 100, 50, 10]) {
    const multiple_ms = Math.ceil(least_ms / step_ms) * step_ms;
    if (multiple_ms <= most_ms) return multiple_ms;
  }
  return Math.round(least_ms);
}
