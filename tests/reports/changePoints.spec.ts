// Change points of latencies: named in time where a level changes, hardly ever where none does.
import { expect, test } from "@playwright/test";
import { type ChangePoint, changePointsIn, type Series } from "../../reports/history/changePoints.ts";
import { type Drift, latencyYear } from "../support/madeNights.ts";

const drifts: readonly Drift[] = ["in two months", "in a year", "at random"];
const busies = ["together", "alone"] as const;

for (const drift of drifts)
  for (const busy of busies)
    test(`a year of 15 operations that drift ${drift}, busy ${busy}: at most 3 points, in each of 5 years`, {
      tag: drift === "at random" && busy === "alone" ? [] : "@slow",
    }, () => {
      const counts = Array.from({ length: 5 }, (_, seed) => changePointsIn(latencyYear({ seed, drift, busy })).length);
      expect(Math.max(...counts)).toBeLessThanOrEqual(3);
    });

/** With one series 30 % higher from a night on. */
const planted = (series: readonly Series[], from: number, by = 1.3): readonly Series[] =>
  series.map((one) =>
    one.operation === "operation 3" && one.percentile === "p95"
      ? { ...one, figures: one.figures.map((figure, nth) => (figure ?? 0) * (nth >= from ? by : 1)) }
      : one,
  );

const isPlanted = ({ operation, percentile }: ChangePoint): boolean =>
  operation === "operation 3" && percentile === "p95";

for (const drift of drifts)
  test(`p95 +30 % under drift ${drift} is named within three nights, nineteen times in twenty`, {
    tag: drift === "at random" ? [] : "@slow",
  }, () => {
    const named = Array.from({ length: 20 }, (_, nth) => {
      const [busy, from] = [busies[nth % 2] ?? "alone", 60 + nth];
      // Nothing is known of later nights.
      const series = planted(latencyYear({ seed: 500 + nth, drift, busy }, from + 4), from);
      return changePointsIn(series).some((one) => isPlanted(one) && Math.abs(one.night - from) <= 1);
    });
    expect(named.filter(Boolean).length).toBeGreaterThanOrEqual(19);
  });

/** One that is looked at, beside two that stay as they are. */
const one = (...figures: readonly (number | null)[]): readonly Series[] => [
  { operation: "a", percentile: "p50", figures },
  ...["b", "c"].map((operation) => ({ operation, percentile: "p50" as const, figures: figures.map(() => 100) })),
];
const level = (figure: number, nights: number): readonly number[] => Array.from({ length: nights }, () => figure);
const nightsOf = (series: readonly Series[]): readonly number[] => changePointsIn(series).map(({ night }) => night);

for (const [title, figures, nights] of [
  ["a level that stays", [...level(100, 12), ...level(150, 4)], [12]],
  ["a level that falls", [...level(150, 12), ...level(100, 4)], [12]],
  ["three nights are too few", [...level(100, 12), ...level(150, 3)], []],
  ["a rise of a tenth", [...level(100, 12), ...level(112, 10)], []],
  ["less than a millisecond", [...level(1, 12), ...level(1.6, 8)], []],
  ["two nights before", [...level(100, 2), ...level(150, 4)], [2]],
  ["ten times as long, after two nights", [100, 104, 1_000], [2]],
  ["three times as long for a night", [...level(100, 9), 300], []],
  ["three times as long for two nights", [...level(100, 9), 300, 310], [9]],
  ["ten times as long after one night", [100, 1_000], []],
  ["half a millisecond that becomes 63", [0.4, 2, 0.5, 1.1, 63], [4]],
  ["half a millisecond on a slow night", [0.4, 0.5, 2], []],
  ["two busy nights at the start", [160, 150, ...level(100, 9)], []],
  ["a busy night in the new level", [...level(100, 12), 150, 300, 150, 150], [12]],
  ["four busy nights, each otherwise", [...level(100, 12), 130, 230, 180, 320], []],
  ["there and back", [...level(100, 12), ...level(150, 12), ...level(100, 6)], [12, 24]],
  ["nights without a figure", [...level(100, 12), null, ...level(150, 2), null, ...level(150, 2)], [13]],
] as const)
  test(`${title}: ${nights.length === 0 ? "no point" : `a point at ${nights.join(" and ")}`}`, () => {
    expect(nightsOf(one(...figures))).toEqual([...nights]);
  });

/** Three alike. */
const all = (...figures: readonly (number | null)[]): readonly Series[] =>
  ["a", "b", "c"].map((operation) => ({ operation, percentile: "p50", figures }));

for (const [title, figures, nights] of [
  ["rise for good", [...level(100, 12), ...level(150, 4)], [12, 12, 12]],
  ["have three busy nights in a row", [...level(100, 12), 150, 160, 155, ...level(100, 9)], []],
  ["have four busy nights, each otherwise", [...level(100, 12), 130, 230, 180, 320, ...level(100, 9)], []],
] as const)
  test(`all series ${title}: ${nights.length} points`, () => {
    expect(nightsOf(all(...figures))).toEqual([...nights]);
  });

test("a level of all series has its medians, and later nights are measured by it", () => {
  const points = changePointsIn(all(...level(100, 12), ...level(150, 12), 210, ...level(150, 12), ...level(75, 4)));
  expect(points.map(({ night, was, is }) => [night, Math.round(was), Math.round(is)])).toEqual([
    ...Array.from({ length: 3 }, () => [12, 100, 150]),
    ...Array.from({ length: 3 }, () => [37, 150, 75]),
  ]);
});

test("a night on which nothing was measured doesn't end a level of all series", () => {
  expect(nightsOf(all(...level(100, 12), 150, 150, null, 150, 150))).toEqual([12, 12, 12]);
});

test("a point has its medians before and after", () => {
  expect(changePointsIn(one(...level(100, 12), ...level(150, 4)))).toMatchObject([
    { operation: "a", percentile: "p50", was: expect.closeTo(100, 5), is: expect.closeTo(150, 5) },
  ]);
});

test("what later nights show doesn't change what was found before", () => {
  const series = planted(latencyYear({ seed: 3, drift: "in a year", busy: "alone" }, 140), 90);
  const until = (nights: number): readonly Series[] =>
    series.map((all) => ({ ...all, figures: all.figures.slice(0, nights) }));
  const early = changePointsIn(until(100));
  expect(early.filter(isPlanted)).toHaveLength(1);
  expect(changePointsIn(series).slice(0, early.length)).toEqual(early);
});
