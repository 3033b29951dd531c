// Tests of the evidence of a limiter: samples as intervals, and what is certain and possible of them
import { expect, test } from "@playwright/test";
import { evidenceOf, type Interval, Intervals } from "../../load/rateLimits/evidence.ts";
import {
  anyLengths,
  Demands,
  fitsOf,
  hasFit,
  lengthsBetween,
  mostServed,
  setLengths_ms,
  sumOf,
} from "../../load/rateLimits/fits.ts";
import {
  count,
  duration_ms,
  latency_ms,
  type Outcome,
  type Sample,
  sending_ms,
} from "../../load/rateLimits/samples.ts";

const between = (from_ms: number, to_ms: number): Interval => ({ from_ms, to_ms });
const took = (sent_ms: number, took_ms: number, outcome: Outcome = "served"): Sample => ({
  sent_ms,
  received_ms: sent_ms + took_ms,
  outcome,
});

test("samples are counted by outcome, and last from the first sending to the last receipt", () => {
  const seen = [took(100, 50), took(40, 30, "refused"), took(90, 10, "failed"), took(95, 1, "undocumented")];
  expect(count(seen, "served")).toBe(1);
  expect(count(seen, "refused", "undocumented")).toBe(2);
  expect(count(seen)).toBe(0);
  expect([duration_ms(seen), sending_ms(seen)]).toEqual([110, 60]);
  expect(seen.map(latency_ms)).toEqual([50, 30, 10, 1]);
});

const three = () => new Intervals([between(20, 30), between(0, 10), between(5, 40)]);
const none = () => new Intervals([]);

test("intervals are kept in the order in which they begin", () => {
  expect(three().all).toEqual([between(0, 10), between(5, 40), between(20, 30)]);
});

const mayBe: readonly (readonly [from_ms: number, to_ms: number, most: number])[] = [
  [-9, -1, 0],
  [-9, 0, 1],
  [-9, 4, 1],
  [-9, 5, 2],
  [-9, 99, 3],
  [10, 10, 2],
  [11, 11, 1],
  [11, 20, 2],
  [30, 99, 2],
  [31, 99, 1],
  [40, 99, 1],
  [41, 99, 0],
  [50, -1, 0],
];
for (const [from_ms, to_ms, most] of mayBe)
  test(`of 0–10, 5–40 and 20–30 at most ${most} are from ${from_ms} to ${to_ms}`, () => {
    expect(three().possible(from_ms, to_ms)).toBe(most);
    expect(none().possible(from_ms, to_ms)).toBe(0);
  });

const isSure: readonly (readonly [after_ms: number, to_ms: number, least: number])[] = [
  [-1, 9, 0],
  [-1, 10, 1],
  [0, 10, 0],
  [-1, 39, 2],
  [-1, 40, 3],
  [0, 40, 2],
  [5, 40, 1],
  [20, 40, 0],
  [20, 30, 0],
];
for (const [after_ms, to_ms, least] of isSure)
  test(`of 0–10, 5–40 and 20–30 at least ${least} are after ${after_ms} and up to ${to_ms}`, () => {
    expect(three().certain(after_ms, to_ms)).toBe(least);
    expect(none().certain(after_ms, to_ms)).toBe(0);
  });

test("the first end is that of intervals that begin at the instant or later", () => {
  const first = [Number.NEGATIVE_INFINITY, 0, 1, 5, 6, 20, 21].map((from_ms) => three().firstEndFrom(from_ms));
  expect(first).toEqual([10, 10, 30, 30, 30, 30, Number.POSITIVE_INFINITY]);
  expect(none().firstEndFrom(0)).toBe(Number.POSITIVE_INFINITY);
});

/** Where the decisions on one experiment are, which were all served. */
const served = (...seen: readonly Sample[]): readonly Interval[] => evidenceOf([seen])[0]?.served.all ?? [];

