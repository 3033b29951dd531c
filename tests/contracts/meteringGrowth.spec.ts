// Growth of usage by calls: what is known of each figure, and where a measurement rests
import { expect, test } from "@playwright/test";
import Big from "big.js";
import { chargePaceOf } from "../../contracts/metering/chargePace.ts";
import { growthBy, growthsBy } from "../../contracts/metering/growth.ts";
import type { MeasuredUsage } from "../../contracts/metering/reads.ts";
import { findRestless } from "../../contracts/metering/restless.ts";
import { Measurement } from "../../contracts/metering/usageMeasurement.ts";
import { Withheld } from "../../harness/core/outcomes.ts";
import { MadeMeter, type Ways } from "./madeMeter.ts";

const [requests, credits] = ["/requests/walletApi", "/credits/walletApi"] as const;
const both: MeasuredUsage = { askers: ["paid", "other"], counters: [[requests], [credits]] };
const perCall: Ways = { calls: () => ({ [requests]: [1], [credits]: [100] }) };

async function begun(ways: Ways = perCall, measured: MeasuredUsage = both) {
  const meter = new MadeMeter(ways);
  const measurement = await Measurement.begin(meter.context, measured);
  return { meter, measurement, pace: chargePaceOf(meter.context) };
}

/** What is known of a figure's growth, or why nothing is. */
function known(of: () => Big): string {
  try {
    return of().toFixed();
  } catch (error) {
    return (error as Error).message;
  }
}

test("each project's figures grow by its own calls", async () => {
  const { meter, measurement } = await begun();
  await meter.call("paid", 2);
  await measurement.read();
  await meter.call("other");
  await measurement.read();
  const growths = measurement.growths();
  expect(growths.map(({ moved }) => moved())).toEqual([
    [credits, requests],
    [credits, requests],
  ]);
  expect(growths.map(({ of }) => [of(credits), of(requests), of("/credits/das")].map(Number))).toEqual([
    [200, 2, 0],
    [100, 1, 0],
  ]);
  expect(growths.map(({ before, exchange }) => [before.number, exchange.number])).toEqual([
    [5, 12],
    [6, 13],
  ]);
  expect(measurement.last.number).toBe(13);
  expect(measurement.reads).toBe(2);
  const [first, second] = [
    { from: 0, to: 1 },
    { from: 1, to: 2 },
  ].map((part) => measurement.growths([], new Map(), part));
  expect(first?.map(({ of }) => Number(of(requests)))).toEqual([2, 0]);
  expect(second?.map(({ of }) => Number(of(requests)))).toEqual([0, 1]);
  expect(second?.map(({ before, exchange }) => [before.number, exchange.number])).toEqual([
    [9, 12],
    [10, 13],
  ]);
});

test("what other calls are known to have added, and what reads add, is left out", async () => {
  const { meter, measurement } = await begun({ ...perCall, reads: { "/requests/other": [1] } });
  await meter.call("paid", 3);
  await measurement.read();
  await measurement.read();
  const [growth] = measurement.growths([], new Map([[`paid ${requests}`, new Big(2)]]));
  expect([growth?.of(requests), growth?.of(credits)].map(Number)).toEqual([1, 300]);
  expect(growth?.moved()).toEqual([credits, requests]);
});

test("nothing is known of figures that a read lacks, that move by themselves or whose charges don't show", async () => {
  const { meter, measurement, pace } = await begun({ ...perCall, odd: { 7: { "/credits/das": undefined } } });
  await meter.call();
  const open = await measurement.untilShown(() => 0);
  expect(open.map(({ name }) => name)).toEqual([`other ${requests}`, `other ${credits}`]);
  const [growth, other] = measurement.growths(open);
  expect(known(() => growth?.of("/credits/das") as Big)).toBe("not tested: /credits/das wasn't a number in each read");
  expect([known(() => growth?.of(credits) as Big), known(() => growth?.of("/credits/rpc") as Big)]).toEqual([
    "100",
    "0",
  ]);
  expect(known(() => other?.of(credits) as Big)).toBe("unsettled: no charge showed within 0.3 s");
  expect(known(() => measurement.growths()[1]?.of(credits) as Big)).toBe("0");
  pace.lapses.set(`paid ${requests}`, new Withheld("made"));
  pace.restless.add(`paid ${credits}`);
  expect(known(() => growth?.of(requests) as Big)).toBe("made");
  expect(known(() => growth?.of(credits) as Big)).toBe(
    `${credits} moves without calls of this run: others use the project`,
  );
  expect(growth?.moved()).toEqual([requests]);
  pace.byReads.add(`paid ${requests}`);
  expect(growth?.moved()).toEqual([]);
});

test("a measurement that rests tells how long it took, and others may begin there", async () => {
  const { meter, measurement, pace } = await begun();
  expect(measurement.spread_ms).toBe(0);
  await meter.call();
  await measurement.read();
  await measurement.read();
  // From the last read before the calls, of both projects, to the first one after them.
  expect([measurement.began_ms, measurement.spread_ms]).toEqual([1_000_400, 300]);
  measurement.rest();
  expect([pace.waited_ms, pace.lastRead]).toEqual([500, 11]);
  expect(pace.rested?.askers).toEqual(["paid", "other"]);
  expect(pace.rested?.round.exchanges.map(({ number }) => number)).toEqual([10, 11]);
});

test("others begin anew after a measurement in which figures moved by themselves", async () => {
  const { measurement, pace } = await begun({ byItself: { "/credits/das": 10 } });
  measurement.rest();
  expect(pace.rested).toBeNull();
});

