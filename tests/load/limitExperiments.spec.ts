// Tests of experiments on limits: which request leaves when, over which connection, and whose it is
import { expect, test } from "@playwright/test";
import {
  acrossPlans,
  afterRest,
  burstTriple,
  type Experiment,
  overload,
  overPlan,
  pair,
  plans,
  sideBySide,
  steady,
  tripleAndRecovery,
} from "../../load/rateLimits/experiments.ts";
import { spacedBursts } from "../../load/rateLimits/spacedBursts.ts";

/** Requests that leave at once, as `when: how many`. */
const bursts = (experiment: Experiment): readonly string[] => {
  const sizes = new Map<number, number>();
  for (const { at_ms } of experiment) sizes.set(at_ms, (sizes.get(at_ms) ?? 0) + 1);
  return [...sizes].map(([at_ms, size]) => `${at_ms}: ${size}`);
};
const of = (experiment: Experiment, group: number): Experiment => experiment.filter((one) => one.group === group);
const callers = (experiment: Experiment): readonly number[] => experiment.map(({ caller }) => caller);
const connections = (experiment: Experiment): readonly number[] => experiment.map(({ connection }) => connection);
const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, nth) => nth);

const sizes: readonly (readonly [title: string, experiment: () => Experiment, bursts: readonly string[]])[] = [
  ["three bursts at different phases", burstTriple, ["3000: 12", "6310: 12", "9620: 12"]],
  [
    "and one request after 3 s and a burst's time",
    () => tripleAndRecovery,
    ["3000: 12", "6310: 12", "9620: 12", "12810: 1"],
  ],
  ["two callers side by side", () => sideBySide(2), ["3000: 10"]],
  ["more than a plan serves", () => overPlan, ["3000: 20"]],
  ["one request after a rest", () => afterRest, ["3000: 1"]],
  [
    "a pair of groups, 40 ms between requests",
    () => pair(1_200),
    [
      ...["3000: 1", "3040: 1", "3080: 1", "3120: 1", "3160: 1"],
      ...["4360: 1", "4400: 1", "4440: 1", "4480: 1", "4520: 1"],
    ],
  ],
  [
    "bursts after which windows differ, twice",
    () => spacedBursts,
    [
      ...["3000: 1", "3600: 12", "4300: 12", "4950: 12"],
      ...["8320: 12", "9120: 12", "9620: 12"],
      ...["13640: 4", "14490: 1", "14940: 12"],
      ...["18960: 1", "19560: 12", "20260: 12", "20910: 12"],
      ...["24280: 12", "25080: 12", "25580: 12"],
      ...["29600: 4", "30450: 1", "30900: 12"],
    ],
  ],
];
for (const [title, experiment, expected] of sizes)
  test(`requests leave in bursts: ${title}`, () => {
    expect(bursts(experiment())).toEqual(expected);
  });

test("each request of a burst has its own connection, and those of a pair share one", () => {
  expect(connections(of(burstTriple(), 1))).toEqual(upTo(12));
  expect(connections(tripleAndRecovery).at(-1)).toBe(12);
  expect(new Set(connections(pair(1_200)))).toEqual(new Set([0]));
  expect(connections(of(spacedBursts, 1))).toEqual(upTo(12));
});

test("callers take turns within a burst; where there is one, all is his", () => {
  expect(callers(sideBySide(2))).toEqual([0, 1, 0, 1, 0, 1, 0, 1, 0, 1]);
  expect(callers(of(burstTriple(2), 2))).toEqual([0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1]);
  for (const experiment of [burstTriple(), tripleAndRecovery, pair(1_200), steady, spacedBursts])
    expect(new Set(callers(experiment))).toEqual(new Set([0]));
});

test("bursts are groups, counted from 0", () => {
  expect(tripleAndRecovery.map(({ group }) => group).filter((group, nth, all) => group !== all[nth - 1])).toEqual([
    0, 1, 2, 3,
  ]);
  expect([...sideBySide(2), ...overPlan, ...afterRest].every(({ group }) => group === 0)).toBe(true);
  expect(new Set(callers([...overPlan, ...afterRest]))).toEqual(new Set([0]));
  expect(pair(1_200).map(({ group }) => group)).toEqual([0, 0, 0, 0, 0, 1, 1, 1, 1, 1]);
  expect(spacedBursts.map(({ group }) => group).filter((group, nth, all) => group !== all[nth - 1])).toEqual(upTo(20));
});

const rates: readonly (readonly [title: string, Experiment, count: number, last_ms: number, connections: number])[] = [
  ["3 per second for a minute", steady, 180, 3_000 + 179_000 / 3, 4],
  ["12 per second for 20 s", overload, 240, 3_000 + 239_000 / 12, 6],
];
for (const [title, experiment, count, last_ms, open] of rates)
  test(`requests leave evenly: ${title}`, () => {
    expect(experiment).toHaveLength(count);
    expect(experiment[0]?.at_ms).toBe(3_000);
    expect(experiment.at(-1)?.at_ms).toBeCloseTo(last_ms, 6);
    expect(connections(experiment.slice(0, open + 1))).toEqual([...upTo(open), 0]);
    expect(new Set(experiment.map(({ group }) => group))).toEqual(new Set([0]));
  });

test("plans differ from the plain one in one number each", () => {
  expect(plans).toEqual({
    plain: { perSecond: 8, burst: 8 },
    "a larger burst": { perSecond: 8, burst: 24 },
    "more per second": { perSecond: 20, burst: 8 },
    "a quota": { perSecond: 20, burst: 20, quota: 10 },
  });
});

test("each plan has its own caller and group, but for a quota, which is exceeded twice", () => {
  const groups = upTo(5).map((group) => of(acrossPlans, group));
  expect(groups.map((group) => [...new Set(callers(group))])).toEqual([[0], [1], [2], [3], [3]]);
  expect(groups.filter((_, nth) => nth !== 2).map(bursts)).toEqual([
    ["3000: 40"],
    ["3300: 40"],
    ["3450: 15"],
    ["6450: 5"],
  ]);
  const [first, second] = groups[2] ?? [];
  expect([groups[2]?.length, first?.at_ms, groups[2]?.at(-1)?.at_ms]).toEqual([30, 3_600, 3_600 + 29_000 / 15]);
  expect((second?.at_ms ?? 0) - (first?.at_ms ?? 0)).toBeCloseTo(1_000 / 15, 6);
  expect(connections(groups[2] ?? []).slice(0, 9)).toEqual([...upTo(8), 0]);
  expect(acrossPlans).toHaveLength(130);
});
