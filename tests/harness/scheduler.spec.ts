// The scheduler: what runs beside what, what comes first, and what fills the time meanwhile.
import { expect, test } from "@playwright/test";
import { send, statuses } from "../../contracts/bundles/requests.ts";
import { dataPlatform } from "../../contracts/shared/interface.ts";
import { usage } from "../../contracts/shared/stimuli.ts";
import { type PlannedProbe, placeOfCheck, placeOfProbe } from "../../harness/engine/jobs.ts";
import { type Job, runJobs } from "../../harness/engine/scheduler.ts";
import { type Check, scenario } from "../../harness/model/check.ts";
import { experiment, observeAll } from "../../harness/model/probe.ts";
import type { Target } from "../../harness/target/target.ts";

type Place = Partial<Job<string>> & Pick<Job<string>, "kind">;

/** The order in which jobs begin and end, by name, where each takes as many turns as its name is long. */
async function order(jobs: { readonly [name: string]: Place }): Promise<string> {
  const events: string[] = [];
  const all = Object.entries(jobs).map(([item, place]) => ({
    ...{ item, queue: item, feature: item, rank: 1, projects: null },
    ...place,
  }));
  await runJobs(all, async (item) => {
    events.push(item);
    for (let turn = 0; turn < 10 * item.length; turn += 1) await Promise.resolve();
    events.push(`/${item}`);
  });
  return events.join(" ");
}

test("jobs of a queue run in turn, queues side by side", async () => {
  const jobs = { a: { kind: "calls", queue: "x" }, b: { kind: "calls", queue: "x" }, long: { kind: "calls" } } as const;
  expect(await order(jobs)).toBe("a long /a b /b /long");
});

test("nothing but projects of their own runs beside what counts calls", async () => {
  const jobs = {
    counting: { kind: "charges" },
    call: { kind: "calls", rank: 2 },
    read: { kind: "reads", rank: 2 },
    own: { kind: "own", rank: 2 },
  } as const;
  expect(await order(jobs)).toBe("counting own /own /counting call read /call /read");
});

test("calls of other projects run beside what counts calls", async () => {
  const jobs = {
    counting: { kind: "charges", projects: ["a"] },
    other: { kind: "calls", rank: 2, projects: ["b"] },
    read: { kind: "reads", rank: 2, projects: ["b"] },
    same: { kind: "calls", rank: 2, projects: ["b", "a"] },
    any: { kind: "calls", rank: 2 },
  } as const;
  expect(await order(jobs)).toBe("counting other read /read /other /counting same any /any /same");
});

test("calls of other projects, and no reads, run beside a rate that is tried for long", async () => {
  const jobs = {
    longest: { kind: "rates", projects: ["a"] },
    call: { kind: "calls", rank: 2, projects: ["b"] },
    read: { kind: "reads", rank: 2, projects: ["b"] },
  } as const;
  expect(await order(jobs)).toBe("longest call /call /longest read /read");
});

test("limits of several features are exceeded side by side, and nothing else runs beside them", async () => {
  const jobs = { limitA: { kind: "limits" }, limitB: { kind: "limits" }, read: { kind: "reads", rank: 2 } } as const;
  expect(await order(jobs)).toBe("limitA limitB /limitA /limitB read /read");
});

test("what is wanted less fills the time until the rest can start, and delays it by no second job", async () => {
  const jobs = {
    along: { kind: "calls" },
    count: { kind: "charges", rank: 2 },
    abc: { kind: "calls", rank: 3, queue: "filler" },
    def: { kind: "calls", rank: 3, queue: "filler" },
    ghi: { kind: "calls", rank: 3, queue: "filler" },
  } as const;
  expect(await order(jobs)).toBe("along abc /abc def /along /def count /count ghi /ghi");
});

test("what takes long fills no time before what is wanted more", async () => {
  const jobs = {
    along: { kind: "calls" },
    count: { kind: "charges", rank: 2 },
    polling: { kind: "calls", rank: 3, isLong: true },
    abc: { kind: "calls", rank: 3 },
  } as const;
  expect(await order(jobs)).toBe("along abc /abc /along count /count polling /polling");
});

test("what has to wait doesn't hold up its queue", async () => {
  const jobs = {
    count: { kind: "charges", projects: ["a"] },
    same: { kind: "calls", rank: 2, queue: "some", projects: ["a"] },
    other: { kind: "calls", rank: 2, queue: "some", projects: ["b"] },
  } as const;
  expect(await order(jobs)).toBe("count other /count /other same /same");
});

