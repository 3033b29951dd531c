// What is measured of answers: which can be compared, limits, charges, latencies, and lags of slots.
import { expect, test } from "@playwright/test";
import { type Answer, audited, exchanged, instant, made, pairOf, type Run } from "../support/madeRuns.ts";

type Answers = readonly Answer[];
const run = (exchanges: Answers): Run => made(0, { exchanges });
const times = <One>(count: number, one: One): readonly One[] => Array.from({ length: count }, () => one);

type Some = Parameters<typeof exchanged>[0];
type Counts = readonly [limits: number, latencies: number];
const both: readonly (readonly [title: string, was: Some, is: Some, counts: Counts])[] = [
  ["the same", {}, {}, [1, 1]],
  ["the same without a key", { asker: null }, { asker: null }, [1, 1]],
  ["to another request", {}, { stimulus: "another request" }, [0, 0]],
  ["with another status", {}, { status: 201 }, [0, 0]],
  ["of another outcome", {}, { outcome: "throttled" }, [0, 0]],
  ["of another operation", {}, { operation: "getTokenAccounts" }, [0, 0]],
  ["of no operation", { operation: null }, { operation: null }, [0, 0]],
  ["for an isolated project", { asker: "made-1" }, { asker: "made-1" }, [0, 0]],
  ["that weren't served", { outcome: "refused" }, { outcome: "refused" }, [1, 0]],
];
for (const [title, was, is, counts] of both)
  test(`of answers in both runs: ${title}`, async () => {
    const { limits, latency } = await pairOf(run([exchanged(was)]), run([exchanged(is)]));
    expect([limits.length, latency.length]).toEqual(counts);
  });

test("what got no answer isn't compared", async () => {
  const lost = run([{ ...exchanged(), answer: null, outcome: "failed" }]);
  expect(await pairOf(lost, lost)).toMatchObject({ limits: [], latency: [] });
});

const stating = (limit: string, asker: string | null = "paid", name = "x-ratelimit-limit"): Answer =>
  exchanged({ asker, headers: [[name, limit]] });
const silent = exchanged();

const stated: readonly (readonly [title: string, was: Answers, is: Answers, isReported: boolean])[] = [
  ["another", [stating("5")], [stating("10")], true],
  ["the same", [stating("5")], [stating("5")], false],
  ["one where there was none", [silent], [stating("5")], true],
  ["none where there was one", [stating("5")], [silent], true],
  ["none at all", [silent], [silent], false],
  ["one of two", [stating("5"), stating("10")], [stating("10")], false],
  ["another beside the same", [stating("5")], [stating("5"), stating("10")], false],
  ["another to one role of two", [stating("5"), stating("7", "free")], [stating("5"), stating("8", "free")], true],
  ["another to nobody", [stating("5", null)], [stating("10", null)], true],
  ["one to a role that the other run didn't have", [stating("5")], [stating("10", "free")], false],
  ["one in other case", [stating("5")], [stating("5", "paid", "X-RateLimit-Limit")], false],
];
for (const [title, was, is, isReported] of stated)
  test(`whether a stated limit is reported: ${title}`, async () => {
    const found = (await pairOf(run(was), run(is))).limits;
    expect(found.map((one) => one.isReported)).toEqual([isReported]);
  });

const headerNames: readonly (readonly [name: string, isStated: boolean])[] = [
  ["ratelimit-limit", true],
  ["RateLimit-Policy", true],
  ["x-ratelimit-limit", true],
  ["x-ratelimit-limit-minute", true],
  ["x-ratelimit-remaining", false],
  ["x-ratelimit-reset", false],
  ["my-ratelimit-limit", false],
  ["x-ratelimit-limits", false],
  ["x-ratelimit-limit-1", false],
];
for (const [name, isStated] of headerNames)
  test(`${name} states ${isStated ? "a limit" : "no limit"}`, async () => {
    const [found] = (await pairOf(run([silent]), run([stating("5", "paid", name)]))).limits;
    expect(found?.stated).toEqual({ was: [], is: isStated ? [`${name.toLowerCase()}: 5`] : [] });
  });

test("stated limits of all roles are in alphabetical order, each once", async () => {
  const is = [stating("7"), stating("5", "free"), stating("7", "free")];
  const was = [stating("3"), stating("9", "free"), stating("1", "free")];
  expect((await pairOf(run(was), run(is))).limits.map((one) => one.stated)).toEqual([
    {
      was: ["x-ratelimit-limit: 1", "x-ratelimit-limit: 3", "x-ratelimit-limit: 9"],
      is: ["x-ratelimit-limit: 5", "x-ratelimit-limit: 7"],
    },
  ]);
});