const ways: readonly (readonly [title: string, seen: readonly Sample[], intervals: readonly Interval[]])[] = [
  ["3 ms before the sending and after the receipt", [took(100, 0)], [between(97, 103)]],
  ["less the quickest way there and back, but for 6 ms", [took(100, 30)], [between(97, 109)]],
  ["no way is shortened below nothing", [took(100, 5)], [between(97, 108)]],
  [
    "but for half of what the usual way takes more, if that is more than 6 ms",
    [took(0, 90), took(200, 40), took(400, 60)],
    [between(-3, 63), between(197, 213), between(397, 433)],
  ],
  [
    "but for 6 ms where half of that is less",
    [took(0, 90), took(200, 50), took(400, 40)],
    [between(-3, 59), between(197, 219), between(397, 409)],
  ],
  [
    "the usual way is the upper of two in the middle",
    [took(0, 80), took(200, 60), took(400, 100), took(600, 40)],
    [between(-3, 63), between(197, 243), between(397, 483), between(597, 623)],
  ],
  [
    "nothing is shortened where ways differ by more than the quickest takes",
    [took(0, 10), took(200, 40), took(400, 50)],
    [between(-3, 13), between(197, 243), between(397, 453)],
  ],
];
for (const [title, seen, intervals] of ways)
  test(`the limiter decided between sending and receipt: ${title}`, () => {
    expect(served(...seen)).toEqual(intervals);
  });

test("a failure says nothing of how quick the way is, and lies at its sending where it was quicker", () => {
  const [one] = evidenceOf([[took(0, 40), took(200, 1, "failed"), took(300, 40)]]);
  expect(one?.all.all).toEqual([between(-3, 9), between(197, 203), between(297, 309)]);
});

test("the quickest way is that of all experiments, and nothing is known of one without answers", () => {
  const [first, second] = evidenceOf([[took(0, 40)], [took(100, 70), took(200, 70)]]);
  expect(first?.served.all).toEqual([between(-3, 18)]);
  expect(second?.served.all).toEqual([between(97, 148), between(197, 248)]);
  expect(evidenceOf([[took(0, 40, "failed")]])[0]?.perhaps.all).toEqual([between(-3, 43)]);
});

test("evidence holds each outcome where it counts", () => {
  const outcomes: readonly Outcome[] = ["served", "refused", "undocumented", "failed"];
  const [one] = evidenceOf([outcomes.map((outcome, nth) => took(nth * 100, 0, outcome))]);
  const sent = (some: Intervals | undefined) => some?.all.map(({ from_ms }) => from_ms + 3);
  expect({
    served: sent(one?.served),
    refused: sent(one?.refused),
    perhaps: sent(one?.perhaps),
    decided: sent(one?.decided),
    all: sent(one?.all),
  }).toEqual({ served: [0], refused: [100], perhaps: [0, 200, 300], decided: [0, 100], all: [0, 100, 200, 300] });
});

test("what is refused within 20 ms of the first is refused at once, in an order that isn't known", () => {
  const refused = [took(200, 0, "refused"), took(0, 60, "refused"), took(19, 0, "refused"), took(20, 0, "refused")];
  const [one] = evidenceOf([[...refused, took(10, 0)]]);
  expect(one?.refusedAtOnce).toEqual([
    { from_ms: -3, to_ms: 63, later: 2 },
    { from_ms: -3, to_ms: 63, later: 1 },
    { from_ms: 17, to_ms: 23, later: 1 },
    { from_ms: 197, to_ms: 203, later: 1 },
  ]);
});

/** How many demands limits of one to six don't meet, and the largest. */
const unmetBy = (demand: (demands: Demands) => void) => {
  const demands = new Demands();
  demand(demands);
  const unmet = demands.unmet();
  expect(unmet).toHaveLength(mostServed + 1);
  expect(unmet[0]).toBe(0);
  return [...unmet.slice(1, 7), ...unmet.slice(-2)];
};