test("a feature's pace is left to what is wanted more", async () => {
  const jobs = {
    first: { kind: "calls", feature: "x" },
    second: { kind: "calls", feature: "x", rank: 2 },
    other: { kind: "calls", rank: 2 },
  } as const;
  expect(await order(jobs)).toBe("first other /first /other second /second");
});

type Options = Partial<Parameters<typeof scenario>[1]>;
type On = Pick<Target, "control" | "isReference" | "interface">;

const vendor: On = { isReference: false, interface: dataPlatform };
const control = { base: "", token: null } as unknown as NonNullable<Target["control"]>;
const reference: On = { ...vendor, isReference: true, control };
const controlled: On = { ...vendor, control };

const schedules = [{ name: "burst", calls: [], seconds: 1 }];
const settles = { window: "wallet", rounds: 6 };
const needing = (options: Options): Check =>
  scenario("USG-HTTP-01", { feature: "usage", requests: [usage({ as: "paid" })], ...options }, () =>
    Promise.resolve([]),
  );

for (const [title, options, target, kind] of [
  ["reads of the meter", {}, vendor, "reads"],
  ["other features", { feature: "wallet" }, vendor, "calls"],
  ["what counts calls", { when: "alone" }, vendor, "charges"],
  ["calls at once exceed limits", { consent: "throttle" }, vendor, "limits"],
  ["calls at once that are counted", { consent: "throttle", settles }, vendor, "alone"],
  ["schedules of isolated projects", { schedules }, reference, "bursts"],
  ["schedules on a vendor", { schedules }, vendor, "limits"],
  ["schedules with control but without isolation", { schedules }, controlled, "limits"],
  ["long schedules with control", { schedules, when: "beside" }, controlled, "own"],
  ["long schedules on a vendor", { schedules, when: "beside" }, vendor, "rates"],
] as const) {
  test(`kind of a check: ${title}`, () => expect(placeOfCheck(needing(options), target).kind).toBe(kind));
}

test("schedules wait for each other without control, or where calls can't be undone", () => {
  const sends = { calls: 1, payments: 0 };
  const isInTurn = (options: Options, target: On): boolean =>
    placeOfCheck(needing({ schedules, ...options }), target).queue === "limits of usage";
  expect(isInTurn({}, vendor)).toBe(true);
  expect(isInTurn({ sends }, reference)).toBe(true);
  expect(isInTurn({}, reference)).toBe(false);
});

test("calls that can't be undone have a queue of their own, beside the others of their feature", () => {
  const queueOf = (requests: Options["requests"]): string =>
    placeOfCheck(needing({ feature: "bundles", requests: requests ?? [] }), vendor).queue;
  expect([queueOf([send([[]])]), queueOf([statuses([[]])])]).toEqual(["bundles sent", "bundles"]);
});

test("probes that count calls wait for quiet, those that read all answers or disturb others come last", () => {
  const never = () => Promise.reject(new Error("not run"));
  const id = "OBS-AUTH-BOTH";
  const all: { readonly [title: string]: PlannedProbe["probe"] } = {
    ordinary: experiment("wallet", id, [], never),
    long: experiment("wallet", id, [], never, { when: "beside" }),
    isolated: experiment("wallet", id, [], never, { when: "isolated" }),
    counting: experiment("wallet", id, [], never, { when: "alone" }),
    ofReads: experiment("usage", id, [], never, { when: "alone" }),
    reading: observeAll("wallet", id, [], () => []),
  };
  const kinds = (target: On) =>
    Object.values(all).map((probe) => placeOfProbe({ probe, disturbs: false, lacks: null }, target).kind);
  expect(kinds(vendor)).toEqual(["calls", "calls", "charges", "charges", "alone", "alone"]);
  expect(kinds(reference)).toEqual(["calls", "charges", "calls", "charges", "alone", "alone"]);
  const ranks = Object.values(all).map((probe) => placeOfProbe({ probe, disturbs: false, lacks: null }, vendor).rank);
  const disturbing = placeOfProbe({ probe: experiment("wallet", id, [], never), disturbs: true, lacks: null }, vendor);
  expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
  expect(disturbing.rank).toBeGreaterThan(Math.max(...ranks));
});
