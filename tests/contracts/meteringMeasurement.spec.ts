// Usage measurement: when usage is read until charges show and stand still, and what is learnt of their pace
import { expect, test } from "@playwright/test";
import Big from "big.js";
import { type Awaited, chargePaceOf } from "../../contracts/metering/chargePace.ts";
import type { MeasuredUsage } from "../../contracts/metering/reads.ts";
import { Measurement } from "../../contracts/metering/usageMeasurement.ts";
import { Withheld } from "../../harness/core/outcomes.ts";
import { MadeMeter, type Ways } from "./madeMeter.ts";

const [requests, credits] = ["/requests/walletApi", "/credits/walletApi"] as const;
const each: MeasuredUsage = { askers: ["paid"], counters: [[requests], [credits]] };

/** A measurement that has read at 0, 100 and 200 ms; a call is sent at 300 ms. */
async function begun(
  ways: Ways = {},
  measured: MeasuredUsage = each,
  prepare: (meter: MadeMeter) => unknown = () => null,
) {
  const meter = new MadeMeter(ways);
  await prepare(meter);
  const measurement = await Measurement.begin(meter.context, measured);
  meter.reads.length = 0;
  return { meter, measurement, pace: chargePaceOf(meter.context) };
}

const charged = (requestsLag_ms: number, creditsLag_ms: number): Ways => ({
  calls: () => ({ [requests]: [1, requestsLag_ms], [credits]: [100, creditsLag_ms] }),
});

const namesOf = (some: readonly Awaited[]): readonly string[] => some.map(({ name }) => name);
const within = (most_ms: number) => (): number => most_ms;

test("charges that show in the first read after their call show at once", async () => {
  const { meter, measurement, pace } = await begun(charged(0, 0));
  await meter.call();
  expect(await measurement.untilShown(within(10_000))).toEqual([]);
  expect(meter.reads).toEqual([400]);
  expect([[...pace.shown_ms], pace.isAtOnce]).toEqual([
    [
      [requests, 100],
      [credits, 100],
    ],
    true,
  ]);
});

test("of several calls the last counts", async () => {
  const { meter, measurement, pace } = await begun(charged(0, 0));
  await meter.call("paid", 3);
  await measurement.untilShown(within(10_000));
  expect([meter.reads, pace.slowest_ms]).toEqual([[600], 100]);
});

test("each counter is waited for, in growing waits from the least of 250 ms", async () => {
  const { meter, measurement, pace } = await begun(charged(0, 1_000));
  await meter.call();
  expect(await measurement.untilShown(within(10_000))).toEqual([]);
  expect(meter.reads).toEqual([400, 750, 1_100, 1_450]);
  expect([[...pace.shown_ms], pace.isAtOnce]).toEqual([
    [
      [requests, 100],
      [credits, 1_150],
    ],
    false,
  ]);
});

/** When usage is read where nothing shows, and each charge so far has taken so long. */
const waits: readonly (readonly [most_ms: number, known_ms: number, pass_ms: number, reads: readonly number[]])[] = [
  [100, 0, 0, [400]],
  [101, 0, 0, [400, 501]],
  [1_600, 0, 0, [400, 750, 1_100, 1_450, 1_837.5, 2_000]],
  [5_000, 6_000, 0, [400, 3_400, 4_500, 5_400]],
  [5_500, 6_000, 0, [400, 3_400, 4_500, 5_650, 5_900]],
  [3_100, 6_000, 2_400, [2_800, 3_400]],
  [4_000, 6_000, 2_900, [3_300, 4_400]],
];

for (const [most_ms, known_ms, pass_ms, reads] of waits)
  test(`${pass_ms + 100} ms after a call, within ${most_ms} ms, of charges that take ${known_ms} ms`, async () => {
    const { meter, measurement, pace } = await begun();
    if (known_ms > 0) pace.note("/credits/das", known_ms, false);
    await meter.call();
    meter.pass(pass_ms);
    const unshown = await measurement.untilShown(within(most_ms));
    expect(namesOf(unshown)).toEqual([`paid ${requests}`, `paid ${credits}`]);
    expect(meter.reads).toEqual(reads);
    expect([measurement.isUnmoved(unshown), measurement.isUnmoved(unshown.slice(1))]).toEqual([true, false]);
  });

