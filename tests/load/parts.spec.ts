// Loads in parts: how a stream of samples is split doesn't matter, and what parts lack is named
import { expect, test } from "@playwright/test";
import fc from "fast-check";
import { exitCodeUnderLoad } from "../../cli/underLoad.ts";
import { type LoadReport, loadOutcomes } from "../../harness/record/load.ts";
import type { TrafficShown } from "../../load/k6/orders.ts";
import { segmentArguments } from "../../load/k6/process.ts";
import { aheadOf } from "../../load/traffic/lacks.ts";
import { judgedLoad } from "../../load/traffic/load.ts";
import type { LoadPart } from "../../load/traffic/parts.ts";
import { sendTogether } from "../../load/traffic/traffic.ts";
import { loadSentences } from "../../reports/load.ts";
import { loadTarget } from "../support/madeLoads.ts";
import { honest, iterations, judging, type Logged, operations, plan, splitUp } from "../support/madeParts.ts";

const { target } = judging;
const [health = 0] = operations.flatMap((operation, share) => (operation === "getIndexerHealth" ? [share] : []));
const request = plan.mix.shares[health]?.requestSpec.json as object;

/** Whole answers of one operation, of which some break a requirement. */
function shownAs(nth: number, isBroken: boolean, date = ""): TrafficShown {
  const body = JSON.stringify({ ...request, method: undefined, result: "ok", ...(isBroken ? { id: "another" } : {}) });
  return {
    ...{ nth, share: health, sentAt_ms: 1_000_000 + nth, latency_ms: 1, broken: isBroken ? ["RPC-ENV-03"] : [] },
    answer: {
      ...{
        status: 200,
        headers: { "Content-Type": "application/json", ...(date && { Date: date }) },
        errorCode: 0,
        error: "",
      },
      body_base64: Buffer.from(body).toString("base64"),
    },
  };
}

