// OpenMetrics of histories: the last night of each target, vantage and kind; valid as Prometheus' text, too
import { decodeFromCompressedBase64, JsHistogram } from "hdr-histogram-js";
import { groupedBy } from "../lists.ts";
import { kinds } from "../words.ts";
import type { LatencyLine } from "./latencies.ts";
import type { Night } from "./night.ts";
import { isNewlyBroken, stateIn, stripsOf } from "./strips.ts";

type Labels = { readonly [name: string]: string };
type Sample = readonly [labels: Labels, value: number, suffix?: string];
type Metric = readonly [name: string, help: string, samples: readonly Sample[]];

/** R10 numbers: neighbours differ by a quarter, and so does a quantile from the truth at most. */
const r10 = [1, 1.25, 1.6, 2, 2.5, 3.2, 4, 5, 6.3, 8];
const bounds_ms = [1, 10, 100, 1_000, 10_000].flatMap((ten) => r10.map((one) => one * ten));

function histogramOf({ operation, outcome, histogram: text }: LatencyLine): readonly Sample[] {
  const histogram = text === undefined ? null : decodeFromCompressedBase64(text);
  if (!(histogram instanceof JsHistogram)) return [];
  const all = histogram.totalCount;
  let [next, count] = [0, 0];
  const buckets = bounds_ms.map((bound_ms): Sample => {
    const end = Math.min(histogram.countsArrayLength, histogram.countsArrayIndex(bound_ms * 1_000) + 1);
    for (; next < end; next += 1) count += histogram.getCountAtIndex(next);
    return [{ operation, outcome, le: (bound_ms / 1_000).toFixed(5).replace(/(?<=\.\d+?)0+$/, "") }, count, "_bucket"];
  });
  return [
    ...[...buckets, [{ operation, outcome, le: "+Inf" }, all, "_bucket"] as const],
    [{ operation, outcome }, all, "_count"],
    [{ operation, outcome }, (histogram.mean * all) / 1_000_000, "_sum"],
  ];
}

/** Each limit in `5 in 1 s`, or in `5 in 1 s or 6 in 1.2 s`; none in other words. */
const limitsIn = ([limit, words]: readonly [string, string]): readonly Sample[] =>
  Array.from(words.matchAll(/(?<=^| or )(\d+) in ([\d.]+) s(?= or |$)/g), ([, most, s]) => [
    { limit, window: `${s}s` },
    Number(most),
  ]);

/** A name ends with its unit where that is a second or a ratio. @param nights those that trends take */
function metricsOf(night: Night, nights: readonly Night[]): readonly Metric[] {
  const { at, seconds, exitCode, left, spent, limits, latencies } = night;
  const strips = stripsOf(nights);
  const isNow = Object.entries(night.requirements).map(([requirement, one]) => ({
    requirement,
    verdict: stateIn(one).kind,
  }));
  const counts = kinds.map(
    (kind): Sample => [{ verdict: kind }, isNow.filter(({ verdict }) => verdict === kind).length],
  );
  const broken = strips.filter(isNewlyBroken).map(({ id }): Sample => [{ requirement: id }, 1]);
  const flaky = strips.flatMap(({ id, trend }): readonly Sample[] =>
    trend.is === "flaky" ? [[{ requirement: id }, trend.broken / trend.of]] : [],
  );
  return [
    ["assay_run_timestamp_seconds", "When the run began.", [[{}, Date.parse(at) / 1_000]]],
    ["assay_run_duration_seconds", "Absent where the run was ended.", seconds === null ? [] : [[{}, seconds]]],
    ["assay_run_exit_code", "0: nothing is broken, 1: a requirement is, 3: inconclusive.", [[{}, exitCode]]],
    [
      "assay_run_left_out",
      "1: cut short or nothing judged, so that trends leave it out.",
      [[{}, left === null ? 0 : 1]],
    ],
    ["assay_requests_sent", "Requests of the run.", [[{}, spent.requests]]],
    ["assay_credits_spent", "Credits of the run.", [[{}, spent.credits]]],
    ["assay_limit", "Requests served in a window; absent if inconclusive.", Object.entries(limits).flatMap(limitsIn)],
    ["assay_requirements", "How many requirements have each verdict.", counts],
    ["assay_requirement_verdict", "1; any other verdict of it is absent.", isNow.map((one): Sample => [one, 1])],
    ["assay_requirement_newly_broken", "1: it wasn't before and isn't flaky; else absent.", broken],
    ["assay_requirement_flaky_ratio", "Share of recent nights that broke it; absent unless flaky.", flaky],
    ["assay_latency_seconds", "Of one night: take histogram_quantile without rate.", latencies.flatMap(histogramOf)],
  ];
}

const escaped = (text: string): string => text.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n");
const written = (labels: Labels): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(",");
/** An empty label is none. */
const labelsOf = ({ target, vantage, kind }: Night): Labels => ({
  target,
  vantage: vantage ?? "",
  load: kind === "run" ? "" : kind,
});

/** @param all nights of any targets, in any order; the same nights give the same text */
export function openMetricsOf(all: readonly Night[]): string {
  const byTime = [...all].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  const rows = [...groupedBy(byTime, (night) => written(labelsOf(night))).values()].flatMap((nights) => {
    const last = nights.at(-1) ?? nights[0];
    return metricsOf(
      last,
      nights.filter(({ left }) => left === null),
    ).flatMap(([name, help, samples]) =>
      samples.map(([labels, value, suffix]) => {
        const of = { ...labelsOf(last), ...labels };
        const [text, key] = [`${name}${suffix ?? ""}{${written(of)}} ${value}`, written({ ...of, le: "" })];
        return { name, help, text, key, type: suffix === undefined ? "gauge" : "histogram" };
      }),
    );
  });
  const lines = [...groupedBy(rows, ({ name }) => name)].flatMap(([name, some]) => {
    const [{ type, help }] = some;
    const [, unit] = /_(seconds|ratio)$/.exec(name) ?? [];
    const head = [`# TYPE ${name} ${type}`, ...(unit ? [`# UNIT ${name} ${unit}`] : []), `# HELP ${name} ${help}`];
    // Buckets of one histogram stay in their order.
    const inOrder = [...some].sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)));
    return [...head, ...inOrder.map(({ text }) => text)];
  });
  return `${[...lines, "# EOF"].join("\n")}\n`;
}
