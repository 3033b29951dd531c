// OpenMetrics of histories: the last night of each target, vantage and kind; valid as Prometheus' text, too

import { decodeFromCompressedBase64, JsHistogram } from "hdr-histogram-js";
import { withoutTrailing } from "../../harness/core/trailing.ts";
import { measuredLimitsIn } from "../../harness/model/measuredLimit.ts";
import { inert, visible } from "../text.ts";
import type { History } from "./history.ts";
import type { LatencyLine } from "./latencies.ts";
import { countsIn, type Night } from "./night.ts";
import { stateIn } from "./strips.ts";

type Labels = { readonly [name: string]: string };
type Sample = readonly [labels: Labels, value: number, suffix?: string];
/** A lone figure has no labels; null: there is none. */
type Samples = number | null | readonly Sample[];
/** A name with a unit ends with it. */
type Metric = readonly [
  name: string,
  help: string,
  of: (night: Night, history: History) => Samples,
  unit?: "seconds" | "ratio",
];

/** R10 numbers: neighbours differ by a quarter, and so does a quantile from the truth at most. */
const r10 = [1, 1.25, 1.6, 2, 2.5, 3.2, 4, 5, 6.3, 8];
const bounds_ms = [1, 10, 100, 1_000, 10_000].flatMap((ten) => r10.map((one) => one * ten));

/** As OpenMetrics writes bounds: `2.5` and `1.0`. */
const inSeconds = (bound_ms: number): string =>
  withoutTrailing("0", (bound_ms / 1_000).toFixed(5)).replace(/\.$/, ".0");

function histogramOf({ operation, outcome, histogram: text }: LatencyLine): readonly Sample[] {
  const histogram = text === undefined ? null : decodeFromCompressedBase64(text);
  if (!(histogram instanceof JsHistogram)) return [];
  const all = histogram.totalCount;
  let next = 0;
  let count = 0;
  const buckets = bounds_ms.map((bound_ms): Sample => {
    const end = Math.min(histogram.countsArrayLength, histogram.countsArrayIndex(bound_ms * 1_000) + 1);
    for (; next < end; next += 1) count += histogram.getCountAtIndex(next);
    return [{ operation, outcome, le: inSeconds(bound_ms) }, count, "_bucket"];
  });
  return [
    ...buckets,
    [{ operation, outcome, le: "+Inf" }, all, "_bucket"],
    [{ operation, outcome }, all, "_count"],
    [{ operation, outcome }, (histogram.mean * all) / 1_000_000, "_sum"],
  ];
}

const limitSamples = ([limit, text]: readonly [string, string]): readonly Sample[] =>
  measuredLimitsIn(text).map(({ most, window_s }) => [{ limit, window: `${window_s}s` }, most]);

const metrics: readonly Metric[] = [
  ["assay_run_timestamp_seconds", "When the run began.", ({ at }) => Date.parse(at) / 1_000, "seconds"],
  ["assay_run_duration_seconds", "Absent if the run was cut short.", ({ seconds }) => seconds, "seconds"],
  ["assay_run_exit_code", "0: nothing is broken, 1: a requirement is, 3: inconclusive.", ({ exitCode }) => exitCode],
  ["assay_run_left_out", "1: cut short or nothing judged; not in trends.", ({ left }) => Number(left !== null)],
  ["assay_requests_sent", "Requests of the run.", ({ spent }) => spent.requests],
  ["assay_credits_spent", "Credits of the run.", ({ spent }) => spent.credits],
  [
    "assay_limit",
    "Requests served in a window; absent if inconclusive.",
    ({ limits }) => Object.entries(limits).flatMap(limitSamples),
  ],
  [
    "assay_requirements",
    "How many requirements have each verdict.",
    (night) => Object.entries(countsIn(night)).map(([verdict, count]) => [{ verdict }, count]),
  ],
  [
    "assay_requirement_verdict",
    "1 for its verdict; others are absent.",
    ({ requirements }) =>
      Object.entries(requirements).map(([requirement, one]) => [{ requirement, verdict: stateIn(one).kind }, 1]),
  ],
  [
    "assay_requirement",
    "1; its sentence, to be joined by its id.",
    (_, { strips }) => strips.map(({ id, sentence }) => [{ requirement: id, sentence }, 1]),
  ],
  [
    "assay_requirement_newly_broken",
    "1: newly broken and not flaky; else absent.",
    (_, { newlyBroken }) => newlyBroken.map((requirement) => [{ requirement }, 1]),
  ],
  [
    "assay_requirement_flaky_ratio",
    "Share of recent nights that broke it; absent unless flaky.",
    (_, { strips }) =>
      strips.flatMap(({ id, trend }): readonly Sample[] =>
        trend.is === "flaky" ? [[{ requirement: id }, trend.broken / trend.of]] : [],
      ),
    "ratio",
  ],
  [
    "assay_latency_seconds",
    "One night: histogram_quantile without rate().",
    ({ latencies }) => latencies.flatMap(histogramOf),
    "seconds",
  ],
];

const escaped = (text: string): string => inert(visible(text)).replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n");
const written = (labels: Labels): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(",");

/** Of the last night of each, even where trends leave it out. An empty label is none. */
export function openMetricsOf(histories: readonly History[]): string {
  const lines = metrics.flatMap(([name, help, samplesOf, unit]) => {
    const samples = histories.flatMap((history) => {
      const { target, vantage, kind } = history;
      const of = { target, vantage: vantage ?? "", load: kind === "run" ? "" : kind };
      const found = samplesOf(history.last, history) ?? [];
      const all: readonly Sample[] = typeof found === "number" ? [[{}, found]] : found;
      return all.map(([labels, value, suffix = ""]) => {
        return { suffix, text: `${name}${suffix}{${written({ ...of, ...labels })}} ${value}` };
      });
    });
    if (samples.length === 0) return [];
    return [
      `# TYPE ${name} ${samples[0]?.suffix === "" ? "gauge" : "histogram"}`,
      ...(unit ? [`# UNIT ${name} ${unit}`] : []),
      `# HELP ${name} ${help}`,
      ...samples.map(({ text }) => text),
    ];
  });
  return `${[...lines, "# EOF"].join("\n")}\n`;
}