/** Of a call at 300 ms that shows in a read so long after it: how long its charge is said to take. */
const lags: readonly (readonly [read_ms: number, known_ms: number, took_ms: number])[] = [
  [30_000, 0, 30_000],
  // May be the charge of calls before the measurement, which began at 200 ms.
  [30_001, 0, 30_101],
  [36_000, 30_000, 36_000],
  [36_001, 30_000, 36_101],
];

for (const [read_ms, known_ms, took_ms] of lags)
  test(`a charge that shows after ${read_ms} ms, of a counter of ${known_ms} ms, took ${took_ms} ms`, async () => {
    const { meter, measurement, pace } = await begun(charged(20_000, 20_000), {
      askers: ["paid"],
      counters: [[requests]],
    });
    if (known_ms > 0) pace.note(requests, known_ms, false);
    await meter.call();
    meter.pass(read_ms - 100);
    await measurement.untilShown(within(60_000));
    expect(pace.shown_ms.get(requests)).toBe(took_ms);
  });

test("what grew without calls shows, but not how long charges take", async () => {
  const { meter, measurement, pace } = await begun();
  meter.charge("paid", { [requests]: [1], [credits]: [100] });
  expect(await measurement.untilShown(within(10_000))).toEqual([]);
  expect([meter.reads, pace.slowest_ms]).toEqual([[300], null]);
});

/** A call at 300 ms, whose credits show so late; a read and a mark at 400 ms, and a read at this time. */
async function marked(lag_ms: number, read_ms: number) {
  const { meter, measurement, pace } = await begun(charged(0, lag_ms));
  await meter.call();
  await measurement.untilShown(within(0));
  measurement.mark();
  meter.pass(read_ms - meter.now_ms);
  const unshown = namesOf(await measurement.untilShown(within(0)));
  return { unshown, took_ms: pace.shown_ms.get(credits) };
}

test("after a mark further growth is waited for, and charges of older calls may show", async () => {
  expect(await marked(60_000, 30_000)).toEqual({
    unshown: [`paid ${requests}`, `paid ${credits}`],
    took_ms: undefined,
  });
  expect(await marked(30_000, 30_400)).toEqual({ unshown: [`paid ${requests}`], took_ms: 30_000 });
  // More than 30 s after the mark it may be that of the oldest call that hadn't shown.
  expect(await marked(30_000, 30_401)).toEqual({ unshown: [`paid ${requests}`], took_ms: 30_201 });
});

test("what has shown before a mark may show again, after the mark at the earliest", async () => {
  const { meter, measurement, pace } = await begun(
    { calls: (nth) => ({ [requests]: [1, nth === 1 ? 0 : 40_000] }) },
    { askers: ["paid"], counters: [[requests]] },
  );
  await meter.call();
  await measurement.untilShown(within(0));
  measurement.mark();
  // The mark was at the last read, at 400 ms; the call is sent at 1000 ms and read at 41 s.
  meter.pass(500);
  await meter.call();
  meter.pass(41_000 - meter.now_ms);
  expect(await measurement.untilShown(within(0))).toEqual([]);
  expect(pace.shown_ms.get(requests)).toBe(40_600);
});

/** Counters that aren't awaited, so that nothing else is left to wait for. */
const left: readonly (readonly [
  why: string,
  prepare: (meter: MadeMeter) => unknown,
  counters: MeasuredUsage["counters"],
])[] = [
  [
    "known not to show",
    ({ context }) => chargePaceOf(context).lapses.set(`paid ${requests}`, new Withheld("made")),
    [[requests]],
  ],
  [
    "pools that are used up",
    (meter) => meter.charge("paid", { "/prepaidCreditsRemaining": [-40] }),
    [["/prepaidCreditsRemaining", "/prepaidCreditsUsed"]],
  ],
  [
    "moving by themselves",
    ({ context }) => chargePaceOf(context).restless.add(`paid ${requests}`),
    [[requests, credits]],
  ],
];

for (const [why, prepare, counters] of left)
  test(`counters aren't waited for that are ${why}`, async () => {
    const { measurement } = await begun({}, { askers: ["paid"], counters: [...counters, ["/credits/das"]] }, prepare);
    expect(namesOf(await measurement.untilShown(within(0)))).toEqual(["paid /credits/das"]);
  });

