// The start of a measurement: when usage is read until its figures have settled, and what reading adds to them
import { expect, test } from "@playwright/test";
import { chargePaceOf } from "../../contracts/metering/chargePace.ts";
import { readAll, zero } from "../../contracts/metering/reads.ts";
import { fewTries, settledStart } from "../../contracts/metering/settledStart.ts";
import type { Asker } from "../../harness/core/requestSpec.ts";
import { MadeMeter, type Ways } from "./madeMeter.ts";

interface Options {
  readonly pause_ms?: number;
  /** Figures that the measurement is about. */
  readonly wanted?: readonly string[];
  readonly restless?: readonly string[];
}

const [others, rpc] = ["/requests/other", "/requests/rpc"] as const;

/** When usage was read, in ms, each read taking 100 ms; what a read adds, and what moved by itself or by reads. */
async function started(ways: Ways, { pause_ms = 0, wanted = [], restless = [] }: Options = {}) {
  const meter = new MadeMeter(ways);
  const pace = chargePaceOf(meter.context);
  for (const name of restless) pace.restless.add(name);
  const measured = { askers: ["paid"] as const, counters: wanted.map((at) => [at]) };
  const { round, self, moving } = await settledStart(meter.context, measured, pause_ms);
  return {
    reads: meter.reads,
    last: round.exchanges[0]?.number,
    self: [...self].filter(([, by]) => !by.eq(0)).map(([name, by]) => `${name} ${by.toFixed()}`),
    moving: [...moving],
    restless: [...pace.restless],
    byReads: [...pace.byReads],
  };
}

const nothing = { self: [], moving: [], restless: [], byReads: [] };

test("figures that stand still have settled by the third read, after the pause", async () => {
  expect(await started({})).toEqual({ reads: [0, 100, 200], last: 3, ...nothing });
  expect(await started({}, { wanted: [rpc], pause_ms: 6_000 })).toEqual({
    reads: [0, 6_100, 6_200],
    last: 3,
    ...nothing,
  });
});

const everyRead = { reads: { [others]: [1] } } as const;
const added = `paid ${others}`;

test("what each read adds is no movement, once it is seen after a pause of 3 s", async () => {
  const settled = { self: [`${added} 1`], moving: [], restless: [], byReads: [] };
  const soon = await started(everyRead, { wanted: [others] });
  expect(soon).toEqual({ ...settled, reads: [0, 100, 200, 3_300, 3_650], last: 5 });
  const justSo = await started(everyRead, { wanted: [others], pause_ms: 3_000 });
  expect(justSo).toEqual({ ...settled, reads: [0, 3_100, 3_200], last: 3 });
  const almost = await started(everyRead, { wanted: [others], pause_ms: 2_999 });
  expect(almost.reads).toEqual([0, 3_099, 3_199, 6_299, 6_649]);
});

test("figures that the measurement isn't about may move", async () => {
  const start = await started(everyRead, { wanted: [rpc] });
  expect(start).toEqual({ ...nothing, reads: [0, 100, 200], last: 3, self: [`${added} 1`], moving: [added] });
});

test("what moves after a pause of 6 s is moved by reads, unless the measurement is about it", async () => {
  const moved = async (options: Options, ways: Ways = everyRead): Promise<unknown> =>
    (await started(ways, options)).byReads;
  expect(await moved({ pause_ms: 6_000 })).toEqual([added]);
  expect(await moved({ pause_ms: 5_999 })).toEqual([]);
  expect(await moved({ pause_ms: 6_000, wanted: [others] })).toEqual([]);
  // The first read counts between the second and the third, or before the second alone.
  expect(await moved({ pause_ms: 6_000 }, { reads: { [others]: [1, 6_150] } })).toEqual([added]);
  expect(await moved({ pause_ms: 6_000 }, { reads: { [others]: [1, 5_000] } })).toEqual([added]);
});

test("a charge that shows late is waited out", async () => {
  const late = (...lags_ms: readonly number[]): Promise<readonly unknown[]> => {
    const meter = new MadeMeter({});
    for (const lag_ms of lags_ms) meter.charge("paid", { [rpc]: [1, lag_ms] });
    return settledStart(meter.context, { askers: ["paid"], counters: [[rpc]] }, 0).then(() => meter.reads);
  };
  expect(await late(50)).toEqual([0, 100, 200, 3_300, 3_650]);
  expect(await late(150)).toEqual([0, 100, 200, 3_300, 3_650]);
  expect(await late(50, 3_000)).toEqual([0, 100, 200, 3_300, 3_650, 6_750, 7_100]);
});

