// Comparison of answers to the same requests: shapes, latency, limits, charges, freshness.
import { expect, test } from "@playwright/test";
import { madeLoad } from "../support/madeLoads.ts";
import { type Answer, audited, exchanged, instant, made, pairOf, type Run } from "../support/madeRuns.ts";

type Answers = readonly Answer[];
const run = (second: number, exchanges: Answers, rest: Partial<Run> = {}): Run => made(second, { ...rest, exchanges });
const pairOfAnswers = (was: Answers, is: Answers) => pairOf(run(0, was), run(100, is));
const answersOf = (rest: Parameters<typeof exchanged>[0], ...bodies: readonly unknown[]): Answers =>
  bodies.map((body) => exchanged({ ...rest, body }));
const answers = (...bodies: readonly unknown[]): Answers => answersOf({}, ...bodies);
const items = (...all: readonly unknown[]): Answers => answers({ items: all });
const shapesOf = async (was: Answers, is: Answers): Promise<readonly string[]> =>
  (await pairOfAnswers(was, is)).shapes.map(
    ({ operation, status, outcome, at, change, was: before, is: after }) =>
      `${operation} ${status} ${outcome} ${at} ${change}: ${before.join("|")} → ${after.join("|")}`,
  );

const holder = (nth: number, rest: object = {}): object => ({ address: `holder-${nth}`, amount: nth, ...rest });
const plain = answers({ a: 1 }, { a: 2 });

const changed: readonly (readonly [title: string, was: Answers, is: Answers, change: string])[] = [
  [
    "a member that all have now",
    plain,
    answers({ a: 1, b: { c: 1 } }, { a: 2, b: { c: 2 } }),
    "/b appeared:  → object",
  ],
  ["a member that none has any more", answers({ a: 1, b: "x" }, { a: 2, b: "x" }), plain, "/b vanished: string → "],
  ["a member of another type", plain, answers({ a: "1" }, { a: "2" }), "/a other type: number → string"],
  ["a body that isn't JSON any more", plain, answers("<p>", "<p>"), " other type: object → no JSON"],
  [
    "a member with an odd name",
    answers({}, {}),
    answers({ "<b>/~": 1 }, { "<b>/~": 1 }),
    "/<b>~1~0 appeared:  → number",
  ],
  [
    "a member that each of many different items has now",
    items(holder(1), holder(2), holder(3)),
    items(holder(1, { note: "" }), holder(2, { note: "" }), holder(3, { note: "" })),
    "/items/*/note appeared:  → string",
  ],
  [
    "an optional member that many of very many items had, and none of them has",
    items(...Array.from({ length: 40 }, (_, nth) => holder(nth, nth % 2 ? { delegate: "d" } : {}))),
    items(...Array.from({ length: 40 }, (_, nth) => holder(nth))),
    "/items/*/delegate vanished: string → ",
  ],
];
for (const [title, was, is, change] of changed)
  test(`a shape changed: ${title}`, async () =>
    expect(await shapesOf(was, is)).toEqual([`getProjectUsage 200 served ${change}`]));

test("a shape changed: a member of refusals", async () => {
  const refused = (body: object): Answers => answersOf({ status: 401 }, body, body);
  expect(await shapesOf(refused({ message: "no" }), refused({ message: "no", path: "/x" }))).toEqual([
    "getProjectUsage 401 refused /path appeared:  → string",
  ]);
});

const often = (item: object): Answers => [1, 2, 3].flatMap(() => items(item));