const streams = fc
  .array(
    fc.record({
      share: fc.nat(operations.length - 1),
      outcome: fc.oneof(
        { weight: 9, arbitrary: fc.constant(0) },
        { weight: 1, arbitrary: fc.nat(loadOutcomes.length - 1) },
      ),
      us: fc.oneof(fc.nat(80_000), fc.nat(70_000_000)),
      isJudged: fc.constantFrom(0 as const, 1 as const),
      isBroken: fc.oneof({ weight: 20, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
      isShown: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
    }),
    { minLength: iterations, maxLength: iterations },
  )
  .map((all) =>
    all.map(({ share, outcome, us, isJudged, isBroken, isShown }, nth): Logged => {
      const [of, ids] = isBroken ? [health, ["RPC-ENV-03"]] : [share, []];
      const shown = isBroken || isShown ? { shown: shownAs(nth, isBroken) } : {};
      return { record: [nth, 0, of, isBroken ? 0 : outcome, us, isBroken ? 1 : isJudged, ids], ...shown };
    }),
  );

/** Everything that a load says but which parts there were, as JSON. */
async function reportOn(parts: readonly LoadPart[]): Promise<string> {
  const { report, verdicts, exchanges, spent } = await judgedLoad(parts, judging);
  const { parts: _, ...same } = report;
  return JSON.stringify({ same, verdicts, exchanges, spent });
}

test("split over 1 to 16 generators as k6 does it, a stream gives the same report, byte by byte", async () => {
  await fc.assert(
    fc.asyncProperty(streams, fc.integer({ min: 2, max: 16 }), async (stream, of) => {
      const parts = splitUp(stream, of);
      expect(await reportOn([...parts].reverse())).toBe(await reportOn(splitUp(stream, 1)));
    }),
    { numRuns: 3 },
  );
});

test("split in any other way, it gives the same counters, percentiles and whole answers", async () => {
  await fc.assert(
    fc.asyncProperty(
      streams,
      fc.array(fc.nat(15), { minLength: iterations, maxLength: iterations }),
      async (stream, partOf) => {
        const of = async (parts: readonly LoadPart[]): Promise<string> => {
          const { tally, summary, shown } = await sendTogether(target, { ...plan, shares: plan.mix.shares }, parts);
          return JSON.stringify([
            tally.phases,
            tally.latencies(),
            Object.fromEntries([...tally.broken].sort(([a], [b]) => (a < b ? -1 : 1))),
            tally.judged,
            summary,
            shown,
          ]);
        };
        expect(await of(splitUp(stream, 16, { partOf: (nth) => partOf[nth] ?? 0 }))).toBe(await of(splitUp(stream, 1)));
      },
    ),
    { numRuns: 3 },
  );
});

test("what k6 found broken in a refusal that may be another's isn't said to be broken", async () => {
  const [usage = 0] = operations.flatMap((operation, share) => (operation === "getProjectUsage" ? [share] : []));
  const ids = ["ERR-ADM-SHAPE-01", "ERR-ADM-SHAPE-03"] as const;
  const { answer, ...shown } = shownAs(7, false);
  const body_base64 = Buffer.from('{"error":"rate limited"}').toString("base64");
  const refused = { ...shown, share: usage, broken: ids, answer: { ...answer, status: 429, body_base64 } };
  const stream = honest.map((one, nth): Logged => {
    const [, phase] = one.record;
    return nth === 7 ? { record: [nth, phase, usage, 1, 1_000, 1, ids], shown: refused } : one;
  });
  const { report, verdicts } = await judgedLoad(splitUp(stream, 1), judging);
  expect(verdicts.filter(({ breaches }) => breaches.length > 0)).toEqual([]);
  expect(report.broken).toEqual([]);
});

test("a broken requirement is found, with the first answers that show it, whichever part they are in", async () => {
  const stream = honest.map((one, nth): Logged => {
    if (nth % 40 !== 7) return one;
    const [, phase] = one.record;
    return { record: [nth, phase, health, 0, 1_000, 1, ["RPC-ENV-03"]], shown: shownAs(nth, true) };
  });
  const { report, verdicts, exchanges } = await judgedLoad(splitUp(stream, 3), judging);
  expect(report.broken).toEqual([{ id: "RPC-ENV-03", times: 6 }]);
  expect(verdicts.find(({ id }) => id === "RPC-ENV-03")?.verdict).toBe("broken");
  expect(exchanges.map(({ sentAt_ms }) => sentAt_ms - 1_000_000)).toEqual([7, 47, 87]);
});

test("parts that are whole lack nothing, and say what each sent", async () => {
  const { report } = await judgedLoad(splitUp(honest, 3), judging);
  expect([report.doubt, report.parts?.map(({ nth, of, planned, begun }) => [nth, of, planned, begun])]).toEqual([
    null,
    [1, 2, 3].map((nth) => [nth, 3, 80, 80]),
  ]);
});

/** As an honest load, with whole answers of one operation. */
const answered = honest.map(
  ({ record }): Logged => (record[2] === health ? { record, shown: shownAs(record[0], false) } : { record }),
);
const second = (change: (part: LoadPart) => Partial<LoadPart>) => (part: LoadPart) =>
  part.nth === 2 ? { ...part, ...change(part) } : part;
const parts = (change: (part: LoadPart) => Partial<LoadPart>) => splitUp(answered, 3, { change: second(change) });
const whole = splitUp(answered, 3);
for (const [title, given, lack] of [
  ["one that is missing", whole.slice(0, 2), "part 3 of 3 is missing"],
  ["one that is there twice", [...whole, ...whole.slice(1, 2)], "part 2 of 3 is present more than once"],
  [
    "one whose k6 failed",
    parts(() => ({ failure: "k6 ended with a signal", summary: null })),
    "part 2 of 3 was cut short: k6 ended with a signal",
  ],
  ["one without an end", parts(() => ({ summary: null })), "part 2 of 3 has no end"],
  ["one that never began", parts(() => ({ beganAt_ms: null })), "part 2 of 3 has no end"],
  [
    "one that was stopped",
    parts(() => ({ stopped: { reason: "too slow", after_s: 4, isAutomatic: true } })),
    "part 2 of 3 was stopped automatically after 4 s: too slow",
  ],
  [
    "one that lost a record",
    parts(({ summary }) => ({ summary: summary && { ...summary, iterations: 81 } })),
    "part 2 of 3 reported 80 requests, but k6 counted 81",
  ],
  [
    "one that sent another's iterations",
    whole.map((one) => (one.nth === 2 ? { ...one, ...whole[0], nth: 2 } : one)),
    "part 2 of 3 has gaps between its iterations, or sent those of another part",
  ],
  [
    "one with a gap",
    parts(({ begun }) => ({ begun: { ...begun, sum: begun.sum - 3 } })),
    "part 2 of 3 has gaps between its iterations, or sent those of another part",
  ],
  [
    "one that ended early",
    splitUp(answered.slice(0, 200), 3).flatMap((part, at) => (at === 1 ? part : whole.slice(at, at + 1))),
    "part 2 of 3 began only 67 of 80 requests",
  ],
  ["one whose pulse ended", parts(() => ({ stoodStill_ms: null })), "part 2 of 3 has no end"],
] as const)
  test(`a load with ${title} is incomplete: what was judged holds in part, and it is never green`, async () => {
    const { report, verdicts } = await judgedLoad(given, judging);
    expect(report.doubt).toContain(lack);
    expect(exitCodeUnderLoad(verdicts, report)).toBe(3);
    expect([report.latencies, report.bounds]).toEqual([[], []]);
    expect(new Set(verdicts.map(({ verdict }) => verdict))).toEqual(new Set(["holds"]));
    for (const { narrowed } of verdicts) expect(narrowed?.untried.map(({ member }) => member)).toContain(lack);
  });

const late = (ms: number) => parts(() => ({ beganAt_ms: 1_000_000 + ms }));
const latestSentence = (load: LoadReport): string => loadSentences(load).slice(1).join("; ");

for (const [title, given, lack] of [
  ["one that stalled", parts(() => ({ stoodStill_ms: 1_600 })), "part 2 of 3 stalled for 1.6 s"],
  ["one that began late", late(1_500), "part 2 of 3 began 1.5 s late; part 2 of 3 began at least 1.5 s after another"],
  [
    "one that was begun later than others",
    parts(() => ({ startAt_ms: null, beganAt_ms: 1_001_500 })),
    "part 2 of 3 began at least 1.5 s after another",
  ],
] as const)
  test(`a load with ${title} is judged by laws, and measures nothing`, async () => {
    const { report, verdicts } = await judgedLoad(given, judging);
    const onTime = await judgedLoad(whole, judging);
    expect(verdicts).toEqual(onTime.verdicts);
    expect(exitCodeUnderLoad(verdicts, report)).toBe(0);
    expect([report.doubt, report.latencies, report.bounds]).toEqual([null, [], []]);
    expect(latestSentence(report)).toBe(`latency and rates not judged: ${lack}`);
  });

test("a breach in a load whose parts began apart is one", async () => {
  const stream = answered.map((one): Logged => {
    const [nth, phase] = one.record;
    const record = [nth, phase, health, 0, 1_000, 1, ["RPC-ENV-03"]] as const;
    return nth === 7 ? { record, shown: shownAs(nth, true) } : one;
  });
  const change = second(() => ({ beganAt_ms: 1_001_500 }));
  const { report, verdicts } = await judgedLoad(splitUp(stream, 3, { change }), judging);
  expect(exitCodeUnderLoad(verdicts, report)).toBe(1);
  expect(verdicts.find(({ id }) => id === "RPC-ENV-03")?.verdict).toBe("broken");
});

const stress = { ...plan, shape: { name: "stress", isBeyondPace: true } } as const;
for (const [title, order, ms, doubt] of [
  [
    "has bounds on latency",
    { target: loadTarget("load: { latencyP95_ms: { getIndexerHealth: 200 } }") },
    1_500,
    "the bounds on latency aren't judged",
  ],
  ["looks for its knee", { plan: stress }, 1_500, "the knee isn't measured"],
  ["lacked a part for a tenth of its time", {}, 2_500, "the rate wasn't kept for a tenth of the load"],
] as const)
  test(`a load that ${title} is inconclusive where a part is late, and laws have judged it all the same`, async () => {
    const { report, verdicts } = await judgedLoad(late(ms), { ...judging, ...order });
    const seconds = (ms / 1000).toFixed(1);
    const why = `part 2 of 3 began ${seconds} s late; part 2 of 3 began at least ${seconds} s after another`;
    expect(report.doubt).toBe(`${doubt}: ${why}`);
    expect(latestSentence(report)).toBe(`inconclusive: ${doubt}: ${why}`);
    expect([exitCodeUnderLoad(verdicts, report), report.knee]).toEqual([3, null]);
    expect(verdicts.filter(({ verdict, narrowed }) => verdict === "holds" && !narrowed).length).toBe(verdicts.length);
  });

test("clocks are compared by the dates of answers, as far as these go", () => {
  const dated = (...sent: readonly (readonly [date: string, sentAt: string])[]) =>
    aheadOf(sent.map(([date, sentAt], nth) => ({ ...shownAs(nth, false, date), sentAt_ms: Date.parse(sentAt) })));
  const date = "Thu, 26 Nov 2026 10:00:05 GMT";
  expect(dated([date, "2026-11-26T10:00:05.500Z"])).toEqual([-1_501, 1_500]);
  expect(dated([date, "2026-11-26T10:00:00.500Z"])).toEqual([3_499, 6_500]);
  expect(dated([date, "2026-11-26T10:00:05.500Z"], [date, "2026-11-26T10:00:00.500Z"])).toBeNull();
  expect(dated(["yesterday", "2026-11-26T10:00:00.500Z"])).toBeNull();
});

test("a part whose clock is wrong began with the others all the same, by the platform's", async () => {
  const sentAt_ms = Date.parse("2026-11-26T10:00:05.500Z");
  /** The second is half a minute behind. */
  const behind = (began_ms: number) => (part: LoadPart) => ({
    ...part,
    startAt_ms: null,
    beganAt_ms: part.nth === 2 ? began_ms : 1_000_000,
    shown: [{ ...shownAs(part.nth - 1, false, `Thu, 26 Nov 2026 10:00:${part.nth === 2 ? 35 : "05"} GMT`), sentAt_ms }],
  });
  const doubtOf = async (began_ms: number) =>
    (await judgedLoad(splitUp(honest, 3, { change: behind(began_ms) }), judging)).report.doubt;
  expect(await doubtOf(970_000)).toBeNull();
  expect(await doubtOf(1_000_000)).toContain("part 2 of 3 began at least 27.0 s after another");
});

test("segments are as k6-operator names them", () => {
  expect(segmentArguments({ nth: 2, of: 3 })).toEqual([
    "--execution-segment=1/3:2/3",
    "--execution-segment-sequence=0,1/3,2/3,1",
  ]);
  expect(segmentArguments({ nth: 1, of: 1 })[0]).toBe("--execution-segment=0:1");
});