const moving = { byItself: { [rpc]: 50 } } as const;
const name = `paid ${rpc}`;

test("a figure that never settles moves by itself, after nine tries of waits that double", async () => {
  const start = await started(moving, { wanted: [rpc] });
  expect(start).toMatchObject({ restless: [name], moving: [name], last: 19 });
  // 4 × 3 s, 4 s, 8 s, 16 s and 32 s, with 450 ms each.
  expect(start.reads.slice(0, 5)).toEqual([0, 100, 200, 3_300, 3_650]);
  expect(start.reads.slice(-3)).toEqual([43_350, 75_450, 75_800]);
});

test("and after five, where another is known to move by itself", async () => {
  expect(fewTries).toBe(4);
  const start = await started(moving, { wanted: [rpc], restless: ["paid /credits/das"] });
  expect(start).toMatchObject({ restless: ["paid /credits/das", name], last: 11 });
  expect(start.reads.slice(-2)).toEqual([13_650, 14_000]);
});

test("a figure that is known to move by itself isn't waited for", async () => {
  const start = await started(moving, { wanted: [rpc], restless: [name] });
  expect(start).toMatchObject({ reads: [0, 100, 200], restless: [name], moving: [name] });
});

test("a figure that a read lacks has neither moved nor settled", async () => {
  const lacking = { odd: { 3: { [rpc]: undefined } } };
  expect(await started(lacking, { wanted: [rpc] })).toMatchObject({ reads: [0, 100, 200], ...nothing });
});

/** When usage is read for a start after a measurement that ended in a read at 0 ms. */
async function startedAgain(
  ways: Ways,
  {
    of = ["paid"],
    to = ["paid"],
    by = {},
    between = () => undefined,
  }: {
    readonly of?: readonly Asker[];
    readonly to?: readonly Asker[];
    /** What a read was known to add. */
    readonly by?: { readonly [name: string]: number };
    readonly between?: (meter: MadeMeter) => unknown;
  } = {},
) {
  const meter = new MadeMeter(ways);
  const round = await readAll(meter.context, of);
  const self = new Map([...round.figures.keys()].map((one) => [one, zero.plus(by[one] ?? 0)]));
  chargePaceOf(meter.context).rested = { askers: of, round, self };
  await between(meter);
  meter.reads.length = 0;
  const start = await settledStart(meter.context, { askers: to, counters: [] }, 0);
  return { reads: meter.reads, isSame: start.self === self, moving: [...start.moving] };
}

test("where the last measurement ended, and nothing was called since, one more read is enough", async () => {
  expect(await startedAgain({})).toEqual({ reads: [100], isSame: true, moving: [] });
  expect(await startedAgain(everyRead, { by: { [added]: 1 } })).toEqual({ reads: [100], isSame: true, moving: [] });
  const both = await startedAgain({}, { of: ["paid", "other"] });
  expect(both).toEqual({ reads: [200], isSame: true, moving: [] });
  const elsewhere = await startedAgain({}, { between: (meter) => meter.call("other") });
  expect(elsewhere).toEqual({ reads: [200], isSame: true, moving: [] });
});

test("else figures must settle anew: from the last read, where reads add nothing", async () => {
  const called = await startedAgain({}, { between: (meter) => meter.call() });
  expect(called).toEqual({ reads: [200, 300, 400], isSame: false, moving: [] });
  const moved = await startedAgain({}, { between: (meter) => meter.charge("paid", { [rpc]: [1] }) });
  expect(moved).toEqual({ reads: [100, 200, 300], isSame: false, moving: [] });
  const more = await startedAgain({}, { to: ["paid", "other"] });
  expect(more).toEqual({ reads: ["other 100", 200, "other 300", 400, "other 500"], isSame: false, moving: [] });
});

test("and from a new read, where reads add something, which may show late", async () => {
  const start = await startedAgain({}, { by: { [added]: 1 } });
  expect(start).toEqual({ reads: [100, 200, 300, 400], isSame: false, moving: [] });
});
