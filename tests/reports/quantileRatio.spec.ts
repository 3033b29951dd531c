// Ratios of quantiles of latency: ranks by hand, ends that are lacking, and how often an interval misses the truth.
import { expect, test } from "@playwright/test";
import { randomFrom } from "../../proof/limiter/simulatedPlatform.ts";
import { fewestForP95, latencySampleOf, quantileRatioOf, ranksAround } from "../../reports/compare/quantileRatio.ts";

for (const [quantile, count, ranks] of [
  // Of six fair coins all are heads in one of 64 throws, which is less than 2.5 %; of five, in one of 32.
  [0.5, 6, [1, 6]],
  [0.5, 5, [null, null]],
  [0.5, 100, [40, 61]],
  // 0.95 to the power of 72 is 2.49 %.
  [0.95, 72, [64, 72]],
  [0.95, 71, [63, null]],
  [0.95, 1, [null, null]],
  [0.95, 1_000_000, [949_572, 950_428]],
] as const)
  test(`the quantile ${quantile} of ${count} values lies between ${ranks.join(" and ")}`, () => {
    expect(ranksAround(quantile, count)).toEqual(ranks);
  });

test("a p95 has an upper end from 72 answers on", () => {
  expect(fewestForP95).toBe(72);
});

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, nth) => nth + 1);

test("few answers before leave the lower end open, few answers now the upper end", () => {
  const [few, many] = [latencySampleOf(upTo(30)), latencySampleOf(upTo(300))];
  expect(quantileRatioOf({ was: few, is: many }, 0.95)).toMatchObject({ from: null, to: expect.any(Number) });
  expect(quantileRatioOf({ was: many, is: few }, 0.95)).toMatchObject({ from: expect.any(Number), to: null });
  const { was, is, ratio } = quantileRatioOf({ was: many, is: few }, 0.95);
  expect([Math.round(was), Math.round(is), ratio]).toEqual([285, 29, 0.102]);
});

test("of each second of a load five answers tell something, as those of one moment are slow together", () => {
  const values = upTo(1_000);
  const intervalIn = (seconds: number | null, count = 1_000) => {
    const { from, to } = quantileRatioOf(
      { was: latencySampleOf(values, seconds), is: latencySampleOf(upTo(count), seconds) },
      0.5,
    );
    return [from, to];
  };
  const hundred = latencySampleOf(values.filter((value) => value % 10 === 0));
  const { from, to } = quantileRatioOf({ was: hundred, is: hundred }, 0.5);
  expect(intervalIn(20)).toEqual([from, to]);
  expect(intervalIn(200)).toEqual(intervalIn(null));
});

/** The name of a distribution, and what draws from it, in ms. */
type Distribution = readonly [name: string, draw: (random: () => number) => number];
const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
const distributions: readonly Distribution[] = [
  ["log-normal", (random) => 5 * Math.exp(0.5 * normal(random))],
  ["one in twelve slow", (random) => (random() < 1 / 12 ? 80 : 4) * Math.exp(0.3 * normal(random))],
  ["heavy tail", (random) => 2 * (1 - random()) ** (-1 / 1.5)],
];
/** How much slower the later one is: not at all, and by the bound of 1.5. */
const factors = [1, 1.5] as const;
const trials = 1_000;

for (const [name, draw] of distributions)
  test(`of ${trials} intervals some 5 % miss the ratio at most, and no like load is beyond 1.5 × (${name})`, {
    tag: "@slow",
  }, () => {
    const random = randomFrom(7);
    const sample = (count: number, factor: number) =>
      latencySampleOf(Array.from({ length: count }, () => factor * draw(random)));
    for (const factor of factors)
      for (const [before, now] of [
        [90, 90],
        [400, 60],
      ] as const)
        for (const quantile of [0.5, 0.95] as const) {
          const ratios = Array.from({ length: trials }, () =>
            quantileRatioOf({ was: sample(before, 1), is: sample(now, factor) }, quantile),
          );
          const missed = ratios.filter(
            // A histogram keeps three digits.
            ({ from, to }) => (from !== null && from > 1.005 * factor) || (to !== null && to < 0.995 * factor),
          );
          expect(missed.length / trials).toBeLessThanOrEqual(0.06);
          const alarms = ratios.filter(({ from }) => from !== null && from > 1.5);
          if (factor === 1) expect(alarms.length / trials).toBeLessThanOrEqual(0.003);
        }
  });
