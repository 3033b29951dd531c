// Bursts after which a sliding window, a fixed one and a bucket each serve differently
import { burstSize, documentedLimit, type Experiment, idle_ms } from "./experiments.ts";

/**
 * Bursts after a rest: when, and of how many. A window of 5 in 1 s that slides serves 1, 4, 1, 4 · 5, 0, 5 · 4, 1, 4.
 * Each burst is 150 ms at least from the end of a window that an earlier one began. The last trial refuses nothing
 * before its last burst: a limiter that blocks once it is exceeded doesn't yet.
 */
const trials: readonly (readonly (readonly [at_ms: number, size: number])[])[] = [
  [
    [0, 1],
    [600, burstSize],
    [1_300, burstSize],
    [1_950, burstSize],
  ],
  [
    [0, burstSize],
    [800, burstSize],
    [1_300, burstSize],
  ],
  [
    [0, documentedLimit - 1],
    [850, 1],
    [1_300, burstSize],
  ],
];

/** From trial to trial: a rest and more, so that windows at set times begin elsewhere in each. */
const apart_ms = idle_ms + 1_950 + 370;

/** All trials, twice, each after a rest. */
export const spacedBursts: Experiment = [...trials, ...trials]
  .flatMap((bursts, nth) => bursts.map(([at_ms, size]) => ({ at_ms: idle_ms + nth * apart_ms + at_ms, size })))
  .flatMap(({ at_ms, size }, group) =>
    Array.from({ length: size }, (_, connection) => ({ at_ms, connection, group, caller: 0 })),
  );
