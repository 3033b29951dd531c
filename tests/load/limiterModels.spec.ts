// Tests of the models of limiters: what each serves, request by request
import { expect, test } from "@playwright/test";
import {
  type Arrival,
  bucket,
  fixed,
  fixedFromFirst,
  type Make,
  slidingLog,
  weighted,
} from "../../load/rateLimits/limiterModels.ts";
import { blocking, none, per, queueing } from "../../proof/limiter/limiters.ts";

const arrival = (at_ms: number, who: Partial<Arrival> = {}): Arrival => ({
  at_ms,
  project: 0,
  key: 0,
  connection: 0,
  ...who,
});

/** Of each arrival: when it was served, or that it wasn't. */
const turns = (make: Make, phase_ms: number, arrivals: readonly number[]): readonly (number | null)[] => {
  const limiter = make(phase_ms);
  return arrivals.map((at_ms) => limiter(arrival(at_ms)));
};

/** When requests came; a refused one is written as a text. */
type Decided = readonly (number | string)[];

const limiters: readonly (readonly [title: string, make: Make, phase_ms: number, decided: Decided])[] = [
  ["windows at set times", fixed(2), 0, [0, 10, "20", "999", 1_000, 1_001, "1002", 5_500, 5_999, "5999", 6_000]],
  ["windows that begin elsewhere", fixed(2), 400, [0, 10, "599", 600, 601, "602", "1599", 1_600]],
  ["windows of another length", fixed(1, 250), 0, [0, "249", 250, "499", 500, "501"]],
  ["windows from the first request", fixedFromFirst(2), 0, [300, 310, "320", "1299", 1_300, 1_301, "2299", 2_300]],
  ["the next begins with the next request", fixedFromFirst(1), 0, [300, "400", 1_900, "2300", "2899", 2_900]],
  ["started windows of another length", fixedFromFirst(1, 250), 0, [10, "259", 260, "509", 510]],
  ["a sliding log", slidingLog(2), 0, [0, 600, "700", "999", 1_000, "1599", 1_600, "1999", 2_000]],
  ["a sliding log of another length", slidingLog(1, { length_ms: 300 }), 0, [0, "299", 300, "599", 600]],
  [
    "a sliding log that counts what it refuses",
    slidingLog(2, { countsRefused: true }),
    0,
    [0, 600, "700", "1200", 2_200, 2_300, "2400", "3299", "3300"],
  ],
  ["a weighted share of an earlier window", weighted(4), 0, [0, 0, 0, 0, "1", "1249", 1_250, "1499", 1_500, "1501"]],
  ["a first window has none before it", weighted(1), 0, [0, "10", "1000", "1999", 2_000]],
  ["an earlier window is forgotten after one more", weighted(2), 0, [900, 950, "960", 2_000, 2_000, "2001"]],
  ["a window weighs by itself where it is the first", weighted(2), 400, [500, 500, "599", "600", 1_100, "1101"]],
  ["a bucket earns what it lacks, and no more", bucket(2, 4), 0, [0, 0, "0", "249", 250, "251", 1_000, 1_000, "1000"]],
  ["a bucket is full after a rest", bucket(3, 1), 0, [60_000, 60_000, 60_000, "60000", "60999", 61_000, "61001"]],
  ["tokens add up over refusals", bucket(1, 1), 0, [0, "400", "800", 1_200, "2199", 2_200]],
  ["it blocks once exceeded", blocking(2), 0, [0, 100, "200", "1199", 1_200, 1_300, "1400"]],
  ["what it refuses while it blocks doesn't prolong it", blocking(1), 0, [0, "10", "500", "1009", 1_010]],
  ["it blocks for another time", blocking(1, 3_000), 0, [0, "10", "1010", "3009", 3_010]],
  ["it doesn't block below its limit", blocking(2), 0, [0, 900, 1_000, 1_100, "1101", "2100", 2_101]],
  ["there is no limit", none, 0, [0, 0, 0, 5]],
];
test("each request is served at once or refused", () => {
  const served = (decided: Decided) => decided.map((one) => (typeof one === "number" ? one : null));
  expect(
    limiters.map(([title, make, phase_ms, decided]) => [title, turns(make, phase_ms, decided.map(Number))]),
  ).toEqual(limiters.map(([title, , , decided]) => [title, served(decided)]));
});

test("a queue serves each request when its turn comes", () => {
  expect(turns(queueing(2), 0, [0, 10, 20, 30, 40, 5_000, 5_001, 5_002])).toEqual([
    0, 10, 1_000, 1_010, 2_000, 5_000, 5_001, 6_000,
  ]);
  expect(turns(queueing(2), 0, [0, 10, 1_000, 1_010, 1_020])).toEqual([0, 10, 1_000, 1_010, 2_000]);
});

test("each that is named has a limiter of its own, in the same phase", () => {
  const limiter = per(({ key }) => key, fixed(1))(400);
  const decided = [
    arrival(0, { key: 1 }),
    arrival(1, { key: 2, project: 1 }),
    arrival(2, { key: 1, connection: 3 }),
    arrival(600, { key: 1 }),
    arrival(601, { key: 2 }),
    arrival(602, { key: 2 }),
  ].map(limiter);
  expect(decided).toEqual([0, 1, null, 600, 601, null]);
});
