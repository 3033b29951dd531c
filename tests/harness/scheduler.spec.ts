// The scheduler: what runs beside what, what comes first, and what fills the time meanwhile.
import { expect, test } from "@playwright/test";
import fc from "fast-check";
import { sendBundleRequest, statuses } from "../../contracts/bundles/requests.ts";
import { usageRequest } from "../../contracts/shared/requestSpecs.ts";
import { contractSuite } from "../../contracts/suite.ts";
import { lockNames, type PlannedProbe, scheduledAs } from "../../harness/engine/jobs.ts";
import { exclude, type Locks, runJobs, type ScheduledJob, writesTo } from "../../harness/engine/scheduler.ts";
import { type Check, scenario } from "../../harness/model/check.ts";
import { experiment, observeAll } from "../../harness/model/probe.ts";
import type { Target } from "../../harness/targets/target.ts";
import { inProcess } from "../../proof/inProcess.ts";

type Given = Partial<Locks> & Partial<Pick<ScheduledJob<string>, "priority" | "isLong">>;

/** The order in which jobs begin and end, by name, where each takes as many turns as its name is long. */
async function order(jobs: { readonly [name: string]: Given }): Promise<string> {
  const events: string[] = [];
  const all = Object.entries(jobs).map(([item, { reads = [], writes = [], priority = 1, isLong = false }]) => ({
    item,
    locks: { reads, writes },
    priority,
    isLong,
  }));
  await runJobs(all, async (item) => {
    events.push(item);
    for (let turn = 0; turn < 10 * item.length; turn += 1) await Promise.resolve();
    events.push(`/${item}`);
  });
  return events.join(" ");
}

test("who writes the same takes turns, others run side by side", async () => {
  const jobs = { a: { writes: ["turn"] }, b: { writes: ["turn"] }, long: { writes: ["other"] } };
  expect(await order(jobs)).toBe("a long /a b /b /long");
});

test("a resource is read by many, and written while nobody reads it", async () => {
  const jobs = {
    a: { reads: ["meter:a"] },
    bc: { reads: ["meter:a"] },
    count: { writes: ["meter:a"] },
    other: { writes: ["meter:b"] },
  };
  expect(await order(jobs)).toBe("a bc other /a /bc count /other /count");
});

test("a name that ends in * stands for all that begin so", async () => {
  const jobs = {
    counting: { writes: ["meter:*"] },
    call: { reads: ["meter:a"] },
    exceeding: { writes: ["limit:shared:a"] },
    quiet: { reads: ["limit:*"] },
  };
  expect(await order(jobs)).toBe("counting exceeding /counting call /exceeding quiet /call /quiet");
});

test("what is wanted less fills the time until the rest can start, and delays it by no second job", async () => {
  const jobs = {
    along: { reads: ["meter"] },
    count: { writes: ["meter"], priority: 2 },
    abc: { reads: ["meter"], writes: ["filler"], priority: 3 },
    def: { reads: ["meter"], writes: ["filler"], priority: 3 },
    ghi: { reads: ["meter"], writes: ["filler"], priority: 3 },
  };
  expect(await order(jobs)).toBe("along abc /abc def /along /def count /count ghi /ghi");
});

test("what takes long fills no time before what is wanted more", async () => {
  const jobs = {
    along: { reads: ["meter"] },
    count: { writes: ["meter"], priority: 2 },
    polling: { reads: ["meter"], priority: 3, isLong: true },
    abc: { reads: ["meter"], priority: 3 },
  };
  expect(await order(jobs)).toBe("along abc /abc /along count /count polling /polling");
});

test("what has to wait doesn't hold up those that take turns with it", async () => {
  const jobs = {
    count: { writes: ["meter:a"] },
    same: { reads: ["meter:a"], writes: ["turn"], priority: 2 },
    other: { reads: ["meter:b"], writes: ["turn"], priority: 2 },
  };
  expect(await order(jobs)).toBe("count other /count /other same /same");
});

