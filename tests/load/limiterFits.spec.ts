// Tests of fits of limiters that count: what each limit leaves unexplained of a few samples
import { expect, test } from "@playwright/test";
import {
  bucketFits,
  type FitsOf,
  setWindowFits,
  slidingLogFits,
  weightedFits,
} from "../../load/rateLimits/countingFits.ts";
import { type FitRow, unexplainedBy } from "../support/limiterSamples.ts";

/** Each time is known to 3 ms, and lengths to 2 %. */
function testFits(algorithm: string, fitsOf: FitsOf, rows: readonly FitRow[]): void {
  for (const [title, experiments, limits] of rows)
    test(`${algorithm}: ${title}`, () => {
      expect(unexplainedBy(fitsOf, [experiments].flat(), limits)).toEqual(limits);
    });
}

testFits("a sliding log", slidingLogFits(false), [
  [
    "one in longer than it refused, and no longer than it served",
    "S@0 RRR@500 S@1000",
    [
      [1, 480, "refuted"],
      [1, 490, 0],
      [1, 1_000, 0],
      [1, 1_020, 1],
      [2, 9_000, "refuted"],
    ],
  ],
  [
    "what is served at once is in one window, however short",
    "SSR@0",
    [
      [1, 60, 2],
      [2, 60, 0],
      [2, 70_000, 0],
      [3, 60, 1],
      [150, 60, 1],
    ],
  ],
  ["what it refused doesn't count", "S@0 R@600 R@1500 R@2400 S@3500", [[1, 1_000, 2]]],
  [
    "several that are refused at once have one reason",
    "SRRR@0",
    [
      [1, 1_000, 0],
      [2, 1_000, "refuted"],
    ],
  ],
  [
    "nothing explains a refusal without others",
    "R@0 S@5000",
    [
      [1, 1_000, 1],
      [2, 1_000, 1],
    ],
  ],
  [
    "what failed may have been served",
    "F@0 R@500 S@1000",
    [
      [1, 1_000, 0],
      [2, 1_000, 1],
    ],
  ],
  ["what may have been served isn't sure to be", "F@0 S@500", [[1, 1_000, 0]]],
  [
    "experiments have one limit",
    ["SSR@0", "SSSR@0"],
    [
      [2, 1_000, "refuted"],
      [3, 1_000, 1],
      [4, 1_000, 2],
    ],
  ],
]);

testFits("a sliding log that counts what it refuses", slidingLogFits(true), [
  [
    "a refusal prolongs the next",
    "S@0 R@600 R@1500 R@2400 S@3500",
    [
      [1, 1_000, 0],
      [1, 1_150, 1],
      [1, 850, 2],
      [2, 1_000, "refuted"],
    ],
  ],
  [
    "of those refused at once, those before one explain it",
    "SRRR@0",
    [
      [1, 1_000, 0],
      [2, 1_000, 1],
      [3, 1_000, 2],
      [4, 1_000, "refuted"],
    ],
  ],
  ["a refusal isn't its own reason, and counts against what comes after", "S@0 R@1500 S@2000", [[1, 1_000, 2]]],
  [
    "refused before, as far as times tell",
    "R@0 S@6",
    [
      [1, 1_000, 0],
      [2, 1_000, 1],
    ],
  ],
  [
    "refused before for sure",
    "R@0 S@7",
    [
      [1, 1_000, 2],
      [2, 1_000, 1],
    ],
  ],
]);

