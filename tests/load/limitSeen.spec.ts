// Tests of what is told of a limit: how many at once, in how long, its window, or that it can't be told
import { expect, test } from "@playwright/test";
import { type Experiment, overload, tripleAndRecovery } from "../../load/rateLimits/experiments.ts";
import { bucket, fixed, fixedFromFirst, type Make, slidingLog, weighted } from "../../load/rateLimits/limiterModels.ts";
import { limitInWords, limitSeen, type SentExperiment } from "../../load/rateLimits/limitSeen.ts";
import type { Sample } from "../../load/rateLimits/samples.ts";
import { spacedBursts } from "../../load/rateLimits/spacedBursts.ts";
import { none } from "../../proof/limiter/limiters.ts";

type Change = (sample: Sample, nth: number) => Sample;
const as: Change = (sample) => sample;

/** Each request takes 10 ms; windows at set times begin 0.43 s before the first. */
function sent(make: Make, change: Change = as, only?: Experiment): readonly SentExperiment[] {
  return (only ? [only] : [spacedBursts, tripleAndRecovery, overload]).map((experiment) => {
    const limiter = make(430);
    const samples = experiment.map(({ at_ms }, nth) => {
      const isServed = limiter({ at_ms, project: 0, key: 0, connection: 0 }) !== null;
      return change({ sent_ms: at_ms, received_ms: at_ms + 10, outcome: isServed ? "served" : "refused" }, nth);
    });
    return [experiment, samples];
  });
}

const seen: readonly (readonly [title: string, Make, stated: readonly [number, number, string]])[] = [
  ["a sliding log", slidingLog(5), [5, 1_000, "slides"]],
  ["two weighted windows", weighted(5), [5, 1_000, "slides"]],
  ["windows at set times", fixed(5), [5, 1_000, "fixed"]],
  ["windows from the first request", fixedFromFirst(5), [5, 1_000, "fixed"]],
  ["a bucket", bucket(5, 5), [5, 1_000, "refills steadily"]],
  ["another number in another time", slidingLog(7, { length_ms: 1_500 }), [7, 1_500, "slides"]],
  ["a bucket of whole tokens per second", bucket(10, 7), [10, 10_000 / 7, "refills steadily"]],
];
for (const [title, make, [atOnce, length_ms, window]] of seen)
  test(`how many at once, in how long and how they become free again is told of ${title}`, () => {
    expect(limitSeen(sent(make))).toEqual({ atOnce, length_ms, window });
  });

const fiveASecond = { atOnce: 5, length_ms: 1_000, window: "slides" } as const;
const fiveAtOnce = { atOnce: 5, length_ms: null, window: null };
for (const [title, make] of [
  ["a length that nobody would choose", slidingLog(5, { length_ms: 900 })],
  ["windows that are over before the next burst, whether they slide or not", slidingLog(5, { length_ms: 250 })],
  ["a limiter that counts what it refuses", slidingLog(5, { countsRefused: true })],
  ["a bucket that earns a fraction per second", bucket(5, 3.5)],
] as const)
  test(`how many at once is told alone of ${title}`, () => expect(limitSeen(sent(make))).toEqual(fiveAtOnce));

test("bursts alone don't show in how long", () => {
  expect(limitSeen(sent(slidingLog(5), as, tripleAndRecovery))).toEqual(fiveAtOnce);
});

/** Of the three bursts of 12 so many are served. */
const served = (...counts: readonly number[]) =>
  sent(
    none,
    (sample, nth) => (nth % 12 < (counts[Math.floor(nth / 12)] ?? 1) ? sample : { ...sample, outcome: "refused" }),
    tripleAndRecovery,
  );

const atOnce: readonly (readonly [counts: readonly number[], number | null])[] = [
  [[5, 5, 5], 5],
  [[5, 5, 6], null],
  [[6, 5, 6], null],
  [[12, 12, 5], null],
];
for (const [counts, stated] of atOnce)
  test(`after a rest ${counts.join(", ")} are served: ${stated ?? "none is told"}`, () => {
    expect(limitSeen(served(...counts)).atOnce).toBe(stated);
  });

test("one burst may meet two windows where it is known what they do", () => {
  const sixth: Change = (sample, nth) =>
    nth === 42 && sample.sent_ms === 8_320 ? { ...sample, outcome: "served" } : sample;
  expect(limitSeen(sent(slidingLog(5), sixth))).toEqual(fiveASecond);
  expect(limitSeen(sent(slidingLog(5, { length_ms: 900 }), sixth)).atOnce).toBeNull();
});

const strays: readonly (readonly [title: string, change: Change])[] = [
  ["fail", (sample) => ({ ...sample, outcome: "failed" })],
  ["take 0.3 s", (sample) => ({ ...sample, received_ms: sample.sent_ms + 300 })],
  [
    "are lost once they are served",
    (sample) => (sample.outcome === "served" ? { ...sample, outcome: "failed" } : sample),
  ],
];
for (const [title, change] of strays)
  test(`where some ${title}, the same is told, or that it can't be`, () => {
    const every = (distance: number) =>
      limitSeen(sent(slidingLog(5), (sample, nth) => (nth % distance === 3 ? change(sample, nth) : sample)));
    expect(every(25)).toEqual(fiveASecond);
    for (const distance of [2, 5])
      for (const [question, stated] of Object.entries(every(distance)))
        expect([null, fiveASecond[question as keyof typeof fiveASecond]]).toContain(stated);
  });

test("refusals in other words count as refusals", () => {
  const otherwise: Change = (sample) =>
    sample.outcome === "refused" ? { ...sample, outcome: "undocumented" } : sample;
  expect(limitSeen(sent(slidingLog(5), otherwise))).toEqual(fiveASecond);
});

const unknown = "can't be told";
const unlimited = "none: nothing was refused";
for (const [make, limit, atOnce, window] of [
  [slidingLog(5), "5 in 1 s", 5, "slides"],
  [bucket(5, 4), "5 in 1.25 s", 5, "refills steadily"],
  [bucket(10, 7), "10 in 1.43 s", 10, "refills steadily"],
  [slidingLog(5, { length_ms: 900 }), unknown, 5, unknown],
  [none, unlimited, "12 or more", unlimited],
] as const)
  test(`a limit is told in words: ${limit}, ${window}`, () => {
    expect(limitInWords(sent(make))).toEqual({ limit, atOnce, window });
  });

test("nothing is told where requests beyond a limit fail instead of being refused", () => {
  const failing: Change = (sample) => (sample.outcome === "refused" ? { ...sample, outcome: "failed" } : sample);
  expect(limitInWords(sent(slidingLog(5), failing))).toEqual({ limit: unknown, atOnce: unknown, window: unknown });
});
