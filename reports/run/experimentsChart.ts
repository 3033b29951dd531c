// The chart of experiments on limits: requests sent at once above each other, and the limit between them.
import type { TopLevelSpec } from "vega-lite";
import type { ExperimentShown } from "../../harness/model/probe.ts";
import { shownBursts } from "../experiments.ts";
import { chart_px, limitLayers, limitRowsOf } from "./limitLayers.ts";
import type { KnownLimit } from "./limitLines.ts";

/** Those sent at once lie above each other, the ones that were served below. @param limits that they test */
export function experimentsSpec(experiments: readonly ExperimentShown[], limits: readonly KnownLimit[]): TopLevelSpec {
  const order = ["served", "refused", "undocumented", "failed"];
  const title = "at once";
  const values = experiments.flatMap((experiment) =>
    shownBursts(experiment).flatMap(({ requests }) =>
      [...requests]
        .sort((a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome))
        .map(({ sent_ms, outcome }, nth) => ({
          is: "request",
          experiment: experiment.name,
          s: sent_ms / 1_000,
          nth: nth + 1,
          outcome,
        })),
    ),
  );
  const outcome = (range: string[]) => ({
    field: "outcome",
    type: "nominal" as const,
    scale: { domain: order, range },
  });
  // Above the last request within it.
  const lines = limits.flatMap((limit) => limitRowsOf(limit, 0.5));
  const inEach = experiments.flatMap(({ name }) => lines.map((line) => ({ ...line, experiment: name })));
  return {
    data: { values: [...values, ...inEach] },
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
      width: chart_px,
      height: 90,
      layer: [
        {
          transform: [{ filter: { field: "is", equal: "request" } }],
          mark: { type: "point", filled: true, size: 22, opacity: 1 },
          encoding: {
            x: { field: "s", type: "quantitative", title: "seconds", axis: { grid: false, tickCount: 10 } },
            y: { field: "nth", type: "quantitative", title, axis: { tickCount: 3 } },
            color: outcome(["var(--hue-1)", "var(--broken)", "var(--inconclusive)", "var(--hue-5)"]),
            shape: outcome(["circle", "cross", "triangle-up", "diamond"]),
          },
        },
        ...limitLayers(title),
      ],
    },
    resolve: { scale: { x: "independent" } },
  };
}
