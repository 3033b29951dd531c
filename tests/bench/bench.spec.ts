// Do the bounds hold in a short run, and does a bench beyond its bound say so?
import { expect, test } from "@playwright/test";
import { measureMemory } from "../../bench/answerMemory.ts";
import { measureJudging } from "../../bench/judging.ts";
import { measureDropped, measureReading, measureSampling } from "../../bench/load.ts";
import { measurePace } from "../../bench/properties.ts";
import { figureLine, isKept, lineOf, median, type Ratio } from "../../bench/ratio.ts";
import { measureHealth } from "../../bench/requests.ts";
import { measureListening } from "../../bench/streamMemory.ts";
import { root, start } from "../support/assay.ts";
import { k6 } from "../support/k6.ts";

test("judging a page of 1,000 token accounts takes at most ten times as long as parsing it", async () => {
  const ratio = await measureJudging({ rounds: 60 });
  expect(isKept(ratio), lineOf(ratio)).toBe(true);
});

test("an answer of 10 MB is read within 120 MB above idle", async () => {
  const ratio = await measureMemory();
  expect(isKept(ratio), lineOf(ratio)).toBe(true);
});

test("getIndexerHealth is answered at half the pace of a bare hello or faster, in the best of three runs", async () => {
  const ratios: Ratio[] = [];
  while (ratios.length < 3 && !ratios.some(isKept)) ratios.push(await measureHealth({ rounds: 3, round_ms: 150 }));
  expect(ratios.some(isKept), ratios.map(lineOf).join("\n")).toBe(true);
});

test("a load of 5,000 requests a second is read within 200 MB", async () => {
  const ratio = await measureListening({ seconds: 5 });
  expect(isKept(ratio), lineOf(ratio)).toBe(true);
});

test("at saturation the default sample leaves four fifths of the requests, in the best of three runs", {
  tag: "@slow",
}, async () => {
  k6();
  test.setTimeout(300_000);
  const ratios: Ratio[] = [];
  while (ratios.length < 3 && !ratios.some(isKept)) ratios.push(await measureSampling({ rounds: 1, seconds: 5 }));
  expect(ratios.some(isKept), ratios.map(lineOf).join("\n")).toBe(true);
});

test("latencies are told with and without a reader, and what is dropped is counted", { tag: "@slow" }, async () => {
  k6();
  test.setTimeout(300_000);
  const told = [...(await measureReading({ rounds: 1, seconds: 3 })), await measureDropped({ seconds: 3 })];
  // How good they are is for a quiet machine to say.
  expect(told.map(({ name }) => name.replace(/\d+\.\d+ ms|of \d+$/, "…"))).toEqual([
    "p50 at 1000 a second while k6's stream is read, of p50 while nobody reads (…)",
    "p99 at 1000 a second while k6's stream is read, of p99 while nobody reads (…)",
    "dropped at 1000 a second for 3 s, …",
  ]);
  for (const { measured } of told) expect(measured).toBeGreaterThanOrEqual(0);
});

const ratio = (measured: number, bound: Ratio["bound"]): Ratio => ({ name: "pace", measured, bound });

test("a ratio on its bound is kept, and one beyond it is broken", () => {
  expect([ratio(0.5, { atLeast: 0.5 }), ratio(10, { atMost: 10 })].map(isKept)).toEqual([true, true]);
  expect(
    [
      ratio(0.49, { atLeast: 0.5 }),
      ratio(10.01, { atMost: 10 }),
      ratio(Number.NaN, { atLeast: 0.5 }),
      ratio(Number.NaN, { atMost: 10 }),
    ].map(isKept),
  ).toEqual([false, false, false, false]);
});

test("a line says what was measured and its bound", () => {
  expect(lineOf(ratio(0.25, { atLeast: 0.5 }))).toBe("BROKEN  pace: 0.25 times (at least 0.5)");
  expect(lineOf({ name: "memory", measured: 50, bound: { atMost: 120 }, unit: "MB" })).toBe(
    "kept    memory: 50.00 MB (at most 120)",
  );
});

test("the pace of a property is told, and nothing is asked of it", async () => {
  const [pace, ...others] = await measurePace({ only: ["statusesAligned"] });
  expect(others).toEqual([]);
  expect(pace?.measured).toBeGreaterThan(1);
  expect(figureLine({ name: "statusesAligned", measured: 412.4, unit: "cases per second" })).toBe(
    "told    statusesAligned: 412 cases per second",
  );
});

test("the median is the middle one, whatever the order", () => {
  expect(median([9, 1, 5])).toBe(5);
});

test("a bench that there isn't is misuse", async () => {
  const { code, stderr } = await start(process.execPath, ["--import", "tsx", "bench/main.ts", "weather"], {}, root)
    .ended;
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr:
      "There is no bench weather. There are requests, judging, memory, properties, listening, sampling, dropped, reading.\n",
  });
});
