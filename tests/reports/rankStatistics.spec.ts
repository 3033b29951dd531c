// Rank statistics by hand: shifts and intervals, thinning, corrections, and what of a family is reported.
import { expect, test } from "@playwright/test";
import { type BothSamples, measuredOf } from "../../reports/compare/measured.ts";
import { chanceOfAll, corrected, rankTest, shiftBetween } from "../../reports/compare/statistics.ts";

const upTo = (count: number, from = 0, step = 1): readonly number[] =>
  Array.from({ length: count }, (_, nth) => from + step * nth);

/** The nine differences are 98, 99, …, 106; their number has a deviation of √5.25 = 2.291. */
const [early, late] = [upTo(3), upTo(3, 100, 3)];

type Shifted = readonly [
  title: string,
  earlier: readonly number[],
  later: readonly number[],
  confidence: number,
  shift: readonly [by: number, from: number, to: number],
];
const shifts: readonly Shifted[] = [
  ["two and two: all differences", [0, 1], [10, 12], 0.99, [10.5, 9, 12]],
  ["three and three at 99 %: all differences", early, late, 0.99, [102, 98, 106]],
  ["three and three at 50 %: without two at either end", early, late, 0.5, [102, 100, 104]],
  ["later values that are smaller: below zero", late, early, 0.5, [-102, -104, -100]],
  ["400 values: all of them", [0], upTo(400), 0, [199.5, 200, 199]],
  ["401 values: all but the first", [0], upTo(401), 0, [200.5, 201, 200]],
  ["800 values: every other one", [0], upTo(800), 0, [400, 401, 399]],
];
for (const [title, earlier, later, confidence, [by, from, to]] of shifts)
  test(`the shift between ${title}`, () => {
    expect(shiftBetween(earlier, later, confidence)).toMatchObject({ by, from, to });
  });

/** As R's wilcox.test(…, exact = FALSE) has it: U, less a half, by its deviation. */
const tests: readonly (readonly [title: string, some: readonly number[], others: readonly number[], p: number])[] = [
  ["two below two", [0, 1], [10, 12], 0.2453],
  ["two above two", [10, 12], [0, 1], 0.2453],
  ["three below three", [1, 2, 3], [4, 5, 6], 0.0809],
  ["three and three with ties", [1, 1, 2], [2, 3, 3], 0.1101],
  ["two among two", [1, 4], [2, 3], 1],
  ["two among two, a half away", [1, 3.5], [2, 3.5], 1],
  ["equal values", [5, 5], [5, 5], 1],
];
for (const [title, some, others, p] of tests)
  test(`Mann–Whitney, ${title}: ${p}`, () => {
    expect(rankTest(some, others)).toBeCloseTo(p, 4);
    expect(rankTest(some, others)).toBeLessThanOrEqual(1);
  });

const holm: readonly (readonly [ps: readonly number[], adjusted: readonly number[]])[] = [
  [[], []],
  [[0.2], [0.2]],
  [
    [0.01, 0.02],
    [0.02, 0.02],
  ],
  [
    [0.03, 0.01, 0.02],
    [0.04, 0.03, 0.04],
  ],
  [
    [0.9, 0.8],
    [1, 1],
  ],
];
for (const [ps, adjusted] of holm)
  test(`Holm: ${ps.join(", ") || "no levels"}`, () => {
    expect(corrected(ps).map((p) => Number(p.toFixed(6)))).toEqual(adjusted);
  });

const chances: readonly (readonly [marked: number, first: number, second: number, chance: number])[] = [
  [0, 3, 3, 1],
  [1, 1, 999, 0.001],
  [1, 3, 0, 1],
  [2, 3, 1, 0.5],
  [3, 2, 2, 0],
];
for (const [marked, first, second, chance] of chances)
  test(`that ${marked} marked are among the first ${first} of ${first + second} has a chance of ${chance}`, () =>
    expect(chanceOfAll(marked, first, second)).toBeCloseTo(chance, 12));

