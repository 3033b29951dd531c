// The charts of a run: requests over time and at limits, latency, mutants. Tables beside them have the same figures.
import type { TopLevelSpec } from "vega-lite";
import type { ExperimentShown } from "../../harness/model/probe.ts";
import type { LoadReport } from "../../harness/record/load.ts";
import { areaName, type Described } from "../described.ts";
import { type Call, type Fate, type Latency, latenciesOf, type Timeline, type timelinesOf } from "../traffic.ts";
import { experimentsSpec } from "./experimentsChart.ts";
import { areasOfKills, type KillMatrix } from "./killedBy.ts";
import { chart_px, limitLayers, limitRowsOf } from "./limitLayers.ts";
import { type KnownLimit, spokenLimits } from "./limitLines.ts";
import { loadSpec } from "./loadChart.ts";

/** The library takes 1 s to load. */
const fewestCalls = 50;

interface ChartSource {
  readonly calls: readonly Call[];
  readonly timelines: ReturnType<typeof timelinesOf>;
  readonly experiments: readonly ExperimentShown[];
  readonly kills: KillMatrix | null;
  readonly load?: LoadReport | undefined;
  /** Of the requests of the run, of its experiments, and of its load. */
  readonly limits: {
    readonly ofRun: readonly KnownLimit[];
    readonly ofExperiments: readonly KnownLimit[];
    readonly ofLoad: readonly KnownLimit[];
  };
}

/** Markup of each chart; null where a table is enough. */
export async function chartsOf(chartSource: ChartSource, described: Pick<Described, "areas">) {
  const { calls, timelines, experiments, kills, load, limits } = chartSource;
  const { byLimit, byFeature, byOperation } = timelines;
  const isBusy = calls.length >= fewestCalls && byLimit.stretches.length > 0;
  const latencies = latenciesOf(calls);
  const latency = isBusy && latencies.length > 0 && latencySpec(latencies);
  return {
    features: await drawn("features", "Requests over the run, by feature", isBusy && featuresSpec(byFeature)),
    operations: await drawn("operations", "Timeline of the run, by operation", isBusy && operationsSpec(byOperation)),
    limits: await drawn(
      "limits",
      `Requests accepted and refused over time, at each limit${spokenLimits(limits.ofRun)}`,
      isBusy && limitsSpec(byLimit, limits.ofRun),
    ),
    experiments: await drawn(
      "experiments",
      `Requests of the experiments on limits over time: served or refused${spokenLimits(limits.ofExperiments)}`,
      experiments.length > 0 && experimentsSpec(experiments, limits.ofExperiments),
    ),
    latency: await drawn("latency", "Latency of accepted requests by operation, on a logarithmic scale", latency),
    load: await drawn(
      "load",
      `Rates asked and reached, and latencies, over time${spokenLimits(limits.ofLoad)}`,
      load ? loadSpec(load, limits.ofLoad) : null,
    ),
    kills: await drawn(
      "kills",
      "Mutants by area, and the areas in which they break requirements",
      kills && killsSpec(kills, described),
    ),
  };
}

async function drawn(name: string, title: string, spec: TopLevelSpec | false | null): Promise<string | null> {
  if (!spec) return null;
  const { svgOf } = await import("./chart.ts");
  return svgOf(`${name}-title`, title, spec);
}

const fateWords: { readonly [fate in Fate]: string } = {
  accepted: "accepted",
  refused: "rate-limited",
  unanswered: "no answer",
};

/** Of features; the legend names them. */
const hues = [1, 2, 3, 4, 5, 6, 7].map((place) => `var(--hue-${place})`);
/** Of an axis of names. */
const bare = { grid: false, ticks: false, domain: false } as const;

/** Where stretches begin and end. */
const acrossRun = (width_s: number) =>
  ({
    x: {
      field: "from_s",
      bin: { binned: true, step: width_s },
      title: "seconds since the first request",
      axis: { grid: false, tickCount: 8, format: "~d" },
    },
    x2: { field: "to_s" },
  }) as const;

const stackedUp = (title: string, tickCount: number) =>
  ({ field: "count", type: "quantitative", stack: "zero", title, axis: { tickCount, format: "~s" } }) as const;

const countsIn = ({ width_s, stretches }: Timeline) =>
  stretches.map((stretch) => ({
    from_s: stretch.from_s,
    to_s: stretch.from_s + width_s,
    name: stretch.name,
    count: stretch.accepted + stretch.refused + stretch.unanswered,
  }));

function featuresSpec(timeline: Timeline): TopLevelSpec {
  const { width_s } = timeline;
  return {
    data: { values: countsIn(timeline) },
    width: chart_px,
    height: 160,
    mark: { type: "bar", binSpacing: 0.5 },
    encoding: {
      ...acrossRun(width_s),
      y: stackedUp(`requests per ${width_s} s`, 4),
      color: { field: "name", type: "nominal", scale: { range: [...hues] } },
    },
  };
}