const demanded: readonly (readonly [title: string, demand: (one: Demands) => void, unmet: readonly number[]])[] = [
  ["nothing", () => {}, [0, 0, 0, 0, 0, 0, 0, 0]],
  ["at least 3", (one) => one.atLeast(3), [1, 1, 0, 0, 0, 0, 0, 0]],
  ["at least 2.1, which is 3", (one) => one.atLeast(2.1), [1, 1, 0, 0, 0, 0, 0, 0]],
  ["at most 4", (one) => one.atMost(4), [0, 0, 0, 0, 1, 1, 1, 1]],
  ["at most 4.9, which is 4", (one) => one.atMost(4.9), [0, 0, 0, 0, 1, 1, 1, 1]],
  ["at least 1, which is every limit", (one) => one.atLeast(1), [0, 0, 0, 0, 0, 0, 0, 0]],
  ["at least less than nothing", (one) => one.atLeast(-2), [0, 0, 0, 0, 0, 0, 0, 0]],
  ["at most less than nothing", (one) => one.atMost(-2), [1, 1, 1, 1, 1, 1, 1, 1]],
  ["at least the largest", (one) => one.atLeast(150), [1, 1, 1, 1, 1, 1, 1, 0]],
  ["at least more than any", (one) => one.atLeast(151), [1, 1, 1, 1, 1, 1, 1, 1]],
  ["at least far more than any", (one) => one.atLeast(4_000), [1, 1, 1, 1, 1, 1, 1, 1]],
  ["at most 149", (one) => one.atMost(149), [0, 0, 0, 0, 0, 0, 0, 1]],
  ["at most far more than any", (one) => one.atMost(4_000), [0, 0, 0, 0, 0, 0, 0, 0]],
  [
    "several",
    (one) => {
      for (const served of [2, 3, 3, 5]) one.atLeast(served);
      for (const served of [1, 4, 4]) one.atMost(served);
    },
    [4, 4, 2, 2, 3, 3, 3, 3],
  ],
];
for (const [title, demand, unmet] of demanded)
  test(`demands that a limit doesn't meet: ${title}`, () => {
    expect(unmetBy(demand)).toEqual(unmet);
  });

test("demands of several experiments add up, limit by limit", () => {
  const sum = sumOf([Int32Array.of(0, 1, 2), Int32Array.of(0, 10, 20)]);
  expect(sum).toHaveLength(mostServed + 1);
  expect([...sum.slice(0, 4)]).toEqual([0, 11, 22, 0]);
  expect([...sumOf([]).slice(0, 2)]).toEqual([0, 0]);
});

test("a limit fits where it leaves fewer unexplained than are allowed, and serves at least one", () => {
  const unmet = Int32Array.of(0, 3, 2, 0, 3);
  expect([...fitsOf(unmet.slice(0, 5), [100, 200], 3)].filter(({ served }) => served < 5)).toEqual([
    { served: 2, least_ms: 100, most_ms: 200, unexplained: 2 },
    { served: 3, least_ms: 100, most_ms: 200, unexplained: 0 },
  ]);
  const all = [...fitsOf(new Int32Array(mostServed + 1), [100, 200], 1)].map(({ served }) => served);
  expect([all[0], all.at(-1), all.length]).toEqual([1, mostServed, mostServed]);
  expect(hasFit(Int32Array.of(0, 3, 2), 3)).toBe(true);
  expect(hasFit(Int32Array.of(3, 2, 3), 3)).toBe(true);
  expect(hasFit(Int32Array.of(0, 3, 3), 3)).toBe(false);
  expect(hasFit(Int32Array.of(0, 3, 3), 4)).toBe(true);
});

test("lengths of windows cover all between two, each by a ratio longer than the one before", () => {
  expect(lengthsBetween(100, 400, 2)).toEqual([
    [100, 200],
    [200, 400],
  ]);
  expect(lengthsBetween(100, 401, 2)).toHaveLength(3);
  expect(anyLengths[0]).toEqual([50, 51]);
  const [least_ms = 0, most_ms = 0] = anyLengths.at(-1) ?? [];
  expect(least_ms).toBeLessThan(75_000);
  expect(most_ms).toBeGreaterThanOrEqual(75_000);
  // Windows at set times have lengths by which a minute can be divided.
  expect(setLengths_ms.map((length_ms) => 60_000 / length_ms)).toEqual([
    600, 300, 240, 120, 60, 40, 30, 24, 20, 15, 12, 10, 6, 5, 4, 3, 2, 1,
  ]);
});
