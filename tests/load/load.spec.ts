// Tests of the models of a load: samples, mixes, latencies, bounds, knee, doubts and verdicts

import { expect, test } from "@playwright/test";
import { decodeFromCompressedBase64 } from "hdr-histogram-js";
import { contractSuite } from "../../contracts/suite.ts";
import { realClock } from "../../harness/core/clock.ts";
import { keyHolder } from "../../harness/core/requestSpec.ts";
import type { LoadPhase } from "../../harness/record/load.ts";
import type { WireAnswer } from "../../harness/transport/wire.ts";
import { chanceOf } from "../../load/k6/chance.ts";
import { reads } from "../../load/reads.ts";
import { type Phase, secondsOfPhases, shapes, stretchOf_s } from "../../load/shapes/shapes.ts";
import { exchangeOfCall } from "../../load/traffic/exchanges.ts";
import { boundsOf, doubtOn, findingsOf, kneeOf, lagOf, phaseBrokenBy } from "../../load/traffic/findings.ts";
import { mixFor, orderOf, perSecondOf, scaledTo } from "../../load/traffic/mix.ts";
import { doubtedFor } from "../../load/traffic/report.ts";
import { TrafficTally, trafficCountOf } from "../../load/traffic/tally.ts";
import { judgedAt } from "../../load/traffic/traffic.ts";
import { loadTarget as target } from "../support/madeLoads.ts";
import { sentenceOf } from "../support/reasons.ts";

test("the sample follows from the seed and has the right size", () => {
  const chosen = (seed: number, share: number): readonly number[] =>
    Array.from({ length: 20_000 }, (_, nth) => nth).filter((nth) => chanceOf(seed, nth) < share);
  expect(chosen(1, 0.1)).toEqual(chosen(1, 0.1));
  expect(chosen(1, 0.1)).not.toEqual(chosen(2, 0.1));
  for (const seed of [0, 1, 2, 12_345])
    for (const share of [0.01, 0.1, 0.5])
      expect(Math.abs(chosen(seed, share).length - 20_000 * share)).toBeLessThan(4 * Math.sqrt(20_000 * share));
  expect(chosen(1, 1)).toHaveLength(20_000);
  expect([judgedAt(499), judgedAt(500), judgedAt(5_000)]).toEqual([1, 0.1, 0.01]);
});

/** So many phases of ten seconds. */
const steps = (count: number): readonly Phase[] =>
  Array.from({ length: count }, (_, nth) => ({ name: `step ${nth + 1}`, seconds: 10, perSecond: 10 }));

test("requests are counted over time: what was due, sent, refused and failed, and how fast", () => {
  const tally = new TrafficTally(
    ["getIndexerHealth"],
    [
      { name: "calm", seconds: 2, perSecond: 1 },
      { name: "rush", seconds: 1.5, perSecond: 4 },
    ],
  );
  const add = (sentAfter_s: number, outcome: number, latency_us: number): void =>
    tally.add(trafficCountOf([0, 0, 0, outcome, latency_us, 0, [], 0, sentAfter_s]));
  add(0, 0, 1_000);
  add(2, 0, 3_000);
  add(2, 1, 100);
  add(3, 3, 100);
  // Begun late: it belongs to the last stretch.
  add(7, 4, 100);
  const none = { p50_ms: null, p95_ms: null, p99_ms: null };
  expect(tally.overTime()).toMatchObject([
    { from_s: 0, seconds: 1, due: 1, requests: 1, served: 1, limited: 0, failed: 0 },
    { from_s: 1, seconds: 1, due: 1, requests: 0, ...none },
    { from_s: 2, seconds: 1, due: 4, requests: 2, served: 1, limited: 1, failed: 0 },
    { from_s: 3, seconds: 0.5, due: 2, requests: 2, served: 0, failed: 2, ...none },
  ]);
  expect(tally.overTime()[2]?.p95_ms).toBeCloseTo(3, 1);
  const byLimit = { name: "rpc", requests: [1, 0, 2, 2], limited: [0, 0, 1, 0], failed: [0, 0, 0, 2] };
  expect(tally.byLimit(() => "rpc")).toEqual([byLimit]);
  const again = new TrafficTally(["getIndexerHealth"], [{ name: "calm", seconds: 2, perSecond: 1 }]);
  expect(again.overTime()).toEqual([]);
  again.addAll(tally.toJSON());
  expect(again.byLimit(() => "rpc")).toEqual([byLimit]);
});