const times = (count: number, value: number): readonly number[] => upTo(count, value, 0);
type Smallest = BothSamples<object>["smallest"];
const measured = (was: readonly number[], is: readonly number[], smallest: Smallest = { by: 1, share: 0 }) => ({
  of: {},
  was,
  is,
  smallest,
});

type Reported = readonly [title: string, was: number, is: number, by: number, share: number, isReported: boolean];
const reported: readonly Reported[] = [
  ["as much as the smallest", 40, 60, 20, 0, true],
  ["less than the smallest", 40, 60, 21, 0, false],
  ["as much as the share of the median before", 40, 60, 0, 0.5, true],
  ["less than the share of the median before", 40, 60, 0, 0.51, false],
  ["as much less as the smallest", 60, 40, 20, 0, true],
  ["less less than the smallest", 60, 40, 21, 0, false],
  ["as much less as the share of the median before", 60, 45, 0, 0.25, true],
  ["less less than the share of the median before", 60, 46, 0, 0.25, false],
  ["enough of the two, but not enough of the share", 40, 60, 20, 0.6, false],
  ["enough of the share, but not of the two", 40, 60, 30, 0.5, false],
];
for (const [title, was, is, by, share, isReported] of reported)
  test(`a shift of ${title} is ${isReported ? "" : "not "}reported`, () => {
    const [one] = measuredOf([measured(times(8, was), times(8, is), { by, share })]);
    expect(one).toMatchObject({ isReported, shift: { by: is - was, from: is - was, to: is - was } });
  });

test("with eight values in both runs a shift is known, with seven in either it isn't", () => {
  const isKnown = (was: number, is: number): boolean =>
    measuredOf([measured(times(was, 40), times(is, 60))]).some(({ shift }) => shift !== null);
  expect([isKnown(8, 8), isKnown(7, 8), isKnown(8, 7), isKnown(7, 7)]).toEqual([true, false, false, false]);
  expect(measuredOf([])).toEqual([]);
});

/** 64 differences, from 93 to 156; separated, so that p is 0.000939. */
const [before, after] = [upTo(8), upTo(8, 100, 8)];
const separated = measured(before, after);

test("an interval is of 99 % for one figure, and wider where several are tested together", () => {
  const intervals = (...family: readonly BothSamples<object>[]) =>
    measuredOf(family).flatMap(({ shift }) => (shift ? [[shift.by, shift.from, shift.to]] : []));
  expect(intervals(separated)).toEqual([[124.5, 100, 149]]);
  expect(intervals(separated, measured([1], [2]))).toEqual([[124.5, 100, 149]]);
  expect(intervals(separated, separated)).toEqual([
    [124.5, 98, 151],
    [124.5, 98, 151],
  ]);
});

test("p is corrected for the number of figures, and nothing is reported at 1 % or more", () => {
  const found = (count: number) => measuredOf(Array.from({ length: count }, () => measured(before, after)))[0];
  expect(found(1)?.shift?.p).toBeCloseTo(0.000939, 6);
  expect(found(10)?.shift?.p).toBeCloseTo(0.00939, 5);
  expect(found(11)?.shift?.p).toBeCloseTo(0.01033, 5);
  expect([found(1), found(10), found(11)].map((one) => one?.isReported)).toEqual([true, true, false]);
});

test("a figure has its count, its median and what 95 of 100 stay within, in thousandths", () => {
  const [one] = measuredOf([measured(upTo(21), [0.12345])]);
  expect(one).toEqual({
    was: { count: 21, median: 10, p95: 19 },
    is: { count: 1, median: 0.123, p95: 0.123 },
    shift: null,
    isReported: false,
  });
  const thirds = upTo(8).map((nth) => 2 / 3 + nth / 10_000_000);
  const [shifted] = measuredOf([measured(times(8, 0), thirds)]);
  expect(shifted?.shift).toMatchObject({ by: 0.667, from: 0.667, to: 0.667 });
});