const unchanged: readonly (readonly [title: string, was: Answers, is: Answers])[] = [
  [
    "an optional member, once here and once there",
    answers({ a: 1, b: 1 }, { a: 2 }),
    answers({ a: 1 }, { a: 2, b: 1 }),
  ],
  [
    "an optional member that a few had, and none of the few others has",
    items(holder(1, { delegate: "d" }), holder(2), holder(3)),
    items(holder(4), holder(5), holder(6)),
  ],
  ["one item many times", often(holder(1)), often(holder(2, { note: "" }))],
  ["an empty list", items(holder(1), holder(2), holder(3)), items()],
  ["a heterogeneous list in another order", items(1, "a", null, { x: 1 }), items({ x: 1 }, null, "a", 1)],
  [
    "a member that is null at times",
    answers({ a: null }, { a: 1 }, { a: 2 }),
    answers({ a: 3 }, { a: 4 }, { a: null }),
  ],
  [
    "a member of one answer in five to one request",
    answers({ a: 1, b: 1 }, ...[2, 3, 4, 5].map((a) => ({ a }))),
    answers(...[1, 2, 3, 4, 5].map((a) => ({ a }))),
  ],
  ["whole numbers that have fractions now", plain, answers({ a: 1.5 }, { a: 2.5 })],
  [
    "members that are named by an address",
    answers({ D1VtmGG1jUKtipm1ZGmkbro3akJ5J6CxzfJSJPnqoe5w: 1 }, {}),
    answers({ "4sh6DMLwtAnmUgFcNUcTVTtNhpDrXrsDmcxioJJ82gfU": 1 }, {}),
  ],
  ["one answer alone", answers({ a: 1 }), answers({ a: 1, b: 1 })],
  ["other requests", answersOf({ stimulus: "one" }, { a: 1 }, { a: 2 }), answersOf({ stimulus: "two" }, {}, {})],
  ["another outcome", plain, answersOf({ status: 403 }, {}, {})],
  ["answers that the journal cut", plain, answersOf({ isCut: true }, '{"b":', '{"b":')],
  [
    "isolated projects",
    answersOf({ asker: "made-3" }, { a: 1 }, { a: 2 }),
    answersOf({ asker: "made-4" }, { a: 1, b: 1 }, { a: 2, b: 1 }),
  ],
];
for (const [title, was, is] of unchanged)
  test(`no shape changed: ${title}`, async () => expect(await shapesOf(was, is)).toEqual([]));

/** Twenty answers around a latency. */
const timed = (middle_ms: number, rest: Partial<Answer> = {}): Answers =>
  Array.from({ length: 20 }, (_, nth) => exchanged({ latency_ms: middle_ms + nth - 10, ...rest }));
const slowed = async (was: Answers, is: Answers): Promise<readonly string[]> =>
  (await pairOfAnswers(was, is)).latency.flatMap(({ operation, isReported }) => (isReported ? [operation] : []));

test("a slower operation is reported with its shift and interval", async () => {
  const [one] = (await pairOfAnswers(timed(40), timed(140))).latency;
  expect(one).toMatchObject({ operation: "getProjectUsage", isReported: true, was: { count: 20 }, shift: { by: 100 } });
  expect(one?.shift?.from).toBeGreaterThan(90);
  expect(one?.shift?.to).toBeLessThan(110);
});
test("a faster operation is reported", async () =>
  expect(await slowed(timed(140), timed(40))).toEqual(["getProjectUsage"]));
test("the latency of refusals isn't compared", async () =>
  expect(await slowed(timed(40, { outcome: "refused" }), timed(140, { outcome: "refused" }))).toEqual([]));
test("a slow request that one run sent more often makes no difference", async () => {
  const slow = timed(400, { stimulus: "a slow request" });
  expect(await slowed([...timed(40), ...slow.slice(0, 2)], [...timed(40), ...slow])).toEqual([]);
});

test("latency and limits of a run that is nothing but a load aren't compared, and a note says so", async () => {
  const { latency, limits, notes } = await pairOf(run(0, timed(40)), run(100, timed(140), { load: madeLoad() }));
  expect([latency, limits]).toEqual([[], []]);
  expect(notes.join()).toContain("only a load");
});