test("a load has at most 120 stretches, each of a round length", () => {
  const widthOf = (seconds: number): number => stretchOf_s([{ name: "steady", seconds, perSecond: 1 }]);
  expect([20, 120, 121, 600, 3_600, 86_400].map(widthOf)).toEqual([1, 1, 2, 5, 30, 1_800]);
  for (const seconds of [0.5, 119, 1_234, 250_000]) expect(seconds / widthOf(seconds)).toBeLessThanOrEqual(120);
});

test("no percentile exceeds the maximum", () => {
  const tally = new TrafficTally(["getIndexerHealth"], steps(1));
  for (const latency_us of [2_205, 3_155, 4_704]) tally.add(trafficCountOf([0, 0, 0, 0, latency_us, 1, []]));
  const [served] = tally.latencies();
  expect(served?.max_ms).toBeGreaterThan(4.6);
  expect(served?.p99_ms).toBe(served?.max_ms);
});

test("refusals and timeouts have latencies of their own, and histograms can be added", () => {
  const tally = new TrafficTally(["getIndexerHealth"], steps(2));
  for (let nth = 1; nth <= 100; nth += 1) tally.add(trafficCountOf([0, 0, 0, 0, nth * 1_000, 1, []]));
  tally.add(trafficCountOf([0, 1, 0, 1, 10, 1, ["ERR-ADM-429-01"]]));
  tally.add(trafficCountOf([0, 1, 0, 3, 20, 0, []]));
  tally.add(trafficCountOf([0, 1, 0, 4, 99_000_000, 0, []]));
  const [served, limited, failed, timeout] = tally.latencies();
  expect(served).toMatchObject({ operation: "getIndexerHealth", outcome: "served", count: 100 });
  expect(served?.p50_ms).toBeCloseTo(50, 0);
  expect(served?.p95_ms).toBeCloseTo(95, 0);
  expect(limited).toMatchObject({ outcome: "limited", count: 1, p95_ms: 0.01 });
  expect(failed).toMatchObject({ outcome: "failed", count: 1, max_ms: 0.02 });
  // Longer than a minute counts as a minute.
  expect(timeout).toMatchObject({ outcome: "timeout", count: 1 });
  expect(timeout?.max_ms).toBeCloseTo(60_000, -2);
  const sum = decodeFromCompressedBase64(served?.histogram ?? "");
  sum.add(decodeFromCompressedBase64(limited?.histogram ?? ""));
  expect(sum.totalCount).toBe(101);
  expect(
    tally.phases.map(({ requests, served: of, limited: refused, failed: lost }) => [requests, of, refused, lost]),
  ).toEqual([
    [100, 100, 0, 0],
    [3, 0, 1, 2],
  ]);
  expect([tally.judged, tally.requests, [...tally.broken]]).toEqual([101, 103, [["ERR-ADM-429-01", 1]]]);
  const load = { ...target().load, latencyP95_ms: { getIndexerHealth: 90, getTokenAccounts: 1 } };
  expect(boundsOf({ ...target(), load }, tally.latencies())).toMatchObject([
    { operation: "getIndexerHealth", bound_ms: 90, isKept: false },
    // Nothing of it was served, which is neither kept nor exceeded.
    { operation: "getTokenAccounts", bound_ms: 1, p95_ms: null, isKept: null },
  ]);
  expect(() => tally.add(trafficCountOf([0, 0, 1, 0, 1, 0, []]))).toThrow(/unknown phase or share/);
});

const phase = (perSecond: number, more: Partial<LoadPhase> = {}): LoadPhase => ({
  name: "step",
  seconds: 10,
  perSecond,
  requests: perSecond * 10,
  served: perSecond * 10,
  limited: 0,
  failed: 0,
  p95_ms: 20,
  ...more,
});

