// The chart of a load over time: rates asked and reached, and latencies.
import type { TopLevelSpec } from "vega-lite";
import type { LoadReport, LoadStretch } from "../../harness/record/load.ts";

const width_px = 1_000;

const outcomes = { served: "other answers", limited: "rate-limited", failed: "failed" } as const;
const outcomeNames = Object.values(outcomes);
const percentiles = ["p50", "p95", "p99"] as const;

/** Null where a table is enough. */
export function loadSpec({ overTime = [] }: LoadReport): TopLevelSpec | null {
  if (overTime.length < 2) return null;
  const end_s = Math.max(...overTime.map(({ from_s, seconds }) => from_s + seconds));
  const x = {
    field: "from_s",
    type: "quantitative" as const,
    scale: { domain: [0, end_s] as [number, number], nice: false },
    axis: { grid: false, tickCount: 8, format: "~d" },
  };
  return {
    spacing: 18,
    vconcat: [
      {
        width: width_px,
        height: 120,
        layer: [
          {
            data: { values: ratesIn(overTime) },
            mark: { type: "bar", binSpacing: 0.5 },
            encoding: {
              x: { ...x, bin: { binned: true }, title: null },
              x2: { field: "to_s" },
              y: { field: "perSecond", type: "quantitative", stack: "zero", title: "requests per second" },
              order: { field: "place" },
              color: colour("outcome", outcomeNames, ["var(--quiet)", "var(--warned)", "var(--broken)"]),
            },
          },
          {
            data: { values: askedIn(overTime) },
            mark: { type: "line", color: "var(--ink)", strokeDash: [4, 3], strokeWidth: 1.5 },
            encoding: { x: { ...x, title: null }, y: { field: "perSecond", type: "quantitative" } },
          },
        ],
      },
      {
        width: width_px,
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
            axis: { tickCount: 4, format: "~r" },
          },
          color: colour("percentile", percentiles, ["var(--hue-1)", "var(--hue-2)", "var(--hue-3)"]),
        },
      },
    ],
    resolve: { scale: { color: "independent" } },
  };
}

const colour = (field: string, names: readonly string[], range: readonly string[]) => ({
  field,
  type: "nominal" as const,
  sort: [...names],
  scale: { domain: [...names], range: [...range] },
});

/** Stacked from the bottom in this order. */
const ratesIn = (overTime: readonly LoadStretch[]) =>
  overTime.flatMap(({ from_s, seconds, requests, limited, failed }) =>
    [requests - limited - failed, limited, failed].map((count, place) => ({
      from_s,
      to_s: from_s + seconds,
      outcome: outcomeNames[place],
      place,
      perSecond: count / seconds,
    })),
  );

/** A step at the end of each stretch. */
const askedIn = (overTime: readonly LoadStretch[]) =>
  overTime.flatMap(({ from_s, seconds, due }) =>
    [from_s, from_s + seconds].map((at_s) => ({ from_s: at_s, perSecond: due / seconds })),
  );

/** A logarithm has no zero. Where percentiles coincide, the last one is seen. */
const latenciesIn = (overTime: readonly LoadStretch[]) =>
  overTime.flatMap((stretch) =>
    percentiles.toReversed().flatMap((percentile) => {
      const ms = stretch[`${percentile}_ms`];
      return ms === null ? [] : [{ from_s: stretch.from_s + stretch.seconds / 2, percentile, ms: Math.max(ms, 0.01) }];
    }),
  );
