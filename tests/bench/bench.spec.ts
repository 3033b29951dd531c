// Tests of the benchmarks: what is within a bound, and what they print; `npm run bench` measures
import { expect, test } from "@playwright/test";
import { bestOf, figureLine, isWithinBound, lineOf, type Ratio } from "../../bench/ratio.ts";
import { start } from "../support/assay.ts";

const ratio = (measured: number, bound: Ratio["bound"]): Ratio => ({ name: "pace", measured, bound });

test("a ratio at its bound is within it, one beyond it or not a number isn't", () => {
  expect([ratio(0.5, { atLeast: 0.5 }), ratio(10, { atMost: 10 })].map(isWithinBound)).toEqual([true, true]);
  const beyond = [
    ratio(0.49, { atLeast: 0.5 }),
    ratio(10.01, { atMost: 10 }),
    ratio(Number.NaN, { atLeast: 0.5 }),
    ratio(Number.NaN, { atMost: 10 }),
  ];
  expect(beyond.filter(isWithinBound)).toEqual([]);
});

for (const [title, values, last] of [
  ["is measured once", [0.6], 0.6],
  ["that isn't at first is measured again", [0.4, 0.6], 0.6],
  ["that never is, three times", [0.4, 0.3, 0.2, 0.6], 0.2],
] as const)
  test(`what is within its bound: one ${title}`, async () => {
    const left = [...values];
    const measured = await bestOf(() => Promise.resolve([ratio(left.shift() ?? 0, { atLeast: 0.5 })]));
    expect(measured.map((value) => value.measured)).toEqual([last]);
  });

test("a line shows the measured value and its bound", () => {
  expect(lineOf(ratio(0.25, { atLeast: 0.5 }))).toBe("BEYOND   pace: 0.25 times (at least 0.5)");
  expect(lineOf({ name: "memory", measured: 50, bound: { atMost: 120 }, unit: "MB" })).toBe(
    "within   memory: 50.00 MB (at most 120)",
  );
});

test("a figure has no bound", () => {
  expect(figureLine({ name: "statusesAligned", measured: 412.4, unit: "cases per second" })).toBe(
    "measured statusesAligned: 412 cases per second",
  );
});

test("an unknown benchmark is a command line error", async () => {
  const { code, stderr } = await start(process.execPath, ["--import", "tsx", "bench/main.ts", "weather"]).ended;
  expect(code).toBe(2);
  expect(stderr).toBe(
    "There is no benchmark weather. There are requests, seconds, judging, redaction, reports, starting, ending, " +
      "bodies, run, memory, properties, listening, sampling, dropped, proxy, reading.\n",
  );
});