test("limits are met by all requests of an operation, served within a second and rate-limited", async () => {
  const at = (second: number, rest: Some = {}): Answer => exchanged({ sentAt: instant(second), ...rest });
  const throttled = { outcome: "throttled", status: 429 } as const;
  const other = at(0, { operation: "getTokenAccounts", stimulus: "other" });
  const was = [at(0), at(0.5, { stimulus: "another request" }), at(0.6, throttled), other];
  const is = [at(0), at(1), at(1.1, throttled), at(1.2, throttled), other, other, other];
  const found = (await pairOf(run(was), run(is))).limits;
  expect(found.map(({ operation, wasMet, isMet }) => [operation, wasMet, isMet])).toEqual([
    ["getProjectUsage", { mostServed: 2, throttled: 1 }, { mostServed: 1, throttled: 2 }],
    ["getTokenAccounts", { mostServed: 1, throttled: 0 }, { mostServed: 3, throttled: 0 }],
  ]);
});

type Audit = Run["audit"];
const [agrees, differs, open] = [audited("100", "agrees"), audited("300", "differs"), audited("0", "open")];
const atOther = { entries: agrees?.entries.map((one) => ({ ...one, at: "/credits/other" })) ?? [], reason: null };
const audits: readonly (readonly [title: string, was: Audit, is: Audit, isReported: readonly boolean[]])[] = [
  ["it differs now", agrees, differs, [true]],
  ["it agrees now", differs, agrees, [true]],
  ["it agrees in both", agrees, audited("200", "agrees"), [false]],
  ["it was inconclusive", open, differs, [false]],
  ["it is inconclusive", differs, open, [false]],
  ["the base has no audit", null, agrees, []],
  ["the other run has no audit", agrees, null, []],
  ["of another project", agrees, audited("300", "differs", "second"), []],
  ["at another place", agrees, atOther, []],
];
for (const [title, was, is, isReported] of audits)
  test(`whether a counter is reported: ${title}`, async () => {
    const found = (await pairOf(made(0, { audit: was }), made(9, { audit: is }))).charges;
    expect(found.map((one) => one.isReported)).toEqual(isReported);
  });

test("a counter has what was charged, and what should have been", async () => {
  const spent = { least: "100", most: "100" };
  const exact: Audit = { entries: (differs?.entries ?? []).map((one) => ({ ...one, spent })), reason: null };
  expect((await pairOf(made(0, { audit: agrees }), made(9, { audit: exact }))).charges).toEqual([
    {
      project: "main",
      at: "/credits/walletApi",
      was: { charged: "100", spent: "100 to 200", result: "agrees" },
      is: { charged: "300", spent: "100", result: "differs", thanExpected: "more" },
      isReported: true,
    },
  ]);
});

const slower: readonly (readonly [was_ms: number, is_ms: number, isReported: boolean])[] = [
  [40, 60, true],
  [40, 59, false],
  [60, 40, true],
  [200, 240, true],
  [200, 239, false],
];
for (const [was_ms, is_ms, isReported] of slower)
  test(`${was_ms} ms before and ${is_ms} ms now is ${isReported ? "" : "not "}reported`, async () => {
    const took = (latency_ms: number): Run => run(times(8, exchanged({ latency_ms })));
    expect((await pairOf(took(was_ms), took(is_ms))).latency.map((one) => one.isReported)).toEqual([isReported]);
  });

test("of each request the first answers count, as many as both runs have", async () => {
  const took = (requestSpec: string, ...latencies: readonly number[]): Answers =>
    latencies.map((latency_ms) => exchanged({ stimulus: requestSpec, latency_ms }));
  const refused = exchanged({ status: 403, latency_ms: 900 });
  const was = run([...took("a", 1, 3, 500), ...took("b", 7), refused]);
  const is = run([...took("a", 2, 6), ...took("b", 10, 800), refused]);
  expect((await pairOf(was, is)).latency).toMatchObject([
    { operation: "getProjectUsage", was: { count: 3, median: 3 }, is: { count: 3, median: 6 } },
  ]);
});

/** An answer that arrives at a second, and says which slot it knows. */
const slotAt = (arrival: number, last_indexed_slot: unknown, rest: Some = {}): Answer => {
  const sent = { operation: "getTokenAccounts", sentAt: instant(arrival), latency_ms: 0 };
  return exchanged({ ...sent, body: { result: { last_indexed_slot } }, ...rest });
};
const lags = async (was: Answers, is: Answers, others: readonly Answers[] = []) => {
  const { freshness } = await pairOf(run(was), run(is), ...others.map(run));
  return freshness.map((one) => [one.was.median, one.is.median]);
};
const old = slotAt(0, 1);

