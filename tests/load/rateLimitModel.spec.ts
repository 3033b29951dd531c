// Tests of the limiter model: verdicts at the register's bounds
import { expect, test } from "@playwright/test";
import {
  burstsOf,
  recovers,
  refusesAsDocumented,
  refusesExcess,
  servesLimit,
  tooSlow,
} from "../../load/rateLimits/bursts.ts";
import {
  burstTriple,
  documentedLimit,
  idle_ms,
  overload,
  pair,
  steady,
  tripleAndRecovery,
} from "../../load/rateLimits/experiments.ts";
import { excessRefused, limitServed, recovered } from "../../load/rateLimits/gate.ts";
import { mostWithinWindow, overTwoWindows } from "../../load/rateLimits/proofs.ts";
import { allServed, servesBetween, withinWindows } from "../../load/rateLimits/rates.ts";
import type { Sample, SampleOutcome } from "../../load/rateLimits/samples.ts";

const timedResult = (sent_ms: number, outcome: SampleOutcome = "served", took_ms = 10): Sample => ({
  sent_ms,
  received_ms: sent_ms + took_ms,
  outcome,
});

/** Three bursts of 12 whose first ones are served, and one request after them. */
const triple = (
  served: readonly [number, number, number],
  after: SampleOutcome = "served",
  { took_ms = 10, rest = "refused" }: { readonly took_ms?: number; readonly rest?: SampleOutcome } = {},
) => ({
  bursts: served.map((count, nth) =>
    Array.from({ length: 12 }, (_, at) => timedResult(nth * 3_310, at < count ? "served" : rest, took_ms)),
  ),
  after: timedResult(13_000, after),
});
/** What a gate is handed, attempt by attempt; the last one again and again. */
const attempts =
  (...all: readonly (readonly Sample[])[]) =>
  (_: unknown, attempt: number): Promise<readonly Sample[]> =>
    Promise.resolve(all[Math.min(attempt, all.length - 1)] ?? []);
const samplesOf = ({ bursts, after }: ReturnType<typeof triple>): readonly Sample[] => [...bursts.flat(), after];

const bounds: readonly (readonly [title: string, all: ReturnType<typeof triple>, low: string, high: string])[] = [
  ["five in each", triple([5, 5, 5]), "held", "held"],
  ["one burst that meets two windows", triple([5, 10, 5]), "held", "held"],
  ["six in two bursts", triple([6, 5, 6]), "held", "broken"],
  ["eleven in one burst", triple([5, 11, 5]), "held", "broken"],
  ["four in one burst", triple([5, 4, 5]), "broken", "held"],
  ["six in each, too slowly to tell", triple([6, 6, 6], "served", { took_ms: 200 }), "held", "withheld"],
  ["eleven at once, however slowly", triple([11, 11, 11], "served", { took_ms: 900 }), "held", "broken"],
  ["four, however slowly", triple([4, 4, 4], "served", { took_ms: 900 }), "broken", "withheld"],
  ["nothing at all", triple([0, 0, 0], "refused"), "withheld", "withheld"],
  [
    "failures that may have been served",
    triple([4, 4, 4], "served", { rest: "failed" }),
    "inconclusive",
    "inconclusive",
  ],
  ["failures in place of refusals", triple([5, 5, 5], "served", { rest: "failed" }), "held", "withheld"],
  ["a ban", triple([5, 0, 0], "refused"), "withheld", "held"],
];
for (const [title, all, low, high] of bounds) {
  test(`bursts: ${title}: low side ${low}, high side ${high}`, () => {
    expect([servesLimit(all).is, refusesExcess(all).is]).toEqual([low, high]);
  });
}

test("a burst is too slow from 190 ms on, measured from the first sending to the last receipt", () => {
  expect(tooSlow(triple([5, 5, 5], "served", { took_ms: 189 }))).toBeNull();
  expect(tooSlow(triple([5, 5, 5], "served", { took_ms: 190 }))).toContain("0.19 s");
});

test("requests beyond the limit are refused as documented, or the verdict says how they weren't", () => {
  const got = (all: ReturnType<typeof triple>): string => {
    const verdict = refusesAsDocumented(all);
    return verdict.is === "broken" ? verdict.got : verdict.is;
  };
  expect(got(triple([5, 5, 5]))).toBe("held");
  expect(got(triple([5, 5, 5], "served", { rest: "undocumented" }))).toBe("another refusal");
  expect(got(triple([5, 5, 5], "served", { rest: "failed" }))).toBe("a failure in each of three bursts");
  expect(got(triple([12, 12, 12]))).toBe("withheld");
  const late = triple([12, 12, 12]);
  const bursts = late.bursts.map((one) =>
    one.map((each, nth) => (nth < 5 ? each : { ...each, received_ms: each.received_ms + 1_000 })),
  );
  expect(got({ ...late, bursts })).toBe("served 1.01 s late");
  // A network that is slow throughout queues nothing.
  const slow = triple([12, 12, 12], "served", { took_ms: 1_500 });
  expect(got({ ...slow, after: timedResult(13_000, "served", 1_500) })).toBe("withheld");
});

