// Steps of calls, of which one measurement distinguishes the growth: reads between them, at once and of late charges
import { expect, test } from "@playwright/test";
import { learnLag } from "../../contracts/metering/chargePace.ts";
import { growthInSteps, type Step } from "../../contracts/metering/growth.ts";
import { balances } from "../../contracts/wallet/requests.ts";
import { MadeMeter, type Ways } from "./madeMeter.ts";

const [requests, credits, total] = ["/requests/walletApi", "/credits/walletApi", "/creditsUsed"] as const;

/** What the nth call counts, and how long after it all its charges show, in ms. */
const each = (of: (nth: number) => readonly [count: number, lag_ms: number]): Ways => ({
  calls: (nth) => {
    const [count, lag_ms] = of(nth);
    return { [requests]: [count, lag_ms], [credits]: [100, lag_ms], [total]: [100, lag_ms] };
  },
});

const after = (lag_ms: number): Ways => each(() => [1, lag_ms]);

const step = (name: string, calls: number, isCounted = true): Step => ({
  name,
  calls: Array.from({ length: calls }, () => balances({ as: "paid" })),
  isCounted,
});

/**
 * When calls were sent, the first at 300 ms, and usage was read last; how many calls there were in each step and what
 * they added to requests and credits, null where that can't be distinguished.
 * @param known_ms how long charges are known to take
 */
async function inSteps(ways: Ways, some: readonly Step[], known_ms = 0) {
  const meter = new MadeMeter(ways);
  if (known_ms > 0) learnLag(meter.context, "/credits/das", known_ms, false);
  const growths = await growthInSteps(meter.context, "paid", some, 0);
  const grown = growths.map((one) => one && [one.sent.length, Number(one.of(requests)), Number(one.of(credits))]);
  return { grown, calls: meter.calls, reads: meter.reads };
}

const one = [1, 1, 100];

test("a step whose count is known ends with the read that shows it", async () => {
  const { grown, calls, reads } = await inSteps(after(0), [step("a", 2), step("b", 1)]);
  expect(grown).toEqual([[2, 2, 200], one]);
  expect(calls).toEqual([300, 400, 600]);
  // Another read shows the whole; and one that it stands still, for half as long again as the first one took.
  expect(reads).toEqual([0, 100, 200, 500, 700, 800, 1_150]);
});

test("and any other with the first read, whatever it counts", async () => {
  const ways = each((nth) => [[2, 0, 5][nth - 1] ?? 1, 0]);
  const { grown, calls } = await inSteps(
    ways,
    ["a", "b", "c"].map((name) => step(name, 1, false)),
  );
  expect(grown).toEqual([
    [1, 2, 100],
    [1, 0, 100],
    [1, 5, 100],
  ]);
  expect(calls).toEqual([300, 500, 700]);
});

test("a step of which a call isn't served has no known count", async () => {
  const ways: Ways = { ...each((nth) => [nth === 2 ? 0 : 1, 0]), status: (nth) => (nth === 2 ? 404 : 200) };
  const { grown, calls } = await inSteps(ways, [step("a", 2), step("b", 1)]);
  expect(grown).toEqual([[2, 1, 200], one]);
  expect(calls).toEqual([300, 400, 600]);
});

test("counts that show after several reads are waited for: as many reads as the slowest known one took", async () => {
  const ways = each((nth) => [1, nth === 2 ? 0 : 250]);
  const steps = [step("a", 1), step("b", 1), step("c", 1, false), step("d", 1, false)];
  const { grown, calls } = await inSteps(ways, steps);
  expect(grown).toEqual([one, one, one, one]);
  // Three reads, one, three and three.
  expect(calls).toEqual([300, 700, 900, 1_300]);
});

test("but for no longer than 2 s; later ones are distinguished once all have shown", async () => {
  const { grown, calls, reads } = await inSteps(after(2_500), [step("a", 2), step("b", 1)]);
  expect(grown).toEqual([[2, 2, 200], one]);
  expect(calls).toEqual([300, 400, 2_600]);
  expect(reads.slice(-4)).toEqual([5_000, 5_100, 5_200, 5_550]);
});

test("counts are taken for those of steps in the order in which they show", async () => {
  const ways: Ways = {
    calls: (nth) => ({ [requests]: [1, nth === 1 ? 3_000 : 0], [credits]: [nth, nth === 1 ? 3_000 : 0] }),
  };
  const { grown } = await inSteps(ways, [step("a", 1), step("b", 1), step("c", 1)]);
  expect(grown).toEqual([
    [1, 1, 2],
    [1, 1, 3],
    [1, 1, 1],
  ]);
});

/** Where charges are late: when the only call of the last step is sent, after one of so many calls. */
const stills: readonly (readonly [calls: number, known_ms: number, last_ms: number])[] = [
  // Two reads at least.
  [1, 2_500, 600],
  [2, 2_500, 700],
  // For longer than the calls took.
  [3, 2_500, 900],
  [11, 2_500, 2_500],
  // Or than charges do.
  [30, 2_500, 5_900],
];

for (const [calls, known_ms, last_ms] of stills)
  test(`charges that take ${known_ms} ms stand still after ${calls} calls until ${last_ms} ms`, async () => {
    const found = await inSteps(after(known_ms), [step("a", calls), step("b", 1)], known_ms);
    expect(found.calls.at(-1)).toBe(last_ms);
    expect(found.grown).toEqual([[calls, calls, 100 * calls], one]);
  });

test("steps are distinguished by late charges where a read shows all of one and none of the next", async () => {
  const some = ["a", "b", "c"].map((name) => step(name, 1));
  const known = async (...lags_ms: readonly number[]): Promise<readonly unknown[]> => {
    const ways = each((nth) => [1, lags_ms[nth - 1] ?? 0]);
    const { grown, calls } = await inSteps(ways, some, 2_500);
    expect(calls).toEqual([300, 600, 900]);
    return grown;
  };
  expect(await known(2_500, 2_500, 2_500)).toEqual([one, one, one]);
  expect(await known(2_500, 2_200, 2_500)).toEqual([null, null, one]);
  expect(await known(2_500, 2_500, 2_200)).toEqual([one, null, null]);
  expect(await known(2_500, 2_200, 1_900)).toEqual([null, null, null]);
});

test("counts that don't show are waited for like all charges: three times the slowest time, and 1 s", async () => {
  const { grown, reads } = await inSteps({}, [step("a", 1)], 2_500);
  expect(grown).toEqual([null]);
  expect(reads.slice(-2)).toEqual([9_000, 9_100]);
});

test("credits that show later than counts belong to no step", async () => {
  const late: Ways = { calls: () => ({ [requests]: [1], [credits]: [100, 500], [total]: [100, 500] }) };
  expect((await inSteps(late, [step("a", 1), step("b", 1)])).grown).toEqual([null, null]);
});

test("what is measured begins after a pause", async () => {
  const meter = new MadeMeter(after(0));
  await growthInSteps(meter.context, "paid", [step("a", 1)], 6_000);
  expect(meter.reads.slice(0, 3)).toEqual([0, 6_100, 6_200]);
});
