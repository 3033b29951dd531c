// Loads compared: latencies by ratio, throughput and shares, what differs, and the bound of --slower.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { encodeIntoCompressedBase64 } from "hdr-histogram-js";
import type { LoadReport } from "../../harness/record/load.ts";
import { randomFrom } from "../../proof/limiter/simulatedPlatform.ts";
import type { Pair } from "../../reports/compare/comparison.ts";
import { latencySampleOf, type ServedLatencies } from "../../reports/compare/quantileRatio.ts";
import { measuredUnder } from "../../reports/compare/slowness.ts";
import { assay, emptyFolder } from "../support/assay.ts";
import { normalFrom } from "../support/latencyNoise.ts";
import { madeLoad } from "../support/madeLoads.ts";
import { atNight, historyFile, importedNight, type Night } from "../support/madeNights.ts";
import { type Comparison, exchanged, made, type Run, runFiles, sayCompared } from "../support/madeRuns.ts";
import { schemaProblems } from "../support/standards.ts";

type Line = LoadReport["latencies"][number];

/** So many answers, evenly from half of that median to one and a half of it, in ms. */
function line(operation: string, count: number, median_ms: number, outcome: Line["outcome"] = "served"): Line {
  const all = Array.from({ length: count }, (_, nth) => median_ms * (0.5 + nth / count));
  const [p50_ms, p95_ms, p99_ms, max_ms] = [median_ms, 1.45 * median_ms, 1.49 * median_ms, 1.5 * median_ms];
  const histogram = encodeIntoCompressedBase64(latencySampleOf(all).histogram);
  return { operation: operation as Line["operation"], outcome, count, p50_ms, p95_ms, p99_ms, max_ms, histogram };
}

const [usage, health] = ["getProjectUsage", "getIndexerHealth"] as const;
const phase = (perSecond: number, seconds: number, limited = 0) => {
  const requests = perSecond * seconds;
  return { name: "steady", seconds, perSecond, requests, served: requests - limited, limited, failed: 0, p95_ms: 1 };
};
const loadOf = (median_ms: number, more: Partial<LoadReport> = {}): LoadReport =>
  madeLoad({
    phases: [phase(10, 20)],
    latencies: [line(usage, 100, median_ms), line(health, 100, median_ms)],
    judged: 200,
    ...more,
  });
const runOf = (second: number, load: LoadReport): Run => made(second, { load });

async function both(was: LoadReport, is: LoadReport, ...flags: readonly string[]) {
  const runs = [runOf(0, was), runOf(100, is)];
  const [{ code, stdout }, json] = [await sayCompared(runs, ...flags), await sayCompared(runs, "--json", ...flags)];
  const comparison = JSON.parse(json.stdout) as Comparison;
  expect(schemaProblems("reports/compare.schema.json", comparison)).toEqual([]);
  expect([json.code, comparison.exitCode]).toEqual([code, code]);
  const [pair] = comparison.pairs;
  if (!pair) throw new Error("there is no pair");
  return { code, stdout, pair };
}

test("latencies of loads are compared by operation and together, with exact counts and ratios", async () => {
  const { code, stdout, pair } = await both(loadOf(2), loadOf(60));
  expect(code).toBe(0);
  const [all, ...each] = pair.latencyRatios ?? [];
  expect(all).toMatchObject({ operation: null, answers: { was: 200, is: 200 }, isReported: true });
  expect(new Set(each.map(({ operation }) => operation))).toEqual(new Set([health, usage]));
  expect(all?.p95.ratio).toBeCloseTo(30, 0);
  expect(stdout.split("\n")[0]).toBe(
    "Passed: all operations (p95 2.9 → 86 ms), getProjectUsage, getIndexerHealth are slower; " +
      "no requirement is newly broken.",
  );
  expect(stdout).not.toContain("Not the same load");
});

