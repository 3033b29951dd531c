// Tests of a history as OpenMetrics: valid in both formats, with the figures of the last nights
import { expect, test } from "@playwright/test";
import { decodeFromCompressedBase64 } from "hdr-histogram-js";
import { importedNight, metricsOf, type Night } from "../support/madeNights.ts";
import { exchanged, judged, made, narrowed, observed } from "../support/madeRuns.ts";
import { openMetricsIn, samplesIn } from "../support/openMetrics.ts";

const day_s = 86_400;

/** The night of one day, with one requirement broken or not. */
async function night(day: number, more: Partial<Night> = {}, isBroken = false): Promise<Night> {
  const run = made(day * day_s, {
    exitCode: isBroken ? 1 : 0,
    requirements: [
      judged("USG-HTTP-01", isBroken ? "broken" : "holds"),
      judged("CYC-PRES-01", "holds", narrowed("getOrders")),
      judged("BST-NULL-02", "withheld", { reason: "no bundle" }),
    ],
    spent: { requests: 412, credits: 1_250.5, unpriced: 0 },
    observations: [observed("OBS-RATE-ALGO", { "the limit": "5 in 1 s or 6 in 1.2 s", "the window": "slides" })],
    exchanges: [...Array(99).keys()].map((nth) => exchanged({ latency_ms: nth + 1 })),
  });
  return { ...(await importedNight(run, "home")), ...more };
}

const valuesOf = (text: string, name: string, labels = {}) =>
  samplesIn(text, name, labels)
    .map(({ labels: { target: _, vantage: __, load: ___, ...rest }, value }) => [...Object.values(rest), value])
    .sort((a, b) => String(a).localeCompare(String(b)));

test("the last night's figures are there, each with its unit", async () => {
  const text = await metricsOf([await night(1), await night(0)]);
  const metrics = openMetricsIn(text);
  expect(metrics.map(({ name, type, unit }) => `${name} ${type} ${unit ?? ""}`.trim())).toEqual([
    "assay_run_timestamp_seconds gauge seconds",
    "assay_run_duration_seconds gauge seconds",
    "assay_run_exit_code gauge",
    "assay_run_left_out gauge",
    "assay_requests_sent gauge",
    "assay_credits_spent gauge",
    "assay_limit gauge",
    "assay_requirements gauge",
    "assay_requirement_verdict gauge",
    "assay_requirement gauge",
    "assay_latency_seconds histogram seconds",
  ]);
  for (const sample of metrics.flatMap(({ samples }) => samples))
    expect(sample.labels).toMatchObject({ target: "acme", vantage: "home", load: "" });
  expect(valuesOf(text, "assay_run_timestamp_seconds")).toEqual([[Date.parse("2026-03-02T12:00:00Z") / 1_000]]);
  expect(valuesOf(text, "assay_run_duration_seconds")).toEqual([[60]]);
  expect(valuesOf(text, "assay_run_exit_code")).toEqual([[0]]);
  expect(valuesOf(text, "assay_requests_sent")).toEqual([[412]]);
  expect(valuesOf(text, "assay_credits_spent")).toEqual([[1_250.5]]);
  expect(valuesOf(text, "assay_requirement_verdict")).toEqual([
    ["BST-NULL-02", "withheld", 1],
    ["CYC-PRES-01", "narrowed", 1],
    ["USG-HTTP-01", "holds", 1],
  ]);
  expect(valuesOf(text, "assay_requirements").filter(([, count]) => count !== 0)).toEqual([
    ["holds", 1],
    ["narrowed", 1],
    ["withheld", 1],
  ]);
  expect(valuesOf(text, "assay_requirements")).toContainEqual(["broken", 0]);
});

test("limits are the numbers among the words", async () => {
  const limits = {
    "usage: the limit": "5 in 1 s or 6 in 1.2 s",
    "usage: the window": "slides",
    "usage: served at once after a rest": "5",
    "wallet: the limit": "can't be told",
    "rpc: the limit": "10 in 60 s",
    "rpc: said": "about 9 in 2 s",
  };
  expect(valuesOf(await metricsOf([await night(0, { limits })]), "assay_limit")).toEqual([
    ["rpc: the limit", "60s", 10],
    ["usage: the limit", "1.2s", 6],
    ["usage: the limit", "1s", 5],
  ]);
});