const names = fc.subarray(["a", "b:x", "b:y", "b:*", "*"], { maxLength: 2 });
const anyJob = fc.record({
  reads: names,
  writes: names,
  priority: fc.integer({ min: 0, max: 3 }),
  isLong: fc.boolean(),
  turns: fc.integer({ min: 0, max: 12 }),
});

/** A straightforward model of what names stand for. */
const resources = ["a", "b:x", "b:y"];
const namedBy = (name: string): readonly string[] =>
  resources.filter((one) => one === name || (name.endsWith("*") && one.startsWith(name.slice(0, -1))));
const conflict = (job: Locks, other: Locks): boolean =>
  resources.some((resource) => {
    const isIn = (of: readonly string[]): boolean => of.flatMap(namedBy).includes(resource);
    return (isIn(job.writes) && isIn([...other.reads, ...other.writes])) || (isIn(job.reads) && isIn(other.writes));
  });

test("whatever the jobs, all run once, and never two whose locks conflict", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyJob, { maxLength: 12 }), async (given) => {
      const running = new Set<(typeof given)[number]>();
      const done: (typeof given)[number][] = [];
      const jobs = given.map((item) => ({ ...item, item, locks: { reads: item.reads, writes: item.writes } }));
      await runJobs(jobs, async (item) => {
        for (const other of running) if (conflict(item, other)) throw new Error("two conflict");
        running.add(item);
        for (let turn = 0; turn < item.turns; turn += 1) await Promise.resolve();
        running.delete(item);
        done.push(item);
      });
      expect(new Set(done).size).toBe(given.length);
      expect(done.length).toBe(given.length);
    }),
  );
});

test("whatever the jobs, one that waits for later ones alone is passed by no later one that it excludes", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyJob, { maxLength: 12 }), async (given) => {
      const running = new Set<(typeof given)[number]>();
      const waiting = new Set(given);
      const jobs = given.map((item) => ({ ...item, item, locks: { reads: item.reads, writes: item.writes } }));
      await runJobs(jobs, async (item) => {
        waiting.delete(item);
        for (const other of waiting) {
          const before = [...running].filter((one) => conflict(one, other));
          const isNext = before.length > 0 && before.every(({ priority }) => priority > other.priority);
          if (isNext && other.priority < item.priority && conflict(item, other)) throw new Error("one is delayed");
        }
        running.add(item);
        for (let turn = 0; turn < item.turns; turn += 1) await Promise.resolve();
        running.delete(item);
      });
    }),
  );
});

const reference = inProcess(contractSuite).target;
const { control, ...uncontrolled } = reference;
const vendor: Target = { ...uncontrolled, isReference: false };
const controlled: Target = { ...vendor, ...(control ? { control } : {}) };

type Options = Partial<Parameters<typeof scenario>[1]>;

const schedules = [{ name: "burst", calls: [], seconds: 1 }];
const settles = { window: "wallet", rounds: 6 };
const needing = (options: Options): Check =>
  scenario("USG-HTTP-01", { feature: "usage", requests: [usageRequest({ as: "paid" })], ...options }, () =>
    Promise.resolve([]),
  );
const locksOf = (options: Options, target: Target): Locks =>
  scheduledAs({ check: needing(options), unmetNeed: null }, target).locks;

/** Those of these resources that it writes. */
const writtenBy = (locks: Locks): readonly string[] =>
  (["answers", "counting", "ownLimits", "sharedLimits", "rateLimits"] as const).filter((name) =>
    writesTo(locks, lockNames[name]),
  );

for (const [title, options, target, written] of [
  ["reads of the meter", {}, vendor, []],
  ["other features", { feature: "wallet" }, vendor, []],
  ["what counts calls", { when: "alone" }, vendor, ["counting"]],
  ["calls at once exceed limits", { consent: "throttle" }, vendor, ["sharedLimits"]],
  ["calls at once that are counted", { consent: "throttle", settles }, vendor, ["answers"]],
  ["schedules of isolated projects", { schedules }, reference, ["ownLimits"]],
  ["schedules on a vendor", { schedules }, vendor, ["sharedLimits"]],
  ["schedules with control but without isolation", { schedules }, controlled, ["sharedLimits"]],
  ["long schedules with control", { schedules, when: "beside" }, controlled, []],
  ["long schedules on a vendor", { schedules, when: "beside" }, vendor, ["rateLimits"]],
] as const)
  test(`locks of a check: ${title}`, () => expect(writtenBy(locksOf(options, target))).toEqual(written));