test("the knee is the last step before one that passes a bound, which it names", () => {
  expect(kneeOf([phase(10), phase(20), phase(40, { p95_ms: 900 }), phase(80)])).toEqual({
    perSecond: 20,
    brokenBy: "p95 was 900 ms, above 500 ms",
  });
  expect(kneeOf([phase(10), phase(20)])).toEqual({ perSecond: 20, brokenBy: null });
  expect(kneeOf([phase(10, { limited: 3 })])).toEqual({
    perSecond: null,
    brokenBy: "3 of 100 requests were rate-limited",
  });
  expect(phaseBrokenBy(phase(100, { failed: 11 }))).toBe("11 of 1000 requests failed");
  expect(phaseBrokenBy(phase(100, { requests: 900 }))).toBe("the generator started only 900 of 1000 requests");
  expect(phaseBrokenBy(phase(100, { requests: 1001, failed: 10, limited: 10 }))).toBeNull();
});

test("what failed in a load counts as over where each operation was served more often since", () => {
  const health = ["getIndexerHealth", "getTokenAccounts"] as const;
  /** @param failing seconds of 20 in which the first of two operations, sent twice each, fails */
  const isOver = (failing: readonly number[]): boolean => {
    const tally = new TrafficTally(health, [{ ...steps(1)[0], seconds: 20 } as Phase]);
    for (let second = 0; second < 20; second += 1)
      for (const [share, outcome] of [
        [0, failing.includes(second) ? 3 : 0],
        [1, 0],
      ] as const)
        for (let nth = 0; nth < 2; nth += 1) tally.add(trafficCountOf([0, 0, share, outcome, 1_000, 1, [], 0, second]));
    return tally.isFailureOver;
  };
  expect([[], [0], [11, 12], [1, 5, 9]].map(isOver)).toEqual([true, true, true, true]);
  expect([[19], [17, 18], [5, 15, 16, 17], Array.from({ length: 20 }, (_, nth) => nth)].map(isOver)).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

test("a load is inconclusive where the generator or the network failed", () => {
  const tally = new TrafficTally(["getIndexerHealth"], steps(1));
  for (let nth = 0; nth < 100; nth += 1) tally.add(trafficCountOf([0, 0, 0, nth < 95 ? 0 : 3, 1_000, 1, []]));
  const whole = { iterations: 100, droppedIterations: 0, requests: 100 };
  const doubt = (summary: typeof whole, phases: readonly LoadPhase[], of = tally): string | null =>
    doubtedFor(doubtOn({ tally: of, summary, stopped: null, isComplete: true }, phases, false)).doubt;
  expect(doubt(whole, [phase(10)])).toBeNull();
  expect(doubt({ ...whole, iterations: 101 }, [phase(10)])).toBe("k6 reported 100 requests but counted 101");
  expect(doubt(whole, [phase(10, { served: 95, failed: 5 })])).toBe(
    "5 of 100 requests got no answer that can be judged",
  );
  expect(doubt(whole, [phase(10, { served: 0 })])).toBe("no request was served");
  expect(
    doubt({ ...whole, iterations: 0 }, [phase(10, { served: 0 })], new TrafficTally(["getIndexerHealth"], steps(1))),
  ).toBe("k6 sent no request");
});

test("a generator that fell behind withholds latency, and only a load that was hardly sent is inconclusive", () => {
  const tally = new TrafficTally(["getIndexerHealth"], steps(1));
  for (let nth = 0; nth < 1_079; nth += 1) tally.add(trafficCountOf([0, 0, 0, 0, 1_000, 1, []]));
  const lag = (droppedIterations: number, isBeyondPace = false) => {
    const summary = { iterations: 1_079, droppedIterations, requests: 1_079 };
    const traffic = { tally, summary, stopped: null, isComplete: true };
    expect(doubtOn(traffic, [phase(10)], isBeyondPace)).toBeNull();
    return lagOf(traffic, isBeyondPace);
  };
  expect(lag(1)).toEqual({ lag: null, doubt: null });
  const behind = (dropped: number): string =>
    `the generator was saturated: k6 dropped ${dropped} of ${1_079 + dropped} iterations`;
  expect(lag(20)).toEqual({ lag: behind(20), doubt: null });
  expect(lag(200)).toEqual({ lag: behind(200), doubt: { kind: "generator", detail: behind(200) } });
  expect(lag(200, true)).toEqual({ lag: null, doubt: null });
});

const jsonAnswer = (body: string): WireAnswer => ({
  status: 200,
  headers: [["content-type", "application/json"]],
  body: new TextEncoder().encode(body),
});

const [health] = mixFor(target(), reads).shares.flatMap(({ operation, requestSpec }) =>
  operation === "getIndexerHealth" ? [requestSpec] : [],
);
/** An answer with the id of the request. */
const good = JSON.stringify({ ...(health?.json as object), method: undefined, result: "ok" });

async function shownOf(body: string, broken: readonly string[] | null, number = 1) {
  if (!health) throw new Error("health isn't in the mix");
  return {
    broken,
    exchange: await exchangeOfCall(target(), health, jsonAnswer(body), {
      number,
      sentAt_ms: Date.now(),
      latency_ms: 1,
    }),
  };
}

const options = { target: target(), suite: contractSuite, clock: realClock, impliedFails: false, doubt: null };

test("under load laws break requirements, which hold only where checks leave them to laws", async () => {
  const { verdicts } = findingsOf([await shownOf(good, [])], options);
  const named = (verdict: string): readonly string[] =>
    verdicts.filter((one) => one.verdict === verdict).map(({ id }) => id);
  expect(named("broken")).toEqual([]);
  expect(named("holds")).toContain("RPC-ENV-01");
  const shows = new Set<string>(contractSuite.checks.flatMap((check) => check.shows));
  for (const id of named("holds")) expect(shows).toContain(id);
  const bad = findingsOf([await shownOf('{"jsonrpc":"2.0","id":2,"result":"ok"}', ["RPC-ENV-03"])], options);
  expect(bad.disagreement).toBeNull();
  expect(
    bad.verdicts
      .filter(({ verdict }) => verdict === "broken")
      .map(({ id, breaches }) => [id, breaches.map(({ at }) => at)]),
  ).toEqual([["RPC-ENV-03", ["/id"]]]);
});

test("a disagreement between k6 and this process makes the run inconclusive", async () => {
  const shown = [await shownOf(good, ["RPC-ENV-03"]), await shownOf(good, null, 2)];
  const { verdicts, disagreement } = findingsOf(shown, options);
  const detail = "k6 and this process judged 1 of 2 answers differently: RPC-ENV-03";
  expect(disagreement).toEqual({ kind: "generator", detail });
  expect(verdicts.every(({ verdict }) => verdict === "inconclusive")).toBe(true);
  const doubted = findingsOf([await shownOf(good, [])], {
    ...options,
    doubt: { kind: "generator", detail: "saturated" },
  });
  expect(doubted.verdicts.every((one) => one.verdict === "inconclusive" && sentenceOf(one) === "saturated")).toBe(true);
});

test("each share is spaced evenly at its rate", () => {
  const order = orderOf([{ perSecond: 4 }, { perSecond: 30 }, { perSecond: 16 }]);
  const places = order.flatMap((share, place) => (share === 0 ? [place] : []));
  expect(places.length / order.length).toBeCloseTo(4 / 50, 2);
  const gaps = places.slice(1).map((place, nth) => place - (places[nth] ?? 0));
  // 12.5 on average: no six of them within a second of 50 requests.
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(11);
  expect(Math.max(...gaps)).toBeLessThanOrEqual(14);
});

test("at any rate usage requests stay below their documented limit", () => {
  const { shares } = mixFor(target(), reads);
  for (const perSecond of [1, 28, 400]) {
    const scaled = scaledTo(shares, perSecond);
    expect(perSecondOf({ shares: scaled })).toBeCloseTo(perSecond);
    expect(scaled.find(({ operation }) => operation === "getProjectUsage")?.perSecond).toBeLessThanOrEqual(4);
  }
});

test("shapes take the given time, and only stress exceeds the allowed rate", () => {
  for (const shape of shapes) {
    const phases = shape.phases(40, 60);
    expect(secondsOfPhases(phases)).toBeCloseTo(60);
    expect(Math.max(...phases.map(({ perSecond }) => perSecond)) > 40).toBe(shape.isBeyondPace);
  }
});

test("each request of a mix has a key", () => {
  const { shares } = mixFor(target(), reads);
  expect(shares.every(({ requestSpec }) => keyHolder(requestSpec) !== null)).toBe(true);
});