const behind: readonly (readonly [title: string, was: Answers, is: Answers, found: readonly (readonly number[])[]])[] =
  [
    ["the newest has none", [slotAt(0, 90)], [slotAt(1, 100)], [[0, 0]]],
    ["an older one lags behind a newer one before it", [slotAt(0, 100)], [slotAt(1, 90)], [[0, 10]]],
    ["an older one lags behind the newest, not the last", [slotAt(0, 100), slotAt(1, 98)], [slotAt(2, 90)], [[1, 10]]],
    ["an older one of the same instant lags", [slotAt(1, 100)], [slotAt(1, 90)], [[0, 10]]],
    ["an older one of the same instant lags, in either run", [slotAt(1, 90)], [slotAt(1, 100)], [[10, 0]]],
    ["what arrives later doesn't count", [slotAt(1, 90)], [slotAt(1.001, 100)], [[0, 0]]],
    ["slots from zero on", [slotAt(0, 0)], [slotAt(1, 0)], [[0, 0]]],
    ["an answer arrives when it was sent and took", [slotAt(0, 100, { latency_ms: 500 })], [slotAt(1, 90)], [[0, 10]]],
    ["an answer that took long comes later", [slotAt(0, 100, { latency_ms: 2000 })], [slotAt(1, 90)], [[0, 0]]],
    ["slots that are no numbers aren't compared", [old], [slotAt(1, "100")], []],
    ["operations that only one run called aren't compared", [], [old], []],
    ["refusals don't count", [old, slotAt(0, 50, { status: 403 })], [slotAt(1, 1)], [[0, 0]]],
    ["cut answers don't count", [old, slotAt(0, 50, { isCut: true })], [slotAt(1, 1)], [[0, 0]]],
    ["isolated projects don't count", [old, slotAt(0, 50, { asker: "made-1" })], [slotAt(1, 1)], [[0, 0]]],
    ["answers without JSON don't count", [old, slotAt(0, 0, { body: "<p>" })], [slotAt(1, 1)], [[0, 0]]],
  ];
for (const [title, was, is, found] of behind)
  test(`how far slots lag: ${title}`, async () => expect(await lags(was, is)).toEqual(found));

test("how far slots lag: a third run counts, too", async () =>
  expect(await lags([slotAt(1, 90)], [slotAt(2, 98)], [[slotAt(0, 100)]])).toEqual([[10, 2]]));

const apart: readonly (readonly [title: string, was: number, is: number, notes: readonly RegExp[]])[] = [
  [
    "a chain that began anew between two runs is no lag, and is told",
    98_000,
    40,
    [/overlap/, /back from 98000 to 40 .*aren't reported/],
  ],
  ["a chain that continued is told nothing of", 98_000, 98_900, [/overlap/]],
];
for (const [title, was, is, expected] of apart)
  test(`how far slots lag: ${title}`, async () => {
    const later = (slot: number): Run => made(100, { exchanges: [slotAt(101, slot), slotAt(102, slot + 5)] });
    const pair = await pairOf(run([slotAt(1, was - 5), slotAt(2, was)]), later(is - 5));
    expect(pair.freshness.map((one) => [one.was.median, one.is.median])).toEqual([[0, 0]]);
    expect(pair.notes).toEqual(expected.map((note) => expect.stringMatching(note)));
  });

test("how far slots lag: a chain that began anew isn't said to lag further behind", async () => {
  const lagging = (from: number, slot: number, by: number): Answers => [
    slotAt(from, slot),
    ...times(12, slotAt(from + 1, slot - by)),
  ];
  const reportedFrom = async (slot: number) => {
    const head = made(100, { exchanges: lagging(101, slot, 162) });
    return (await pairOf(run(lagging(1, 98_000, 0)), head)).freshness.map(({ isReported }) => isReported);
  };
  expect(await reportedFrom(40_000)).toEqual([false]);
  expect(await reportedFrom(98_900)).toEqual([true]);
});

test("figures and operations are compared one by one", async () => {
  const both = (arrival: number, slot: number, operation: string): Answer =>
    slotAt(arrival, 0, { operation, body: { result: { last_indexed_slot: slot, context: { slot } } } });
  const { freshness } = await pairOf(run([both(0, 5, "a"), both(0, 3, "b")]), run([both(1, 5, "a"), both(1, 2, "b")]));
  expect(freshness.map(({ figure, operation, was, is }) => [figure, operation, was.median, is.median])).toEqual([
    ["last_indexed_slot", "a", 0, 0],
    ["context.slot", "a", 0, 0],
    ["last_indexed_slot", "b", 2, 3],
    ["context.slot", "b", 2, 3],
  ]);
});

const lagging: readonly (readonly [was: number, is: number, isReported: boolean])[] = [
  [0, 10, true],
  [0, 9, false],
  [20, 31, true],
];
for (const [was, is, isReported] of lagging)
  test(`${was} slots behind before and ${is} now is ${isReported ? "" : "not "}reported`, async () => {
    const [base, head] = [was, is].map((slots) => run(times(8, slotAt(1, 1000 - slots))));
    if (!base || !head) throw new Error("there are no runs");
    const { freshness } = await pairOf(base, head, run([slotAt(0, 1000)]));
    expect(freshness.map((one) => one.isReported)).toEqual([isReported]);
  });