test("of a run with a load beside it, the load's exchanges aren't compared", async () => {
  const numbered = (exchanges: Answers, first: number): Answers =>
    exchanges.map((one, nth) => ({ ...one, number: first + nth }));
  const calm = numbered(timed(40), 1);
  const found = async (latency_ms: number) => {
    const load = madeLoad({ after: calm.length });
    const head = run(100, [...numbered(timed(latency_ms), 1), ...numbered(timed(400), calm.length + 1)], { load });
    const { latency, notes } = await pairOf(run(0, calm), head);
    return [latency.filter(({ isReported }) => isReported).length, notes.join().includes("load")];
  };
  expect(await found(40)).toEqual([0, false]);
  expect(await found(140)).toEqual([1, false]);
});

const stating = (limit: string, asker = "paid"): Answer => {
  const remaining = ["x-ratelimit-remaining", String(Math.random())] as const;
  return exchanged({ asker, headers: [["x-ratelimit-limit", limit], remaining] });
};
test("a changed stated limit is reported, a changed remaining amount isn't", async () => {
  const reported = async (was: Answer, is: Answer): Promise<readonly unknown[]> =>
    (await pairOfAnswers([was], [is])).limits.flatMap(({ isReported, stated }) => (isReported ? [stated] : []));
  expect(await reported(stating("5"), stating("10"))).toEqual([
    { was: ["x-ratelimit-limit: 5"], is: ["x-ratelimit-limit: 10"] },
  ]);
  expect(await reported(stating("5"), stating("5"))).toEqual([]);
  expect(await reported(stating("5", "paid"), stating("10", "free"))).toEqual([]);
  expect(await reported(exchanged(), stating("5"))).toHaveLength(1);
});

test("served and rate-limited requests are counted", async () => {
  const at = (second: number, outcome: Answer["outcome"]): Answer =>
    exchanged({ sentAt: instant(second), outcome, status: 200 });
  const answered = [at(0, "served"), at(0.4, "served"), at(0.9, "served"), at(1, "served"), at(1.2, "throttled")];
  expect((await pairOfAnswers(answered, answered)).limits.map(({ isMet }) => isMet)).toEqual([
    { mostServed: 3, throttled: 1 },
  ]);
});

test("a counter that no longer matches expected usage is reported", async () => {
  type Audited = Parameters<typeof audited>;
  const reported = async (was: Audited, is: Audited): Promise<readonly boolean[]> => {
    const { charges } = await pairOf(run(0, [], { audit: audited(...was) }), run(9, [], { audit: audited(...is) }));
    return charges.map(({ isReported }) => isReported);
  };
  expect(await reported(["200", "agrees"], ["300", "differs"])).toEqual([true]);
  expect(await reported(["200", "agrees"], ["100", "agrees"])).toEqual([false]);
  expect(await reported(["200", "agrees"], ["0", "open"])).toEqual([false]);
});

/** One answer per second from a second on, at 2.5 slots per second, lagging by some slots. */
const slots = (behind: number, first = 0): Answers =>
  Array.from({ length: 20 }, (_, nth) =>
    exchanged({
      operation: "getTokenAccounts",
      sentAt: instant(first + nth),
      body: { result: { last_indexed_slot: 400_000_000 + Math.floor(nth * 2.5) - behind } },
    }),
  );

test("slots are compared with the newest that any target had reported by then", async () => {
  const { freshness, notes } = await pairOf(run(0, slots(0)), { ...made(0, { name: "ajax" }), exchanges: slots(150) });
  expect(freshness).toMatchObject([
    {
      figure: "last_indexed_slot",
      operation: "getTokenAccounts",
      was: { median: 0 },
      is: { median: 150 },
      isReported: true,
    },
  ]);
  expect(notes.join()).not.toContain("overlap in time");
});

test("slots of runs that didn't overlap in time aren't compared with each other", async () => {
  const { freshness, notes } = await pairOf(run(0, slots(0)), run(10_000, slots(150, -10_000)));
  expect(freshness.map(({ isReported }) => isReported)).toEqual([false]);
  expect(notes.join()).toContain("didn't overlap in time");
});