test("recovery is judged where the limit was exceeded, and broken where it is refused twice", async () => {
  expect(recovers(triple([5, 5, 5])).is).toBe("held");
  expect(recovers(triple([12, 12, 12])).is).toBe("withheld");
  expect(recovers(triple([5, 0, 0], "refused")).is).toBe("broken");
  expect(recovers(triple([5, 0, 0], "failed")).is).toBe("inconclusive");
  const first = samplesOf(triple([5, 0, 0], "refused"));
  expect((await recovered(attempts(first, [timedResult(0, "refused")]))).is).toBe("broken");
  expect((await recovered(attempts(first, [timedResult(0)]))).is).toBe("inconclusive");
});

test("a breach must show in a second attempt, and slow bursts are sent three times", async () => {
  const [four, five] = [samplesOf(triple([4, 4, 4])), samplesOf(triple([5, 5, 5]))];
  expect((await limitServed(attempts(four, five))).is).toBe("inconclusive");
  expect((await limitServed(attempts(four))).is).toBe("broken");
  const sent: number[] = [];
  const slow = await excessRefused((_, attempt) => {
    sent.push(attempt);
    return Promise.resolve(samplesOf(triple([6, 6, 6], "served", { took_ms: 250 })));
  });
  expect(sent).toEqual([0, 1, 2]);
  expect(slow).toEqual({
    is: "withheld",
    why: "after 3 attempts: a burst took 0.25 s, too long to distinguish 5 from 6 (6, 6, 6 of 12 were served)",
  });
});

test("proofs count what was sent and answered within one window", () => {
  const spread = (count: number, every_ms: number): Sample[] =>
    Array.from({ length: count }, (_, nth) => timedResult(nth * every_ms));
  expect(mostWithinWindow(spread(11, 98))).toMatchObject({ served: 11, within_ms: 990 });
  expect(overTwoWindows(spread(11, 98))).toMatchObject({ served: 11 });
  expect(overTwoWindows(spread(11, 99))).toBeNull();
  expect(overTwoWindows(spread(10, 0))).toBeNull();
  expect(mostWithinWindow([timedResult(0, "refused")])).toBeNull();
});

test("steady traffic is all served; requests that the network bunched prove nothing", () => {
  const even = Array.from({ length: 180 }, (_, nth) => timedResult((nth * 1000) / 3));
  expect(allServed(even).is).toBe("held");
  const butOne = (outcome: SampleOutcome) => even.map((one, nth) => (nth === 100 ? { ...one, outcome } : one));
  expect(allServed(butOne("refused"))).toMatchObject({ is: "broken", got: "1 refused" });
  expect(allServed(butOne("failed")).is).toBe("inconclusive");
  const bunched = butOne("refused").map((one, nth) =>
    nth > 95 && nth < 101 ? { ...one, sent_ms: 32_000, received_ms: 33_600 } : one,
  );
  expect(allServed(bunched).is).toBe("inconclusive");
  expect(allServed(even.map((one): Sample => ({ ...one, outcome: "refused" }))).is).toBe("withheld");
});

test("under overload only more than full windows can serve is a breach", () => {
  const loaded = (served: number): Sample[] =>
    Array.from({ length: 240 }, (_, nth) => timedResult((nth * 1000) / 12, nth < served ? "served" : "refused"));
  expect(withinWindows(loaded(105)).is).toBe("held");
  expect(withinWindows(loaded(106)).is).toBe("broken");
  expect(withinWindows(loaded(1)).is).toBe("held");
  expect(withinWindows(loaded(0)).is).toBe("withheld");
});

test("a burst against a known limit is served up to the limit, and no further", () => {
  const of20 = (served: number): Sample[] =>
    Array.from({ length: 20 }, (_, nth) => timedResult(0, nth < served ? "served" : "refused", 100));
  const verdict = (served: number) => servesBetween(of20(served), { least: 8, perSecond: 8 }).is;
  expect([7, 8, 9, 10].map(verdict)).toEqual(["broken", "held", "held", "broken"]);
  const slow = of20(8).map((one) => ({ ...one, received_ms: 2_000 }));
  expect(servesBetween(slow, { least: 8, perSecond: 8 }).is).toBe("inconclusive");
});

test("experiments are as the register has them", () => {
  const resultsOf = (calls: typeof tripleAndRecovery) => calls.map(({ at_ms }) => timedResult(at_ms));
  const { bursts, after } = burstsOf(tripleAndRecovery, resultsOf(tripleAndRecovery));
  expect(bursts.map(({ length }) => length)).toEqual([12, 12, 12]);
  const starts = bursts.map(([first]) => first?.sent_ms ?? 0);
  expect(starts.map((start_ms, nth) => start_ms - nth * idle_ms)).toEqual([3_000, 3_310, 3_620]);
  expect((after?.sent_ms ?? 0) - (starts[2] ?? 0)).toBeGreaterThanOrEqual(idle_ms);
  expect(new Set(burstTriple().map(({ connection }) => connection)).size).toBe(12);
  expect([steady.length, overload.length]).toEqual([180, 240]);
  expect(overload.at(-1)?.at_ms).toBeLessThan(idle_ms + 20_000);
  const [first = [], second = []] = burstsOf(pair(2_200), resultsOf(pair(2_200))).bursts;
  expect([first.length, second.length]).toEqual([documentedLimit, documentedLimit]);
  expect((second[0]?.sent_ms ?? 0) - (first.at(-1)?.sent_ms ?? 0)).toBe(2_200);
});
