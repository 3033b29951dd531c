// Tests of loads that end early: what ends them, what doesn't, and what is reported of them
import { writeFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { describeReason } from "../../harness/core/reason.ts";
import { loadOutcomes } from "../../harness/record/load.ts";
import { runK6 } from "../../load/k6/process.ts";
import { loadSuite } from "../../load/suite.ts";
import { doubtOn, kneeOf, lagOf, phasesOf } from "../../load/traffic/findings.ts";
import { mixFor } from "../../load/traffic/mix.ts";
import { stopsBy, usualStop } from "../../load/traffic/stopping.ts";
import { TrafficTally, trafficCountOf } from "../../load/traffic/tally.ts";
import { drive, type Traffic } from "../../load/traffic/traffic.ts";
import { loadSentences } from "../../reports/load.ts";
import { emptyFolder } from "../support/folders.ts";
import { k6That, redact } from "../support/k6.ts";
import { loadTarget, madeLoad } from "../support/madeLoads.ts";

const [served, limited, failed] = (["served", "limited", "failed"] as const).map((one) => loadOutcomes.indexOf(one));

interface Answer {
  readonly outcome?: number | undefined;
  readonly ms?: number;
  readonly isStarved?: 0 | 1;
}

/** Why and when a load of a minute ends, by the nth answer of each second. */
function endOf(perSecond: number, answerAt: (second: number, nth: number) => Answer | null, bounds = usualStop) {
  const reasons: string[] = [];
  const stop = stopsBy(bounds, (reason) => reasons.push(reason));
  const began_s = 1_796_000_000;
  for (let second = 0; second < 60 && !stop.signal.aborted; second += 1)
    for (let nth = 0; nth < perSecond; nth += 1) {
      const { outcome = served ?? 0, ms = 40, isStarved = 0 } = answerAt(second, nth) ?? {};
      if (answerAt(second, nth))
        stop.add(trafficCountOf([0, 0, 0, outcome, ms * 1000, 1, [], isStarved]), began_s + second);
    }
  const stopped = stop.stopped();
  expect(reasons).toEqual(stopped === null ? [] : [stopped.reason]);
  return stopped && { reason: stopped.reason, at: stopped.after_s };
}

const fails = { outcome: failed };

test("a load ends once more than a quarter of the requests of ten seconds failed", () => {
  expect(endOf(12, (second) => (second < 30 ? {} : fails))).toEqual({
    reason: "36 of 120 requests failed within 10 s, more than 25 %",
    at: 33,
  });
  // From the start it is given ten seconds, and at a low rate 50 answers.
  expect(endOf(100, () => fails)?.at).toBe(10);
  expect(endOf(2, (second) => (second < 30 ? {} : fails))).toEqual({
    reason: "14 of 50 requests failed within 25 s, more than 25 %",
    at: 37,
  });
  expect(endOf(12, () => fails, { ...usualStop, within_s: 5 })?.at).toBe(5);
});

test("a load ends once the p95 of ten seconds is above its bound", () => {
  const slow = (second: number, nth: number): Answer => (second >= 30 && nth % 3 === 0 ? { ms: 5_100 } : {});
  expect(endOf(12, slow)).toEqual({ reason: "p95 of 120 requests was above 5000 ms within 10 s", at: 32 });
  expect(endOf(12, slow, { ...usualStop, p95_ms: 6_000 })).toBeNull();
});

test("a pause of two seconds at any time ends no load, whatever came of its requests", () => {
  for (const perSecond of [1, 5, 12, 100])
    for (let from = 0; from < 20; from += 1) {
      const isPause = (second: number): boolean => second === from || second === from + 1;
      const name = `${perSecond}/s, from ${from} s`;
      expect(
        endOf(perSecond, (second) => (isPause(second) ? fails : {})),
        name,
      ).toBeNull();
      // Answered when it is over.
      const late = (second: number, nth: number): Answer | null => {
        if (isPause(second)) return null;
        return second === from + 2 && nth % 3 > 0 ? { ms: 2_000 } : {};
      };
      expect(endOf(perSecond, late), name).toBeNull();
    }
});

test("one failure in five, refusals for a rate and a few slow answers end no load", () => {
  expect(endOf(50, (_, nth) => (nth % 5 === 0 ? fails : {}))).toBeNull();
  expect(endOf(50, (_, nth) => (nth % 2 === 0 ? { outcome: limited } : {}))).toBeNull();
  expect(endOf(50, (_, nth) => (nth % 25 === 0 ? { ms: 9_000 } : {}))).toBeNull();
  // Ten answers, before there are 50.
  expect(endOf(2, (second) => (second < 5 ? fails : {}))).toBeNull();
});

test("slow and late answers of a generator without processor time end no load", () => {
  expect(endOf(50, () => ({ ms: 9_000 }))?.at).toBe(10);
  // Only some of them are recognised.
  expect(endOf(50, (_, nth) => ({ ms: 9_000, isStarved: nth % 8 === 0 ? 1 : 0 }))).toBeNull();
  expect(endOf(50, () => ({ ...fails, isStarved: 1 }))).toBeNull();
  expect(endOf(50, (_, nth) => (nth % 2 === 0 ? fails : { isStarved: 1 }))?.at).toBe(10);
});

const reason = "36 of 120 requests failed within 10 s, more than 10 %";

const steps = [10, 20, 40].map((perSecond) => ({ name: `${perSecond}`, seconds: 10, perSecond }));

/** Steps of ten seconds at 10, 20 and 40 requests per second, ended in the middle of the second. */
function endedTraffic(): Traffic {
  const tally = new TrafficTally(["getIndexerHealth"], steps);
  for (let nth = 0; nth < 200; nth += 1)
    tally.add(trafficCountOf([0, nth < 100 ? 0 : 1, 0, nth < 164 ? 0 : 3, 1_000, 1, []]));
  const summary = { iterations: 199, droppedIterations: 90, requests: 200 };
  return { tally, summary, shown: [], failure: null, stopped: { reason, after_s: 15, isAutomatic: true } };
}

test("of a load that ended early the phases show what was sent, and the knee is below where it ended", () => {
  const traffic = endedTraffic();
  const phases = phasesOf(steps, traffic);
  expect(phases.map(({ perSecond, seconds, requests, failed: of }) => [perSecond, seconds, requests, of])).toEqual([
    [10, 10, 100, 0],
    [20, 5, 100, 36],
  ]);
  expect(kneeOf(phases, traffic.stopped)).toEqual({ perSecond: 10, brokenBy: reason });
  expect(phasesOf(steps, { ...traffic, stopped: null })).toHaveLength(3);
});

test("a load that ended early is inconclusive, keeps its latencies, and every report has its reason", () => {
  const traffic = endedTraffic();
  const doubt = `the load was stopped automatically after 15 s: ${reason}`;
  const data = { kind: "loadStopped", after_s: 15, detail: reason, remedy: "load.stop" } as const;
  expect(describeReason(data)).toBe(doubt);
  for (const isBeyondPace of [false, true]) {
    expect(doubtOn({ ...traffic, isComplete: true }, phasesOf(steps, traffic), isBeyondPace)).toEqual(data);
    expect(lagOf(traffic, isBeyondPace)).toEqual({ lag: null, doubt: null });
  }
  expect(loadSentences(madeLoad({ stopped: reason, doubt }))).toContain(`inconclusive: ${doubt}`);
});

const counts = { iterations: 1, droppedIterations: 0, requests: 1 };
const summary = JSON.stringify({ source: "console", msg: JSON.stringify({ summary: counts }) });
const aborted = '{"level":"error","msg":"test run was aborted"}';
const record = '{"level":"info","source":"console","msg":"[1]","time":"2026-11-26T09:45:26Z"}';
const ending = `
end() { echo '${summary}'; echo '${aborted}'; exit 105; }
trap end INT
echo '${record}'
while :; do sleep 0.1; done`;

test("k6 is ended by an interrupt, after which its summary counts", async () => {
  const halt = new AbortController();
  const seconds: number[] = [];
  const job = { script: "schedule", orders: {}, within_ms: 8_000, redact, stop: halt.signal } as const;
  const onRecord = (_: unknown, at_s: number): void => {
    seconds.push(at_s);
    halt.abort();
  };
  expect(await runK6(k6That(ending), { ...job, onRecord })).toMatchObject({ iterations: 1 });
  expect(seconds).toEqual([Date.UTC(2026, 10, 26, 9, 45, 26) / 1000]);
});

const { shares } = mixFor(loadTarget(), loadSuite.reads);
const recordAt = (second: number, outcome: number | undefined): string =>
  JSON.stringify({
    source: "console",
    msg: `[0,0,0,${outcome},1000,1,[],0]`,
    time: `2026-11-26T09:45:${10 + second}Z`,
  });

test("what k6 reports after it was interrupted was given up, and isn't counted", async () => {
  const path = emptyFolder();
  const lines = Array.from({ length: 12 * 20 }, (_, nth) =>
    recordAt(Math.floor(nth / 20), nth < 100 ? served : failed),
  );
  writeFileSync(`${path}/records`, `${lines.join("\n")}\n`);
  const givenUp = recordAt(50, failed);
  const k6 = k6That(`
end() { echo '${givenUp}'; echo '${summary}'; exit 105; }
trap end INT
cat ${path}/records
while :; do sleep 0.1; done`);
  const reasons: string[] = [];
  const { tally, stopped } = await drive(
    k6,
    loadTarget(),
    { phases: [{ name: "steady", seconds: 60, perSecond: 20 }], shares, seed: 1, script: loadSuite.script },
    { onStopped: (why) => reasons.push(why) },
  );
  const reason = "100 of 200 requests failed within 10 s, more than 25 %";
  expect(stopped).toEqual({ reason, after_s: 10, isAutomatic: true });
  expect(reasons).toEqual([stopped?.reason]);
  // With the first of the next second.
  expect(tally.phases[0]).toMatchObject({ requests: 201, served: 100, failed: 101 });
});

test("a k6 that anybody else interrupts is inconclusive, and didn't end itself", async () => {
  const job = { script: "schedule", orders: {}, within_ms: 8_000, redact, onRecord: () => {} } as const;
  const byOthers = k6That(`echo '${summary}'; exit 105`);
  await expect(runK6(byOthers, { ...job, stop: new AbortController().signal })).rejects.toThrow(/exit code 105/);
});
