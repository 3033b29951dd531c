// Tests of fits of limiters whose windows or blocks begin with a request, and of which one is named
import { expect, test } from "@playwright/test";
import { algorithms, limiterBehind, wordsOf } from "../../load/rateLimits/algorithms.ts";
import type { FitsOf } from "../../load/rateLimits/countingFits.ts";
import { evidenceOf } from "../../load/rateLimits/evidence.ts";
import { blockFits, startedWindowFits } from "../../load/rateLimits/startingFits.ts";
import { type FitRow, timed, unexplainedBy } from "../support/limiterSamples.ts";

function testFits(algorithm: string, fitsOf: FitsOf, rows: readonly FitRow[]): void {
  for (const [title, experiments, limits] of rows)
    test(`${algorithm}: ${title}`, () => {
      expect(unexplainedBy(fitsOf, [experiments].flat(), limits)).toEqual(limits);
    });
}

testFits("windows from the first request", startedWindowFits, [
  [
    "each begins with the first request after the one before",
    "SS@0 R@500 SS@1300 R@2290 SS@2330 R@2340",
    [
      [2, 960, "refuted"],
      [2, 980, 0],
      [2, 1_000, 0],
      [2, 1_030, 0],
      [2, 1_060, 2],
      [1, 1_000, "refuted"],
      [3, 1_000, "refuted"],
    ],
  ],
  [
    "at once is one window",
    "SSRRR@0",
    [
      [1, 60, 1],
      [2, 60, 0],
      [2, 70_000, 0],
      [3, 60, "refuted"],
    ],
  ],
  [
    "a refusal after a window has no reason",
    "S@0 RRR@2000 S@4000",
    [
      [1, 1_000, "refuted"],
      [1, 2_100, 0],
    ],
  ],
  ["what failed may have begun a window", "F@0 S@100 RRR@200 S@1050 RRR@1150", [[1, 1_000, 0]]],
  [
    "experiments have one limit",
    ["SSRRR@0", "SSSRRR@0"],
    [
      [2, 1_000, 1],
      [3, 1_000, "refuted"],
    ],
  ],
]);

testFits("blocks once exceeded", blockFits, [
  [
    "the first refusal begins a block, in which nothing is served",
    "SS@0 R@10 R@900 SS@1020 R@1030",
    [
      [2, 850, "refuted"],
      [2, 900, 0],
      [2, 1_000, 0],
      [2, 1_050, 0],
      [2, 1_070, 2],
      [1, 1_000, "refuted"],
      [3, 1_000, "refuted"],
    ],
  ],
  [
    "refusals need as many served before",
    "SSR@0 SSSR@5000",
    [
      [2, 1_000, 0],
      [3, 1_000, "refuted"],
    ],
  ],
  [
    "it serves again after a block",
    "SS@0 R@10 S@1500",
    [
      [2, 1_000, 0],
      [2, 1_600, 1],
    ],
  ],
  [
    "a block begins with the refusal",
    "SS@0 R@500 S@1400",
    [
      [2, 900, 0],
      [2, 1_000, 1],
    ],
  ],
  ["as far as times tell what is served comes after it", "SS@0 R@10 S@404", [[2, 410, 0]]],
  ["what is served for sure before its end doesn't", "SS@0 R@10 S@403", [[2, 410, 1]]],
  [
    "a block may be the last thing seen",
    "SSSR@0",
    [
      [3, 450, 0],
      [3, 70_000, 0],
    ],
  ],
]);

test("blocks are 0.4 to 75 s long, and the largest number of served that fits is told", () => {
  const fits = [...blockFits(evidenceOf([timed("SSSR@0")]), 3)];
  expect(fits[0]).toEqual({ served: 3, least_ms: 400, most_ms: 420, unexplained: 0 });
  expect(fits.at(-1)?.most_ms).toBeGreaterThanOrEqual(75_000);
  expect(fits.at(-1)?.least_ms).toBeLessThan(75_000);
  expect(new Set(fits.map(({ served }) => served))).toEqual(new Set([3]));
  const many = `${"S".repeat(30)}R@0`;
  expect(new Set([...blockFits(evidenceOf([timed(many)]), 3)].map(({ served }) => served))).toEqual(new Set([24]));
});

/** Of so many at once: served and refused, each on its way from 0 to 100 ms. */
const inFlight = (text: string) => [...algorithms["so many at once"](evidenceOf([timed(text, 100)]), 3)];

test("a limit on requests in flight explains refusals while others may be", () => {
  const fit = (unexplained: number) => [{ served: 1, least_ms: 0, most_ms: 0, unexplained }];
  expect(inFlight("SSR@0 S@500")).toEqual(fit(0));
  expect(inFlight("S@0 R@500")).toEqual(fit(1));
  expect(inFlight("S@0 R@500 R@900")).toEqual(fit(2));
  expect(inFlight("S@0 R@500 R@900 R@1300")).toEqual([]);
});

/** One is served every so often, and three are refused so long after the first. */
const every = (apart_ms: number, refused_ms?: number): string =>
  [
    ...(refused_ms === undefined ? [] : [`RRR@${refused_ms}`]),
    ...[0, 1, 2, 3, 4].map((nth) => `S@${nth * apart_ms}`),
  ].join(" ");

const lengths: readonly (readonly [experiments: readonly string[], limit: string])[] = [
  [[every(70_000, 50_000)], "1 in 60 s"],
  [[every(32_000, 24_000)], "1 in 30 s"],
  [[every(26_000, 24_000)], "1 in 25 s"],
  [[every(3_400, 2_700)], "1 in 3 s"],
  [[every(1_700, 1_300)], "1 in 1.5 s"],
  [[every(640, 560)], "1 in 0.6 s"],
  [[every(676, 620)], "1 in 0.65 s"],
  [[every(630, 620)], "1 in 0.61 s"],
  [["S@0 RRR@109", every(97)], "1 in 0.102 s"],
];
for (const [experiments, limit] of lengths)
  test(`of the lengths that fit the roundest is told: ${limit}`, () => {
    const { limits, possible } = limiterBehind(experiments.map((text) => timed(text)));
    expect(possible).toContain("sliding log");
    expect(limits).toContain(limit);
    // No other is told more finely than in hundredths, but near 0.1 s, where 2 % are less.
    expect(limits.filter((one) => one !== limit && !/^\d+ in (\d+(\.\d\d?)?|0\.1\d\d) s$/.test(one))).toEqual([]);
  });

test("limits and algorithms are told in words", () => {
  const [limits, possible] = [["5 in 1 s"], ["sliding log", "bucket"]] as const;
  expect(wordsOf({ named: "sliding log", possible: ["sliding log"], limits })).toEqual({
    limit: "5 in 1 s",
    algorithm: "sliding log",
  });
  expect(wordsOf({ named: null, possible, limits: ["a", "b", "c"] })).toEqual({
    limit: "a or b or c",
    algorithm: "can't be distinguished: sliding log | bucket",
  });
  expect(wordsOf({ named: null, possible, limits: ["a", "b", "c", "d"] }).limit).toBe("inconclusive");
  expect(wordsOf({ named: null, possible: [], limits: [] })).toEqual({
    limit: "none that we know",
    algorithm: "none that we know",
  });
});

test("nothing is told of a limiter that refused nothing", () => {
  expect(limiterBehind([timed("SSSS@0")])).toEqual({
    named: null,
    possible: [],
    limits: ["none: nothing was refused"],
  });
});