test("without askers there is no last read", async () => {
  const { measurement } = await begun({}, { askers: [], counters: [] });
  expect(() => measurement.last).toThrow("nobody reads usage");
});

/** A counter of two figures, of which credits show so much later; reads at 400 ms and after a pause. */
async function lastCharge(lag_ms: number, restless: readonly string[] = []) {
  const measured = { askers: ["paid"] as const, counters: [[requests, credits]] };
  const { meter, measurement, pace } = await begun(
    { calls: () => ({ [requests]: [1], [credits]: [100, lag_ms] }) },
    measured,
  );
  await meter.call();
  await measurement.untilShown(() => 10_000);
  await measurement.untilStill(1_000);
  for (const name of restless) pace.restless.add(name);
  const before = pace.slowest_ms;
  measurement.noteLast();
  return { before, after: pace.slowest_ms, isAtOnce: pace.isAtOnce };
}

test("once all charges have shown, the last of them tells how long they take", async () => {
  expect(await lastCharge(0)).toEqual({ before: 100, after: 100, isAtOnce: true });
  expect(await lastCharge(1_000)).toEqual({ before: 100, after: 1_200, isAtOnce: false });
  expect(await lastCharge(1_000, [`paid ${credits}`])).toEqual({ before: 100, after: 100, isAtOnce: true });
});

test("what grew before the calls tells nothing of them", async () => {
  const { meter, measurement, pace } = await begun();
  meter.charge("paid", { [requests]: [1] });
  await measurement.read();
  measurement.mark();
  measurement.noteLast();
  expect(pace.slowest_ms).toBeNull();
});

test("figures that move while nothing is called are restless, whatever reads add", async () => {
  const meter = new MadeMeter({ byItself: { [requests]: 900 }, reads: { "/requests/other": [1] } });
  await Measurement.idle(meter.context, { askers: ["paid"], counters: [] }, 0, 500);
  expect(meter.reads.slice(0, 5)).toEqual([0, 100, 200, 800, 1_400]);
  expect(meter.reads).toHaveLength(13);
  expect([...chargePaceOf(meter.context).restless]).toEqual([`paid ${requests}`]);
});

test("restless figures of all projects are found once in a run, by reads after a pause of 24 s", async () => {
  const meter = new MadeMeter({ byItself: { [requests]: 900 } });
  await Promise.all([findRestless(meter.context), findRestless(meter.context)]);
  const paid = meter.reads.filter((one) => typeof one === "number");
  expect(paid.slice(0, 4)).toEqual([0, 24_400, 24_800, 28_200]);
  expect(meter.reads).toHaveLength(4 * 13);
  const restless = [...chargePaceOf(meter.context).restless];
  expect(restless.sort()).toEqual(["free", "other", "paid", "second"].map((role) => `${role} ${requests}`));
});

test("where no charge can be late, they are found without waits", async () => {
  const meter = new MadeMeter({ target: { isReference: true } });
  await findRestless(meter.context);
  expect(meter.reads.filter((one) => typeof one === "number").slice(0, 4)).toEqual([0, 400, 800, 1_200]);
});

test("the growth by calls is known once all charges stand still", async () => {
  const meter = new MadeMeter({ calls: () => ({ [requests]: [1, 1_000], [credits]: [100, 1_300] }) });
  const growth = await growthBy(meter.context, "paid", () => meter.call("paid", 2));
  expect([growth.sent, Number(growth.of(requests)), Number(growth.of(credits))]).toEqual([2, 2, 200]);
  expect(chargePaceOf(meter.context).rested?.askers).toEqual(["paid"]);
  expect(meter.reads.slice(0, 4)).toEqual([0, 100, 200, 500]);
});

test("figures may show one by one: within the slowest time, or half as long again as the calls took", async () => {
  const ways: Ways = { calls: () => ({ [requests]: [1], [credits]: [100, 4_000] }) };
  const known = new MadeMeter(ways);
  chargePaceOf(known.context).note(credits, 5_000, false);
  const growth = await growthBy(known.context, "paid", () => known.call());
  expect([Number(growth.of(credits)), known.reads.slice(3)]).toEqual([100, [400, 5_300, 10_200]]);
  const many = new MadeMeter(perCall);
  await growthBy(many.context, "paid", () => many.call("paid", 20));
  expect(many.reads.slice(3)).toEqual([2_300, 5_550]);
});

test("several projects grow together, after a pause", async () => {
  const meter = new MadeMeter(perCall);
  const growths = await growthsBy(meter.context, ["paid", "other"], () => meter.call("other"), 6_000);
  expect(growths.map(({ of, sent }) => [sent, Number(of(requests))])).toEqual([
    [1, 0],
    [1, 1],
  ]);
  expect(meter.reads.slice(0, 4)).toEqual([0, "other 100", 6_200, "other 6300"]);
});

test("no charge is waited for longer than the longest wait of 63.75 s, and at once where all showed so", async () => {
  const meter = new MadeMeter();
  await growthBy(meter.context, "paid", () => meter.call());
  expect(meter.now_ms).toBeGreaterThan(64_000);
  expect(meter.now_ms).toBeLessThan(64_500);
  const prompt = new MadeMeter();
  chargePaceOf(prompt.context).note(requests, 100, true);
  await growthBy(prompt.context, "paid", () => prompt.call());
  expect(prompt.now_ms).toBe(1_000);
});