testFits("windows at set times", setWindowFits, [
  [
    "twice the limit within less than a window",
    "SS@900 R@950 SS@1050 R@1100",
    [
      [1, 1_000, 2],
      [2, 1_000, 0],
      [2, 2_000, 0],
      [2, 1_001, "refuted"],
      [3, 1_000, 1],
    ],
  ],
  [
    "windows of one experiment have one phase",
    "SS@900 SS@1050 SS@2400 SS@2550",
    [
      [2, 1_000, 2],
      [4, 1_000, 0],
    ],
  ],
  ["those of several have their own", ["SS@900 SS@1050", "SS@2400 SS@2550"], [[2, 1_000, 0]]],
  [
    "an experiment refutes what fits another",
    ["SS@900 RRR@950", "SS@900 SS@1050 SS@2400 SS@2550"],
    [
      [2, 1_000, 2],
      [3, 1_000, "refuted"],
    ],
  ],
  ["wherever a window begins, of three at once two are in one", "SSS@0 S@5000 RRR@5500", [[1, 1_000, "refuted"]]],
  // Windows may begin within 10 ms: 980 to 990 ms after a second separates both pairs, and nothing does later pairs.
  ["a pair is in two windows that begin near it", "S@990 S@1000 S@2970 S@2980", [[1, 1_000, 0]]],
  ["and isn't where they begin elsewhere", "S@990 S@1000 S@2960 S@2970", [[1, 1_000, 1]]],
  ["nor where a later one does", "S@995 S@1005 S@2025 S@2035", [[1, 1_000, 1]]],
  ["a refusal has its reason in its own window", "S@1000 R@1990 S@3020 R@4010", [[1, 1_000, 0]]],
  ["and none in another", "S@1000 R@1990 S@3030 R@4020", [[1, 1_000, 1]]],
  [
    "near the end of a window it may be in either",
    "S@1500 SR@1988 SS@2990 SS@3000 SS@4970 SS@4980",
    [
      [2, 1_000, 0],
      [3, 1_000, 1],
    ],
  ],
  [
    "a refusal without any in its window has no reason",
    "S@0 R@2500",
    [
      [1, 1_000, 1],
      [1, 5_000, 0],
    ],
  ],
  [
    "a minute is cut into 300 ms",
    "S@0 R@30000 S@61000",
    [
      [1, 60_000, 0],
      [1, 20_000, 1],
    ],
  ],
  [
    "windows of 100 ms are cut into 1 ms",
    "S@10 R@90 S@130 R@180",
    [
      [1, 100, 0],
      [2, 100, 2],
    ],
  ],
]);

const weighted = (roundsDown: boolean, countsRefused = false): FitsOf => weightedFits({ countsRefused, roundsDown });
/** Of 4 in 1 s: what is left of four at 1.52 s leaves two, and at 1.75 s one more. */
const shares = "SSSSR@500 SSR@1520 SR@1750 SSSSR@4700";
const oneInEach = "S@500 S@1420 S@2450 S@3380 S@4470 S@5360 S@6430 S@7330";

testFits("two weighted windows", weighted(false), [
  [
    "an earlier window counts by the share that is left of it",
    shares,
    [
      [4, 1_000, 0],
      [3, 1_000, "refuted"],
      [5, 1_000, 1],
    ],
  ],
  [
    "more than the share allows isn't served",
    "SSSS@500 SSSS@1400 SSSS@2300",
    [
      [4, 1_000, "refuted"],
      [8, 1_000, 0],
    ],
  ],
  [
    "what may be in either window counts for both",
    "SR@1004",
    [
      [2, 1_000, 0],
      [3, 1_000, 1],
    ],
  ],
  [
    "a window that nothing came before weighs by itself",
    "SSR@500 SSR@2700",
    [
      [2, 1_000, 0],
      [3, 1_000, 1],
    ],
  ],
  [
    "any share of one leaves no room for one",
    oneInEach,
    [
      [1, 1_000, 2],
      [2, 1_000, 0],
    ],
  ],
]);
testFits("two weighted windows whose shares are rounded down", weighted(true), [
  ["less than one is none", oneInEach, [[1, 1_000, 0]]],
]);
testFits("two weighted windows that count what they refuse", weighted(false, true), [
  [
    "two served and two refused weigh four",
    "SSRR@500 R@1550 S@2990 SSRR@5800",
    [
      [2, 1_000, 0],
      [4, 1_000, 2],
      [5, 1_000, "refuted"],
    ],
  ],
]);

/** Four at once, and one more that a second later has earned, but not two. */
const four = "SSSSR@0 S@1000 R@1010";

testFits("a bucket", bucketFits, [
  [
    "earns a token in no less and no more than decisions allow",
    four,
    [
      [4, 4 * 1_000, 0],
      [4, 4 * 435, 1],
      [4, 4 * 445, 0],
      [4, 4 * 4_000, 0],
      [4, 4 * 4_050, 1],
      [3, 3 * 1_000, "refuted"],
    ],
  ],
  [
    "holds what is served at once",
    "SSR@0",
    [
      [1, 1_000, 2],
      [2, 2_000, 0],
      [4, 4_000, 1],
    ],
  ],
  ["is no bucket where it serves less than it holds", "R@0 S@5000", [[1, 1_000, 1]]],
  [
    "may lack one token where it earns whole ones",
    `SS@0 R@900 R@1800 ${Array.from({ length: 10 }, (_, nth) => `S@${2_850 + nth * 1_050}`).join(" ")}`,
    [
      [2, 2 * 1_000, 0],
      [2, 2 * 1_200, 0],
      [2, 2 * 1_500, "refuted"],
      [2, 2 * 400, 2],
    ],
  ],
  [
    "experiments have one bucket",
    ["SSR@0", "SSSR@0"],
    [
      [2, 2_000, "refuted"],
      [3, 3_000, 0],
      [5, 5_000, 2],
    ],
  ],
]);