test("a counter shows by any figure that is steady, of those who pay", async () => {
  const ways: Ways = { calls: () => ({ [credits]: [100] }) };
  const restless = (meter: MadeMeter): unknown => chargePaceOf(meter.context).restless.add(`paid ${credits}`);
  const { meter, measurement } = await begun(ways, { askers: ["paid"], counters: [[requests, credits]] }, restless);
  await meter.call();
  expect(await measurement.untilShown(within(0))).toHaveLength(1);
  const paying = await begun(ways, { askers: ["paid", "other"], payers: ["other"], counters: [[requests, credits]] });
  expect(namesOf(await paying.measurement.untilShown(within(0)))).toEqual([`other ${requests} ${credits}`]);
  await paying.meter.call("other");
  expect(await paying.measurement.untilShown(within(0))).toEqual([]);
});

test("where earlier calls may still show, a counter shows once it has grown by more", async () => {
  const shown = async (calls: number, pending: string): Promise<number> => {
    const { meter, measurement, pace } = await begun(charged(0, 0), { askers: ["paid"], counters: [[requests]] });
    pace.pending.set(pending, new Big(2));
    await meter.call("paid", calls);
    return (await measurement.untilShown(within(0))).length;
  };
  expect(await Promise.all([2, 3].map((calls) => shown(calls, `paid ${requests}`)))).toEqual([1, 0]);
  expect(await shown(3, `paid ${credits}`)).toBe(1);
});

test("where reads count, a figure that falls doesn't show", async () => {
  const fall = async (by: number): Promise<number> => {
    const ways: Ways = { reads: { [requests]: [1] }, odd: { 4: { [requests]: 4 + by } } };
    const meter = new MadeMeter(ways);
    const measurement = await Measurement.begin(meter.context, { askers: ["paid"], counters: [[requests]] }, 3_000);
    return (await measurement.untilShown(within(0))).length;
  };
  expect([await fall(-1), await fall(0), await fall(1)]).toEqual([1, 1, 0]);
});

/** Figures that grow by one every 200 ms from now on, for long. */
const growing = (meter: MadeMeter): void => {
  for (let nth = 1; nth < 400; nth += 1) meter.charge("paid", { [requests]: [1, nth * 200] });
};

test("figures that never stand still move by themselves, after as many reads as the pause allows", async () => {
  const untilStill = async (pause_ms: number) => {
    const { meter, measurement, pace } = await begun();
    growing(meter);
    await measurement.untilStill(pause_ms);
    return { reads: meter.reads, restless: [...pace.restless] };
  };
  const restless = [`paid ${requests}`];
  const doubled = [550, 1_150, 2_250, 4_350, 8_450, 16_550, 32_650, 64_750];
  expect(await untilStill(0)).toEqual({ reads: doubled, restless });
  expect((await untilStill(2_999)).reads).toHaveLength(8);
  expect(await untilStill(3_000)).toEqual({ reads: [3_300, 6_400, 9_500, 12_600], restless });
});

test("figures stand still once they are the same after a wait, however often they moved before", async () => {
  const { meter, measurement, pace } = await begun();
  meter.charge("paid", { [requests]: [1, 200] });
  meter.charge("paid", { [credits]: [100, 800] });
  await measurement.untilStill(0);
  expect([meter.reads, [...pace.restless]]).toEqual([[550, 1_150, 2_250], []]);
});

/** What is no movement, in one read. */
const still: readonly (readonly [what: string, ways: Ways, prepare: (meter: MadeMeter) => unknown])[] = [
  ["a figure that isn't awaited", { byItself: { "/credits/das": 10 } }, () => null],
  [
    "a figure that moves by itself",
    { byItself: { [credits]: 10 } },
    ({ context }) => chargePaceOf(context).restless.add(`paid ${credits}`),
  ],
  ["what reads add", { reads: { "/credits/das": [1] } }, () => null],
  ["a figure that a read lacks", { odd: { 4: { [requests]: undefined } } }, () => null],
];

for (const [what, ways, prepare] of still)
  test(`still figures: ${what}`, async () => {
    const { meter, measurement } = await begun(ways, each, prepare);
    await measurement.untilStill(0);
    expect(meter.reads).toHaveLength(1);
  });