function operationsSpec(timeline: Timeline): TopLevelSpec {
  const values = countsIn(timeline);
  const count = { field: "count", type: "quantitative" } as const;
  return {
    data: { values },
    width: chart_px - 160,
    height: { step: 18 },
    // Names in the order in which their requests began.
    mark: { type: "bar", height: 11, color: "var(--link)", binSpacing: 0 },
    encoding: {
      ...acrossRun(timeline.width_s),
      y: {
        field: "name",
        type: "nominal",
        sort: [...new Set(values.map(({ name }) => name))],
        title: null,
        axis: bare,
      },
      opacity: { ...count, scale: { type: "log", range: [0.3, 1] }, legend: null },
    },
  };
}

function limitsSpec({ width_s, stretches }: Timeline, limits: readonly KnownLimit[]): TopLevelSpec {
  const names = [...new Set(stretches.map(({ name }) => name))].sort();
  const title = "per second";
  const fates = Object.keys(fateWords) as readonly Fate[]; // Keys of a literal whose type names them.
  const values = stretches.flatMap((one) =>
    fates.flatMap((fate) =>
      one[fate]
        ? [
            {
              ...{ is: "bar", name: one.name, from_s: one.from_s, to_s: one.from_s + width_s },
              ...{ perSecond: one[fate] / width_s, fate: fateWords[fate], place: fates.indexOf(fate) },
            },
          ]
        : [],
    ),
  );
  const lines = limits.flatMap((limit) => limitRowsOf(limit).map((row) => ({ ...row, name: limit.name })));
  return {
    data: { values: [...values, ...lines] },
    spacing: 14,
    facet: { row: { field: "name", type: "nominal", sort: names, header: { labelAngle: 0, labelOrient: "top" } } },
    spec: {
      width: chart_px,
      height: 70,
      layer: [
        {
          transform: [{ filter: { field: "is", equal: "bar" } }],
          mark: { type: "bar", binSpacing: 0.5 },
          encoding: {
            ...acrossRun(width_s),
            y: { ...stackedUp(title, 3), field: "perSecond" },
            color: {
              field: "fate",
              type: "nominal",
              scale: {
                domain: Object.values(fateWords),
                range: ["var(--quiet)", "var(--broken)", "var(--inconclusive)"],
              },
            },
            order: { field: "place", type: "quantitative" },
          },
        },
        ...limitLayers(title),
      ],
    },
    resolve: { scale: { y: "independent" } },
  };
}

function latencySpec(latencies: readonly Latency[]): TopLevelSpec {
  const x = {
    type: "quantitative",
    title: "milliseconds",
    scale: { type: "log" },
    axis: { values: [...Array(8).keys()].map((power) => 10 ** (power - 2)), format: "~r" },
  } as const;
  const at = (field: keyof Latency) => ({ x: { ...x, field } });
  const between = (field: keyof Latency, end: keyof Latency) => ({ ...at(field), x2: { field: end } });
  // A logarithm has no zero.
  const values = latencies.map((one) =>
    Object.fromEntries(
      Object.entries(one).map(([name, value]) => [name, typeof value === "number" ? Math.max(value, 0.01) : value]),
    ),
  );
  return {
    data: { values },
    width: chart_px - 160,
    height: { step: 22 },
    encoding: { y: { field: "operation", type: "nominal", sort: null, title: null, axis: bare } },
    layer: [
      { mark: { type: "rule", color: "var(--soft)" }, encoding: between("p05_ms", "p95_ms") },
      { mark: { type: "bar", height: 10, color: "var(--quiet)" }, encoding: between("p25_ms", "p75_ms") },
      { mark: { type: "tick", thickness: 2, size: 14, color: "var(--ink)" }, encoding: at("p50_ms") },
      { mark: { type: "point", size: 14, filled: true, opacity: 1, color: "var(--soft)" }, encoding: at("max_ms") },
    ],
  };
}

/** Codes below one another, at the left edge, where a phone shows them first. */
const leftNames = { ...bare, labelAlign: "left", labelPadding: 275, maxExtent: 300 } as const;

function killsSpec(kills: KillMatrix, described: Pick<Described, "areas">): TopLevelSpec {
  const { areas, cells } = areasOfKills(kills);
  const names = areas.map((area) => areaName(described, area));
  const count = { field: "count", type: "quantitative" } as const;
  const breaks = {
    title: "area of the requirements broken, by area of the mutants",
    axis: { ...bare, orient: "top", labelAngle: -45 },
  } as const;
  return {
    data: { values: cells.map((cell) => ({ ...cell, mutants: areaName(described, cell.mutants) })) },
    width: { step: 30 },
    height: { step: 22 },
    encoding: {
      x: { field: "breaks", type: "nominal", sort: [...areas], ...breaks },
      // Names all that the other axis has by their codes.
      y: { field: "mutants", type: "nominal", scale: { domain: names }, title: null, axis: leftNames },
    },
    layer: [
      {
        mark: { type: "rect", color: "var(--quiet)" },
        encoding: { opacity: { ...count, scale: { type: "log", range: [0.15, 0.6] }, legend: null } },
      },
      { mark: { type: "text", color: "var(--ink)", fontSize: 11 }, encoding: { text: count } },
    ],
  };
}