test("a p95 surely above the bound is exit code 1 and named with both values, ratio and interval", async () => {
  const { code, stdout, pair } = await both(loadOf(2), loadOf(60), "--slower", "1.5");
  expect([code, pair.bound]).toEqual([1, { times: 1.5, verdict: "exceeded", reason: null }]);
  expect(stdout).toMatch(/^Failed: p95 above 1\.5 × the baseline's: all operations \(p95 2\.9 → 86 ms\)/);
  expect(stdout).toMatch(
    /✗ getProjectUsage: p95 2\.9 ms before, 86 ms now, 30 × \(95 % interval [\d.]+ to \d+\), above the bound of 1\.5 ×/,
  );
});

test("the same load, a faster one, and one that may be slower are exit code 0", async () => {
  for (const [is, bound] of [
    [2, "kept"],
    [1, "kept"],
    [3, "unsure"],
  ] as const) {
    const { code, stdout, pair } = await both(loadOf(2), loadOf(is), "--slower", "1.5");
    expect([code, pair.bound?.verdict, pair.latencyRatios?.[0]?.bound]).toEqual([0, "kept", bound]);
    expect(stdout).toContain("no p95 is surely above 1.5 × the baseline's");
    if (bound === "unsure") expect(stdout).toContain("Perhaps above 1.5 ×, but not surely (more answers would tell)");
  }
});

const few = { latencies: [line(usage, 30, 2)] };
const unjudged: readonly (readonly [title: string, load: LoadReport, reason: string])[] = [
  ["few answers", loadOf(2, few), "too few answers: the baseline needs 72 of an operation"],
  ["a short load", loadOf(2, { phases: [phase(20, 10)] }), "the baseline's load is too short: a p95 needs 15 s"],
  ["a generator that fell behind", loadOf(2, { lag: "k6 dropped 9" }), "2026-03-01T12:00:00-acme: k6 dropped 9"],
  ["an inconclusive load", loadOf(2, { doubt: "k6 failed" }), "2026-03-01T12:00:00-acme: k6 failed"],
  ["nothing served", loadOf(2, { latencies: [line(usage, 9, 2, "limited")] }), "no operation was served in both"],
];
for (const [title, base, reason] of unjudged)
  test(`a bound that can't be judged is exit code 3, and says why: ${title}`, async () => {
    const { code, stdout, pair } = await both(base, loadOf(60), "--slower", "1.5");
    expect([code, pair.bound]).toEqual([3, { times: 1.5, verdict: "unjudged", reason }]);
    expect(stdout).toContain(`Inconclusive: no p95 could be held against 1.5 × the baseline's (${reason})`);
  });

test("operations that show no change are counted in text, and folded on the page", async () => {
  const slow = { latencies: [line(usage, 100, 2), line(health, 100, 60)] };
  const runs = [runOf(0, loadOf(2)), runOf(100, loadOf(2, slow))];
  const [text, markdown] = [await sayCompared(runs), await sayCompared(runs, "--markdown")];
  for (const { stdout } of [text, markdown]) {
    expect(stdout).toContain("No change shown in 1 operation.");
    expect(stdout).toContain(health);
    expect(stdout).not.toContain(usage);
  }
  const file = join(emptyFolder(), "page.html");
  await sayCompared(runs, "--html", file);
  const [, folded = ""] =
    readFileSync(file, "utf8").match(/No change shown in 1 operation<\/summary>(.*?)<\/details>/s) ?? [];
  expect([folded.includes(usage), folded.includes(health)]).toEqual([true, false]);
});

test("what makes another load is said first", async () => {
  const { stdout, pair } = await both(loadOf(2), loadOf(2, { shape: "spike", phases: [phase(1, 20), phase(30, 60)] }));
  expect(pair.load?.differs).toEqual(["shape", "rate", "duration"]);
  const sentence = "Not the same load: smoke of 10/s for 20 s before, spike of 1/s for 20 s, 30/s for 60 s now.";
  expect(stdout).toContain(sentence);
  expect(stdout.indexOf(sentence)).toBeLessThan(stdout.indexOf("Throughput"));
  const mix = await both(loadOf(2), loadOf(2, { latencies: [line(usage, 180, 2), line(health, 20, 2)] }));
  expect(mix.pair.load?.differs).toEqual(["mix"]);
  expect(mix.stdout).toContain("Not the same load: the mix of operations differs.");
  expect(mix.pair.latencyRatios?.some(({ operation }) => operation === null)).toBe(false);
});

test("shares of refusals have an interval, and what was reached stands beside what was asked", async () => {
  const { stdout, pair } = await both(loadOf(2), loadOf(2, { phases: [phase(10, 20, 20)] }));
  expect(pair.load?.limited).toMatchObject({ was: { have: 0, of: 200 }, is: { have: 20, of: 200 }, isReported: true });
  expect(stdout).toMatch(/^Passed: no requirement is newly broken; more rate-limited: 0 → 10 %\./);
  expect(stdout).toContain("reached: 10/s of 10/s asked before, 10/s of 10/s asked now");
  expect(stdout).toContain(
    "rate-limited: 0 of 200 (0 %) before, 20 of 200 (10 %) now, +10 points (95 % interval +6.1 to +14.9)",
  );
  expect(stdout).toContain("failed: none of 200 and of 200");
});

const answers = (latency_ms: number): Run["exchanges"] =>
  Array.from({ length: 80 }, (_, nth) => exchanged({ number: nth + 1, latency_ms: latency_ms + nth / 80 }));

test("two runs are held against the bound by answers to the same requests", async () => {
  const [base, slow] = [made(0, { exchanges: answers(10) }), made(100, { exchanges: answers(40) })];
  const red = await sayCompared([base, slow], "--slower", "1.5");
  expect(red.code).toBe(1);
  expect(red.stdout).toMatch(/p95 11 ms before, 41 ms now, 3\.\d+ × /);
  expect((await sayCompared([base, { ...base, id: "again" }], "--slower", "1.5")).code).toBe(0);
  expect((await sayCompared([made(0), made(1)], "--slower", "1.5")).code).toBe(3);
});

test("a run and a load aren't held against each other, and the rest is compared", async () => {
  const { code, stdout } = await sayCompared([made(0), runOf(100, loadOf(60))], "--slower", "2");
  expect(code).toBe(3);
  expect(stdout).toContain("2026-03-01T12:00:00-acme is a run, and 2026-03-01T12:01:40-acme only a load");
  expect(stdout).toContain("o requirement is newly broken");
});

test("bounds that are none are refused in one paragraph", async () => {
  for (const text of ["fast", "0", "0.9", "1e9", "1001", "1,5", "-2", ""]) {
    const { code, stdout, stderr } = await sayCompared([made(0), made(1)], "--slower", text);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toBe(
      `--slower is "${text}". Write how many times the baseline's p95 is too slow, from 1 to 1,000, such as 1.5.\n`,
    );
  }
});

/** Nights of loads with these medians; the last is compared with earlier ones. */
async function against(nights: string, medians: readonly number[], change = (night: Night): Night => night) {
  const runs = medians.map((median_ms, nth) => ({
    ...made(0, { load: loadOf(median_ms), id: `night ${nth}` }),
    startedAt: atNight(nth),
  }));
  const imported = await Promise.all(runs.map((run) => importedNight(run)));
  const [head = ""] = runFiles(runs.slice(-1));
  const history = historyFile(imported.map(change));
  const flags = ["--against", nights, "--history", history, "--slower", "1.5"];
  const json = await assay(["compare", head, ...flags, "--json"]);
  const { stdout } = await assay(["compare", head, ...flags]);
  const comparison = JSON.parse(json.stdout) as Comparison;
  expect(schemaProblems("reports/compare.schema.json", comparison)).toEqual([]);
  return { code: json.code, stdout, pair: comparison.pairs[0] };
}

test("a night's load is held against one night or several, without the slowest and the fastest of them", async () => {
  expect((await against("last", [2, 60])).code).toBe(1);
  expect((await against("baseline", [2, 60, 60])).code).toBe(1);
  expect((await against("last", [2, 60, 60])).code).toBe(0);
  const { code, pair } = await against("median:5", [2, 2, 60, 2, 2, 60]);
  expect([code, pair?.latencyRatios?.[0]?.answers]).toEqual([1, { was: 600, is: 200 }]);
  expect(pair?.load).toMatchObject({ differs: [], was: { requests: 1_000 }, is: { requests: 200 } });
});

test("nights before of which some were at another rate are said to be so", async () => {
  const slow = (night: Night): Night => {
    const { id, load } = night;
    const phases = load?.phases.map((one) => ({ ...one, perSecond: 1 })) ?? [];
    return id === "night 0" && load ? { ...night, load: { ...load, phases } } : night;
  };
  const { stdout } = await against("median:2", [2, 2, 2], slow);
  expect(stdout).toContain("Not the same load: not all of the nights before were smoke of 10/s for 20 s.");
});

test("a night left out that ended by itself isn't said to be cut short", async () => {
  const doubted = (night: Night): Night =>
    night.id === "night 1" ? { ...night, left: "the load was inconclusive" } : night;
  const left = await against("last", [2, 2], doubted);
  expect(left.code).toBe(3);
  expect(left.stdout).not.toContain("cut short");
});

/** Of 13 operations, with one second in ten up to five times as slow for all of them. */
function burstyLatencies(seed: number, times: number, seconds: number): ServedLatencies {
  const random = randomFrom(seed);
  const slow = Array.from({ length: seconds }, () => (random() < 0.1 ? 1 + 4 * random() : 1));
  const latencyIn = (operation: number, second: number): number =>
    20 * (operation + 1) * times * (slow[second] ?? 1) * Math.exp(0.4 * normalFrom(random));
  const latencies = (operation: number): readonly number[] =>
    Array.from({ length: 4 * seconds }, (_, nth) => latencyIn(operation, nth % seconds));
  const samples = Array.from({ length: 13 }, (_, nth) => [`${nth}`, latencySampleOf(latencies(nth), seconds)] as const);
  return { byOperation: new Map(samples), unsure: null };
}

for (const [times, seconds, fewest, most] of [
  [1.2, 20, 0, 0],
  [1.4, 20, 0, 1],
  [3, 20, 12, 20],
  [3, 60, 17, 20],
] as const)
  test(`${times} × as slow for ${seconds} s, some of them slow: above 1.5 × in ${fewest} to ${most} of 20`, () => {
    const exceeded = Array.from({ length: 20 }, (_, nth) => {
      const [was, is] = [1, times].map((factor, side) => burstyLatencies(2 * nth + side + 1, factor, seconds));
      if (!was || !is) throw new Error("there are two");
      const pair = { exitCode: 0, notes: [] } as unknown as Pair;
      return measuredUnder(pair, { latencies: { was, is }, loads: null }, 1.5).bound?.verdict === "exceeded";
    }).filter(Boolean).length;
    expect(exceeded).toBeGreaterThanOrEqual(fewest);
    expect(exceeded).toBeLessThanOrEqual(most);
  });

test("operations that are slower are said to be so once", async () => {
  const { stdout } = await against("baseline", [2, 2, 2, 2, 60]);
  expect(stdout.split("\n")[0]).not.toContain("faster or slower");
});

test("nights without histograms, or whose generator fell behind, hold nothing against", async () => {
  const pruned = (night: Night): Night => ({
    ...night,
    latencies: night.latencies.map(({ histogram: _, ...one }) => one),
  });
  const { code, stdout } = await against("last", [2, 60], pruned);
  expect(code).toBe(3);
  expect(stdout).toContain("the history has no histograms before");
  const lagging = (night: Night): Night =>
    night.id === "night 0" && night.load ? { ...night, load: { ...night.load, lag: "k6 dropped 9" } } : night;
  expect((await against("last", [2, 60], lagging)).stdout).toContain("night 0: k6 dropped 9");
  expect((await against("median:2", [2, 2, 60], lagging)).code).toBe(1);
});