test("buckets are cumulative and hold the latencies, and a pruned histogram is left out", async () => {
  const text = await metricsOf([await night(0)]);
  const buckets = samplesIn(text, "assay_latency_seconds", { operation: "getProjectUsage", outcome: "served" });
  const upTo = (le: string) => buckets.find(({ labels }) => labels["le"] === le)?.value;
  // Latencies from 1 to 99 ms, each within a hundredth.
  expect(["0.001", "0.00125", "0.002", "0.05", "0.063", "0.1", "1.0", "+Inf"].map(upTo)).toEqual([
    1, 1, 2, 50, 63, 99, 99, 99,
  ]);
  const bounds = buckets.flatMap(({ labels }) => (labels["le"] === undefined ? [] : [Number(labels["le"])]));
  const r10 = [1, 1.25, 1.6, 2, 2.5, 3.2, 4, 5, 6.3, 8];
  const ms = [1, 10, 100, 1_000, 10_000].flatMap((ten) => r10.map((one) => one * ten));
  expect(bounds).toEqual([...ms.map((one) => expect.closeTo(one / 1_000, 6)), Number.NaN]);
  expect(buckets.map(({ name }) => name).slice(-2)).toEqual([
    "assay_latency_seconds_count",
    "assay_latency_seconds_sum",
  ]);
  expect(buckets.at(-2)?.value).toBe(99);
  const { mean } = decodeFromCompressedBase64((await night(0)).latencies[0]?.histogram ?? "");
  expect([buckets.at(-1)?.value, mean]).toEqual([(mean * 99) / 1e6, expect.closeTo(50_000, -3)]);
  const latencies = (await night(0)).latencies.map(({ histogram: _, ...rest }) => rest);
  expect(samplesIn(await metricsOf([await night(0, { latencies })]), "assay_latency_seconds")).toEqual([]);
});

test("latencies beyond the longest bound count as more, and each outcome has a histogram", async () => {
  const exchanges = [
    exchanged({
      latency_ms: 90_000,
      outcome: "failed",
      answer: null,
      fault: "timeout: no answer after 90 s",
    } as object),
    exchanged({ latency_ms: 0.01, operation: "getBalance" }),
    exchanged({ latency_ms: 7, status: 400 }),
  ];
  const text = await metricsOf([await importedNight(made(0, { exchanges }))]);
  const at = (le: string) => valuesOf(text, "assay_latency_seconds", { le });
  expect(at("63.0")).toEqual([
    ["getBalance", "served", "63.0", 1],
    ["getProjectUsage", "refused", "63.0", 1],
    ["getProjectUsage", "timeout", "63.0", 0],
  ]);
  expect(at("+Inf").map((row) => row.at(-1))).toEqual([1, 1, 1]);
  expect(at("0.001").map((row) => row.at(-1))).toEqual([1, 0, 0]);
});

test("a latency just beyond a bound isn't below it", async () => {
  const exchanges = [1, 1.005, 10.05].map((latency_ms) => exchanged({ latency_ms }));
  const text = await metricsOf([await importedNight(made(0, { exchanges }))]);
  const counts = ["0.001", "0.00125", "0.01", "0.0125"].map(
    (le) => samplesIn(text, "assay_latency_seconds", { le })[0]?.value,
  );
  expect(counts).toEqual([1, 2, 2, 3]);
});

test("a run that was ended has no duration", async () => {
  expect(samplesIn(await metricsOf([await night(0, { seconds: null })]), "assay_run_duration_seconds")).toEqual([]);
});

test("labels are escaped", async () => {
  const target = 'a "quoted" \\ back\\nslash\nand a line {le="1"} # EOF';
  const text = await metricsOf([await night(0, { target, vantage: "Zürich, 2. Stock" })]);
  for (const { samples } of openMetricsIn(text))
    for (const { labels } of samples) expect(labels).toMatchObject({ target, vantage: "Zürich, 2. Stock" });
});

test("the same nights give the same text in any order, one night for each target, vantage and kind", async () => {
  const nights = [
    await night(3, { spent: { requests: 3, credits: 3, unpriced: 0 } }),
    await night(2, { vantage: null, spent: { requests: 2, credits: 2, unpriced: 0 } }),
    await night(1, { kind: "nightly", spent: { requests: 1, credits: 1, unpriced: 0 } }),
    await night(0, { target: "b", spent: { requests: 0, credits: 0, unpriced: 0 } }),
    await night(0),
    await night(1, { left: "nothing was judged", exitCode: 3, vantage: "away" }),
  ];
  const text = await metricsOf(nights);
  expect(await metricsOf([...nights].reverse())).toBe(text);
  expect(
    samplesIn(text, "assay_requests_sent").map(({ labels: { target, vantage, load: shape }, value }) => [
      ...[target, vantage, shape, value],
    ]),
  ).toEqual([
    ["acme", "away", "", 412],
    ["acme", "home", "nightly", 1],
    ["acme", "home", "", 3],
    ["acme", "", "", 2],
    ["b", "home", "", 0],
  ]);
  expect(samplesIn(text, "assay_run_left_out").map(({ labels, value }) => [labels["vantage"], value])).toContainEqual([
    ...["away", 1],
  ]);
});

test("what is newly broken is apart from what is flaky", async () => {
  const nights = (broken: string): Promise<readonly Night[]> =>
    Promise.all([...broken].map((sign, day) => night(day, {}, sign === "x")));
  const of = async (broken: string, name: string) => valuesOf(await metricsOf(await nights(broken)), name);
  expect(await of("........x", "assay_requirement_newly_broken")).toEqual([["USG-HTTP-01", 1]]);
  expect(await of(".......xx", "assay_requirement_newly_broken")).toEqual([]);
  expect(await of(".x.x.x..x.x..x.", "assay_requirement_flaky_ratio")).toEqual([["USG-HTTP-01", 6 / 15]]);
  expect(await of(".x.x.x..x.x..xx", "assay_requirement_newly_broken")).toEqual([]);
  expect(await of("........x", "assay_requirement_flaky_ratio")).toEqual([]);
});
