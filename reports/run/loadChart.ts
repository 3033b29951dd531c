// The chart of a load over time: rates asked and reached, and latencies.
import type { TopLevelSpec } from "vega-lite";
import type { LoadReport, LoadStretch } from "../../harness/record/load.ts";
import { chart_px, limitLayers, limitRowsOf } from "./limitLayers.ts";
import type { KnownLimit } from "./limitLines.ts";

const outcomes = { served: "other answers", limited: "rate-limited", failed: "failed" } as const;
const outcomeNames = Object.values(outcomes);
const percentiles = ["p50", "p95", "p99"] as const;

/** Null where a table is enough. */
export function loadSpec(load: LoadReport, limits: readonly KnownLimit[]): TopLevelSpec | null {
  const { overTime = [], byLimit = [] } = load;
  if (overTime.length < 2) return null;
  const x = timeAxisOf(overTime);
  // Of what has one limit, the rates are those of all.
  const [one] = limits.length === 1 && byLimit.length === 1 ? limits : [];
  const all = [...ratesIn(overTime), ...askedIn(overTime), ...(one ? limitRowsOf(one) : [])];
  const apart = one ? [] : limits;
  return {
    spacing: 18,
    vconcat: [
      { height: 120, ...ratesSpec(x, all, "requests per second") },
      ...apart.map((limit) => ({
        title: {
          text: limit.name,
          anchor: "start" as const,
          frame: "group" as const,
          fontSize: 12,
          color: "currentColor",
        },
        height: 80,
        ...ratesSpec(x, [...ratesIn(atLimit(load, limit.name)), ...limitRowsOf(limit)], "per second", null),
      })),
      {
        width: chart_px,
        height: 140,
        data: { values: latenciesIn(overTime) },
        mark: { type: "line", point: { size: 12 }, strokeWidth: 1.5 },
        encoding: {
          x: { ...x, title: "seconds since the load began" },
          y: {
            field: "ms",
            type: "quantitative",
            scale: { type: "log" },
            title: "latency in ms",
            axis: { values: [...Array(8).keys()].map((power) => 10 ** (power - 2)), format: "~r" },
          },
          color: colour("percentile", percentiles, ["var(--hue-1)", "var(--hue-2)", "var(--hue-3)"]),
        },
      },
    ],
    resolve: { scale: { color: "independent" } },
  };
}

const timeAxisOf = (overTime: readonly LoadStretch[]) => ({
  field: "from_s",
  type: "quantitative" as const,
  scale: {
    domain: [0, Math.max(...overTime.map(({ from_s, seconds }) => from_s + seconds))] as [number, number],
    nice: false,
  },
  axis: { grid: false, tickCount: 8, format: "~d" },
});

/** Bars of what was answered, with lines of limits and of what was asked for. @param legend null for none */
function ratesSpec(axis: ReturnType<typeof timeAxisOf>, rates: readonly object[], title: string, legend?: null) {
  const x = { ...axis, title: null };
  const y = { field: "perSecond", type: "quantitative" as const, title };
  const color = {
    ...colour("outcome", outcomeNames, ["var(--quiet)", "var(--warned)", "var(--broken)"]),
    ...(legend === null ? { legend } : {}),
  };
  return {
    width: chart_px,
    data: { values: [...rates] },
    layer: [
      {
        transform: [{ filter: { field: "is", equal: "bar" } }],
        mark: { type: "bar" as const, binSpacing: 0.5 },
        encoding: {
          x: { ...x, bin: { binned: true } },
          x2: { field: "to_s" },
          y: { ...y, stack: "zero" as const, axis: { tickCount: 4 } },
          order: { field: "place" },
          color,
        },
      },
      ...limitLayers(title),
      ...askedLayers({ x, y }),
    ],
  };
}

/** The rate that was asked for, as a line with its name at its end. */
function askedLayers(encoding: object) {
  const color = "var(--ink)";
  return [
    {
      transform: [{ filter: { field: "is", equal: "asked" } }],
      mark: { type: "line" as const, color, strokeDash: [4, 3], strokeWidth: 1.5 },
      encoding,
    },
    {
      transform: [{ filter: { field: "isEnd", equal: true } }],
      mark: {
        type: "text" as const,
        text: "asked",
        color,
        align: "right" as const,
        baseline: "bottom" as const,
        dy: -2,
      },
      encoding,
    },
  ];
}

const colour = (field: string, names: readonly string[], range: readonly string[]) => ({
  field,
  type: "nominal" as const,
  sort: [...names],
  scale: { domain: [...names], range: [...range] },
});

type Rates = Pick<LoadStretch, "from_s" | "seconds" | "requests" | "limited" | "failed">;

const atLimit = ({ overTime = [], byLimit = [] }: LoadReport, limit: string): readonly Rates[] => {
  const traffic = byLimit.find(({ name }) => name === limit);
  const at = (counts: readonly number[] | undefined, nth: number): number => counts?.[nth] ?? 0;
  return overTime.map(({ from_s, seconds }, nth) => ({
    from_s,
    seconds,
    requests: at(traffic?.requests, nth),
    limited: at(traffic?.limited, nth),
    failed: at(traffic?.failed, nth),
  }));
};

/** Stacked from the bottom in this order. */
const ratesIn = (overTime: readonly Rates[]) =>
  overTime.flatMap(({ from_s, seconds, requests, limited, failed }) =>
    [requests - limited - failed, limited, failed].map((count, place) => ({
      is: "bar",
      from_s,
      to_s: from_s + seconds,
      outcome: outcomeNames[place],
      place,
      perSecond: count / seconds,
    })),
  );

/** A step at the end of each stretch. */
const askedIn = (overTime: readonly LoadStretch[]) =>
  overTime.flatMap(({ from_s, seconds, due }, nth) =>
    [from_s, from_s + seconds].map((at_s, end) => ({
      is: "asked",
      isEnd: end === 1 && nth === overTime.length - 1,
      from_s: at_s,
      perSecond: due / seconds,
    })),
  );

/** A logarithm has no zero. Where percentiles coincide, the last one is seen. */
const latenciesIn = (overTime: readonly LoadStretch[]) =>
  overTime.flatMap((stretch) =>
    percentiles.toReversed().flatMap((percentile) => {
      const ms = stretch[`${percentile}_ms`];
      return ms === null ? [] : [{ from_s: stretch.from_s + stretch.seconds / 2, percentile, ms: Math.max(ms, 0.01) }];
    }),
  );
