// Statistics behind a comparison: published examples, and their rate of false alarms.
import { expect, test } from "@playwright/test";
import { measuredOf } from "../../reports/compare/measured.ts";
import { chanceOfAll, corrected, rankTest, shiftBetween } from "../../reports/compare/statistics.ts";

test("Mann–Whitney: ages at onset of diabetes, as SciPy's manual of mannwhitneyu has them", () => {
  expect(rankTest([19, 22, 16, 29, 24], [20, 11, 17, 12])).toBeCloseTo(0.11134688653314041, 6);
});

const may = [41, 36, 12, 18, 28, 23, 19, 8, 7, 16, 11, 14, 18, 14, 34, 6, 30, 11, 1, 11, 4, 32, 23, 45, 115, 37];
const august = [
  39, 9, 16, 78, 35, 66, 122, 89, 110, 44, 28, 65, 22, 59, 23, 31, 44, 21, 9, 45, 168, 73, 76, 118, 84, 85,
];

test("Mann–Whitney with ties: ozone in May and August, as R's manual of wilcox.test has it", () => {
  expect(rankTest(may, august)).toBeCloseTo(0.0001208, 7);
});

test("Hodges–Lehmann: permeability of membranes, Hollander and Wolfe, examples 4.3 and 4.4", () => {
  const atTerm = [0.8, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46];
  const before = [1.15, 0.88, 0.9, 0.74, 1.21];
  const { by, from, to } = shiftBetween(atTerm, before, 0.96);
  expect([by, from, to].map((value) => Number(value.toFixed(3)))).toEqual([-0.305, -0.76, 0.15]);
});

test("Holm: the four hypotheses of the usual example", () => {
  const adjusted = corrected([0.01, 0.04, 0.03, 0.005]);
  expect(adjusted.map((p) => Number(p.toFixed(4)))).toEqual([0.03, 0.06, 0.06, 0.02]);
});

test("the chance that three marked of six are the first three is one in twenty", () => {
  expect(chanceOfAll(3, 3, 3)).toBeCloseTo(1 / 20, 12);
  expect(chanceOfAll(4, 3, 3)).toBe(0);
});

test("equal values have no shift", () => {
  expect(shiftBetween([2, 2, 2], [2, 2, 2], 0.99)).toEqual({ by: 0, from: 0, to: 0, p: 1 });
});

/** Skewed, as latencies are; reproducible (Park and Miller's generator). */
function* latencies(): Generator<number> {
  for (let state = 20_241_122; ; ) {
    state = (state * 48_271) % 2_147_483_647;
    yield 5 - 20 * Math.log(state / 2_147_483_647);
  }
}

function taken(source: Generator<number>, count: number): number[] {
  return Array.from({ length: count }, () => source.next().value as number);
}

test("among samples of one distribution, a test at 5 % reports 5 %, and 95 % intervals hold in 95 %", () => {
  const source = latencies();
  const rounds = 2_000;
  let [reported, held] = [0, 0];
  for (let round = 0; round < rounds; round += 1) {
    const { p, from, to } = shiftBetween(taken(source, 15), taken(source, 20), 0.95);
    if (p < 0.05) reported += 1;
    if (from <= 0 && to >= 0) held += 1;
  }
  expect(reported / rounds).toBeGreaterThan(0.035);
  expect(reported / rounds).toBeLessThan(0.06);
  expect(held / rounds).toBeGreaterThan(0.94);
});

const family = (shift: number) =>
  Array.from({ length: 15 }, (_, nth) => {
    const source = latencies();
    for (let skipped = 0; skipped < nth * 1_000; skipped += 1) source.next();
    return {
      of: { nth },
      was: taken(source, 60),
      is: taken(source, 60).map((value) => value + (nth === 4 ? shift : 0)),
      smallest: { by: 20, share: 0.2 },
    };
  });
const reportedIn = (shift: number): readonly number[] =>
  measuredOf(family(shift)).flatMap(({ nth, isReported }) => (isReported ? [nth] : []));

test("of fifteen operations only the one that is slower by 60 ms is reported", () =>
  expect(reportedIn(60)).toEqual([4]));

test("a significant shift that is too small to matter isn't reported", () => {
  expect(reportedIn(15)).toEqual([]);
  expect(measuredOf(family(15))[4]?.shift?.p).toBeLessThan(0.01);
});

test("with fewer than eight answers nothing is reported", () => {
  const [{ shift, isReported } = { shift: null, isReported: true }] = measuredOf([
    { of: {}, was: [1, 2, 3], is: [901, 902, 903], smallest: { by: 1, share: 0 } },
  ]);
  expect([shift, isReported]).toEqual([null, false]);
});