for (const [title, job, other, expected] of [
  ["calls run beside calls", { feature: "wallet" }, {}, false],
  ["calls of the same project wait for what counts", { feature: "wallet" }, { when: "alone" }, true],
  ["no limit is exceeded while calls are counted", { schedules }, { when: "alone" }, true],
  ["nothing is called while limits of all projects are exceeded", { feature: "wallet" }, { schedules }, true],
  ["usage isn't read while a rate is tried", {}, { schedules, when: "beside" }, true],
  [
    "other projects are called while a rate is tried",
    { feature: "wallet", requests: [usageRequest({ as: "paid" })] },
    { feature: "wallet", requests: [usageRequest({ as: "other" })], schedules, when: "beside" },
    false,
  ],
] as const)
  test(`on a vendor ${title}`, () => expect(exclude(locksOf(job, vendor), locksOf(other, vendor))).toBe(expected));

test("once a request was refused at our pace, a rate may count all projects", () => {
  const check = needing({ feature: "wallet", requests: [usageRequest({ as: "other" })], schedules, when: "beside" });
  const { locks } = scheduledAs({ check, unmetNeed: null }, vendor, true);
  expect(exclude(locks, locksOf({ feature: "wallet" }, vendor))).toBe(true);
});

test("schedules wait for each other without control, or where calls can't be undone", () => {
  const sends = { calls: 1, payments: 0 };
  const isInTurn = (options: Options, target: Target): boolean =>
    writesTo(locksOf({ schedules, ...options }, target), "turn:limits of usage");
  expect(isInTurn({}, vendor)).toBe(true);
  expect(isInTurn({ sends }, reference)).toBe(true);
  expect(isInTurn({}, reference)).toBe(false);
});

test("calls that can't be undone take turns of their own, beside the others of their feature", () => {
  const ofBundles = (requests: Options["requests"]): Locks =>
    locksOf({ feature: "bundles", requests: requests ?? [] }, vendor);
  const [sending, reading] = [ofBundles([sendBundleRequest([[]])]), ofBundles([statuses([[]])])];
  expect([exclude(sending, sending), exclude(reading, reading), exclude(sending, reading)]).toEqual([
    true,
    true,
    false,
  ]);
});

test("probes that count calls wait for quiet, those that read all answers or disturb others come last", () => {
  const never = () => Promise.reject(new Error("not run"));
  const id = "OBS-AUTH-BOTH";
  const probes: { readonly [title: string]: PlannedProbe["probe"] } = {
    ordinary: experiment("wallet", id, [], never),
    long: experiment("wallet", id, [], never, { when: "beside" }),
    isolated: experiment("wallet", id, [], never, { when: "isolated" }),
    counting: experiment("wallet", id, [], never, { when: "alone" }),
    ofReads: experiment("usage", id, [], never, { when: "alone" }),
    reading: observeAll("wallet", id, [], () => []),
  };
  const jobs = (target: Target) =>
    Object.values(probes).map((probe) => scheduledAs({ probe, disturbs: false, unmetNeed: null }, target));
  const written = (target: Target) => jobs(target).map(({ locks }) => writtenBy(locks).join());
  expect(written(vendor)).toEqual(["", "", "counting", "counting", "answers", "answers"]);
  expect(written(reference)).toEqual(["", "counting", "", "counting", "answers", "answers"]);
  const priorities = jobs(vendor).map(({ priority }) => priority);
  const disturbing = scheduledAs(
    { probe: experiment("wallet", id, [], never), disturbs: true, unmetNeed: null },
    vendor,
  );
  expect(priorities).toEqual([...priorities].sort((a, b) => a - b));
  expect(disturbing.priority).toBeGreaterThan(Math.max(...priorities));
});
