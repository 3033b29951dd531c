// Steps planted in years of nights as they come: on which night each is named, and how many are named for nothing
import { expect, test } from "@playwright/test";
import { changePointsIn, type Series } from "../../reports/history/changePoints.ts";
import { type NightNoise, sampledYear } from "../support/latencyNoise.ts";
import { latencyYear } from "../support/madeNights.ts";

const [drifts, busies] = [["in two months", "in a year", "at random"] as const, ["together", "alone"] as const];
const planted = 4;

const noiseOf = (seed: number, answers: number, missing: number): NightNoise => ({
  seed,
  answers,
  missing,
  weekend: 0.88,
  drift: drifts[seed % 3] ?? "at random",
  busy: busies[Math.floor(seed / 3) % 2] ?? "alone",
});

type Year = (noise: NightNoise, nights: number, by: (operation: number, night: number) => number) => readonly Series[];

/** As exact as nights of very many answers; without weekends. */
const exactYear: Year = (noise, nights, by) =>
  latencyYear(noise, nights).map((series, nth) => ({
    ...series,
    figures: series.figures.map((figure, night) => figure * by(Math.floor(nth / 2), night)),
  }));

/** How many nights a step has lasted once it is named: the median, the worst, and the share named within 12. */
function namedAfter(year: Year, answers: number, factor: number, from: number) {
  const seeds = answers === 0 ? 60 : 12;
  const lags = Array.from({ length: seeds }, (_, seed) => {
    const missing = seed % 2 === 0 ? 0.03 : 0;
    // A night that is missing counts as none.
    const series = year(noiseOf(seed + 1, answers, from < 10 ? 0 : missing), from + 12, (operation, night) =>
      operation === planted && night >= from ? factor : 1,
    );
    const isPlanted = ({ operation, was, is }: ReturnType<typeof changePointsIn>[number]): boolean =>
      operation === `operation ${planted}` && is > was;
    const named = changePointsIn(series).find((point) => isPlanted(point) && point.named >= from)?.named;
    const figures = series.find(({ operation }) => operation === `operation ${planted}`)?.figures ?? [];
    return named === undefined ? null : figures.slice(from, named + 1).filter((figure) => figure !== null).length;
  });
  const found = lags.flatMap((lag) => lag ?? []).sort((a, b) => a - b);
  return {
    median: found[Math.floor(found.length / 2)] ?? Number.POSITIVE_INFINITY,
    worst: found.at(-1) ?? Number.POSITIVE_INFINITY,
    share: found.length / seeds,
  };
}

test.describe("steps in a year of nights", { tag: "@slow" }, () => {
  test.setTimeout(600_000);

  for (const [title, year, answers, atLeast] of [
    ["of very many answers", exactYear, 0, { 100: 1, 10: 0.95, 3: 0.85, 1.5: 0.85, 1.3: 0.85 }],
    ["of 60 answers each", sampledYear, 60, { 100: 0.9, 10: 0.9, 3: 0.75, 1.5: 0.5, 1.3: 0.2 }],
  ] as const)
    test(`${title}: ten times is named on the first night, three times on the second, less on the fourth`, () => {
      const first: { readonly [factor: number]: number } = { 100: 1, 10: 1, 3: 2, 1.5: 4, 1.3: 4 };
      const rows = [100, 10, 3, 1.5, 1.3].map((factor) => {
        const cells = [3, 5, 9, 20, 200].map((night) => namedAfter(year, answers, factor, night - 1));
        return { factor, cells };
      });
      for (const { factor, cells } of rows)
        console.log(
          [`${factor} ×`, ...cells.map((one) => `${one.median}/${one.worst} ${Math.round(one.share * 100)} %`)].join(
            "\t",
          ),
        );
      for (const { factor, cells } of rows)
        for (const { median, share } of cells) {
          expect(share, `${factor} ×`).toBeGreaterThanOrEqual((atLeast as typeof first)[factor] ?? 0);
          if (share >= 0.9) expect(median, `${factor} ×`).toBeLessThanOrEqual(first[factor] ?? 0);
        }
    });

  test("honest years, most of them name nothing, none more than three", () => {
    const counts = [8, 60].map((answers) =>
      Array.from({ length: 6 }, (_, seed) => changePointsIn(sampledYear(noiseOf(seed, answers, 0.03))).length),
    );
    for (const some of counts) console.log(some.join(" "));
    expect(Math.max(...counts.flat())).toBeLessThanOrEqual(3);
  });
});
