// The charts of a run: requests over time, latency, mutants. Tables beside them have the same figures.
import type { TopLevelSpec } from "vega-lite";
import type { ExperimentShown } from "../../harness/model/probe.ts";
import type { LoadReport } from "../../harness/record/load.ts";
import { shownBursts } from "../experiments.ts";
import { type Call, type Fate, type Latency, latenciesOf, type Timeline, type timelinesOf } from "../traffic.ts";
import { areasOfKills, type KillMatrix } from "./killedBy.ts";
import { loadSpec } from "./loadChart.ts";

/** The library takes 1 s to load. */
const fewestCalls = 50;

/** Markup of each chart; null where a table is enough. */
export async function chartsOf(
  calls: readonly Call[],
  { byLimit, byFeature, byOperation }: ReturnType<typeof timelinesOf>,
  kills: KillMatrix | null,
  experiments: readonly ExperimentShown[] = [],
  load?: LoadReport,
) {
  const isBusy = calls.length >= fewestCalls && byLimit.stretches.length > 0;
  const latencies = latenciesOf(calls);
  const latency = isBusy && latencies.length > 0 && latencySpec(latencies);
  return {
    features: await drawn("features", "Requests over the run, by feature", isBusy && featuresSpec(byFeature)),
    operations: await drawn("operations", "Timeline of the run, by operation", isBusy && operationsSpec(byOperation)),
    limits: await drawn(
      "limits",
      "Requests accepted and refused over time, at each limit",
      isBusy && limitsSpec(byLimit),
    ),
    experiments: await drawn(
      "experiments",
      "Requests of the experiments on limits over time: served or refused",
      experiments.length > 0 && experimentsSpec(experiments),
    ),
    latency: await drawn("latency", "Latency of accepted requests by operation, on a logarithmic scale", latency),
    load: await drawn("load", "Rates asked and reached, and latencies, over time", load ? loadSpec(load) : null),
    kills: await drawn(
      "kills",
      "Mutants by area, and the areas in which they break requirements",
      kills && killsSpec(kills),
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

/** Of the page's content, less the labels of an axis. */
const width_px = 1_000;
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
    width: width_px,
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
    width: width_px - 160,
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

function limitsSpec({ width_s, stretches }: Timeline): TopLevelSpec {
  const names = [...new Set(stretches.map(({ name }) => name))].sort();
  const fates = Object.keys(fateWords) as readonly Fate[]; // Keys of a literal whose type names them.
  const values = stretches.flatMap((one) =>
    fates.flatMap((fate) =>
      one[fate]
        ? [{ ...one, to_s: one.from_s + width_s, count: one[fate], fate: fateWords[fate], place: fates.indexOf(fate) }]
        : [],
    ),
  );
  return {
    data: { values },
    spacing: 14,
    facet: { row: { field: "name", type: "nominal", sort: names, header: { labelAngle: 0, labelOrient: "top" } } },
    spec: {
      width: width_px,
      height: 70,
      mark: { type: "bar", binSpacing: 0.5 },
      encoding: {
        ...acrossRun(width_s),
        y: stackedUp(`per ${width_s} s`, 3),
        color: {
          field: "fate",
          type: "nominal",
          scale: { domain: Object.values(fateWords), range: ["var(--quiet)", "var(--broken)", "var(--inconclusive)"] },
        },
        order: { field: "place", type: "quantitative" },
      },
    },
    resolve: { scale: { y: "independent" } },
  };
}

/** Those sent at once lie above each other, the ones that were served below. */
function experimentsSpec(experiments: readonly ExperimentShown[]): TopLevelSpec {
  const order = ["served", "refused", "undocumented", "failed"];
  const values = experiments.flatMap((experiment) =>
    shownBursts(experiment).flatMap(({ requests }) =>
      [...requests]
        .sort((a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome))
        .map(({ sent_ms, outcome }, nth) => ({
          experiment: experiment.name,
          s: sent_ms / 1_000,
          nth: nth + 1,
          outcome,
        })),
    ),
  );
  return {
    data: { values },
    spacing: 14,
    facet: {
      row: {
        field: "experiment",
        type: "nominal",
        sort: experiments.map(({ name }) => name),
        header: { labelAngle: 0, labelOrient: "top" },
      },
    },
    spec: {
      width: width_px,
      height: 90,
      mark: { type: "point", filled: true, size: 22, opacity: 1 },
      encoding: {
        x: { field: "s", type: "quantitative", title: "seconds", axis: { grid: false, tickCount: 10 } },
        y: { field: "nth", type: "quantitative", title: "at once", axis: { tickCount: 3 } },
        color: {
          field: "outcome",
          type: "nominal",
          scale: { domain: order, range: ["var(--hue-1)", "var(--broken)", "var(--inconclusive)", "var(--hue-5)"] },
        },
        shape: {
          field: "outcome",
          type: "nominal",
          scale: { domain: order, range: ["circle", "cross", "triangle-up", "diamond"] },
        },
      },
    },
    resolve: { scale: { x: "independent" } },
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
    width: width_px - 160,
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

function killsSpec(kills: KillMatrix): TopLevelSpec {
  const { areas, cells } = areasOfKills(kills);
  const names = { type: "nominal", sort: [...areas] } as const;
  const count = { field: "count", type: "quantitative" } as const;
  const breaks = {
    title: "area of the requirements broken",
    axis: { ...bare, orient: "top", labelAngle: -45 },
  } as const;
  return {
    data: { values: [...cells] },
    width: { step: 30 },
    height: { step: 22 },
    encoding: {
      x: { field: "breaks", ...names, ...breaks },
      y: { field: "mutants", ...names, title: "area of the mutants", axis: bare },
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
