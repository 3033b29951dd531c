// The whole mix: what its percentiles are by brute force, however its operations were answered.
import { expect, test } from "@playwright/test";
import { panelScorecard } from "../../reports/panel/scorecard.ts";
import {
  type Answered,
  answered,
  bruteForce,
  fewOfMany,
  mixLatencies,
  mixLeads,
  mixShares,
  pooled,
} from "./madeMix.ts";

test("percentiles are those of all answers in the shares of the mix, with an interval around them", () => {
  const [first] = mixLatencies(answered({ seed: 7 }));
  for (const [at, found] of [
    [0.5, first?.p50],
    [0.95, first?.p95],
    [0.99, first?.p99],
  ] as const) {
    const truth = bruteForce(at, 7);
    expect(Math.abs((found?.ms ?? 0) / truth - 1)).toBeLessThan(0.06);
    expect([(found?.from_ms ?? 0) <= truth, (found?.to_ms ?? 0) >= truth]).toEqual([true, true]);
  }
  expect(first).toMatchObject({ kind: "warm", answers: 1_000, unserved: [] });
});

test("who refuses most of its slow operation doesn't look faster for it", () => {
  const [honest, refusing] = [answered({}), answered({ served: { getCompressedBalance: 0.2 } })].map(
    (panel) => mixLatencies(panel)[0],
  );
  expect(refusing?.answers).toBeLessThan((honest?.answers ?? 0) * 0.85);
  expect(Math.abs((refusing?.p95?.ms ?? 0) / (honest?.p95?.ms ?? 0) - 1)).toBeLessThan(0.1);
});

test("without any answer of one operation nothing is said of the whole", () => {
  expect(mixLatencies(answered({ served: { getIndexerHealth: 0 } }))[0]).toMatchObject({
    unserved: ["getIndexerHealth"],
    p50: null,
    p95: null,
  });
});

for (const [polls, isGiven] of [
  [60, [true, false]],
  [40, [false, false]],
  [300, [true, true]],
  [280, [true, false]],
] as const)
  test(`of ${polls} answers, p95 and p99 are given: ${isGiven.join(" and ")}`, () => {
    const [first] = mixLatencies(answered({ polls }));
    expect(first?.answers).toBe(polls);
    expect([first?.p95 !== null, first?.p99 !== null]).toEqual(isGiven);
  });

test("a vendor that keeps no connection open is measured on new ones", () => {
  const both = mixLatencies(answered({ isCold: true }));
  expect(both.map(({ kind, answers }) => [kind, answers])).toEqual([
    ["cold", 1_000],
    ["warm", 1_000],
  ]);
});

test("without a workload, the mix is what all vendors that answer have served", () => {
  const { workload: _, ...panel } = answered({ served: { getIndexerHealth: 0 } });
  const [question] = panel.questions;
  const questions = Object.entries(mixShares).map(([operation, share]) => ({
    ...question,
    operation,
    polls: share * 100,
  }));
  const alone = { ...panel, questions } as ReturnType<typeof answered>;
  expect(mixLatencies(alone).map(({ unserved, p50 }) => [unserved, p50 === null])).toEqual([
    [[], false],
    [[], false],
  ]);
});

test("nights are one long night", () => {
  const nights = [answered({ seed: 1, polls: 200 }), answered({ seed: 2, polls: 200 })] as const;
  const [first] = mixLatencies(pooled(nights));
  expect(first?.answers).toBe(400);
  const alone = nights.map((night) => mixLatencies(night)[0]?.p50?.ms ?? 0);
  expect(first?.p50?.ms).toBeGreaterThanOrEqual(Math.min(...alone));
  expect(first?.p50?.ms).toBeLessThanOrEqual(Math.max(...alone));
});

test("who is faster over the mix is told from 30 pairs on, by all operations together", () => {
  const leadIn = (given: Answered) =>
    mixLeads(answered(given)).map(({ faster, slower, polls, isRanked, from_ms }) => {
      return { faster, slower, polls, isSure: isRanked && from_ms > 0 };
    });
  expect(leadIn({ polls: 40 })).toEqual([{ faster: 0, slower: 1, polls: 40, isSure: true }]);
  expect(leadIn({ polls: 20 })).toEqual([{ faster: 0, slower: 1, polls: 20, isSure: false }]);
  const [mixed] = mixLeads(answered({ polls: 30, isMixed: true }));
  // 23 of 31 for the first, which chance explains.
  expect([mixed?.faster, mixed?.polls, (mixed?.from_ms ?? 0) < 0, (mixed?.to_ms ?? 0) > 39]).toEqual([
    0,
    31,
    true,
    true,
  ]);
  // Of each operation alone there are too few.
  expect(answered({ polls: 40 }).leads.map(({ isRanked }) => isRanked)).toEqual([false, false, false]);
});

test("a few answers that stand for half of the calls tell nobody apart by chance, in 60 panels", () => {
  const ranked = Array.from({ length: 60 }, (_, seed) =>
    panelScorecard(fewOfMany(seed), false).rows.flatMap(({ criterion, cells }) =>
      cells.some((cell) => cell !== null && cell.rank !== null) ? [criterion] : [],
    ),
  );
  expect(ranked.flat().length).toBeLessThanOrEqual(2);
});
