/** @jsxImportSource hono/jsx */
// Requests over the run: how many by feature, and which operations when.

import { Figures, figure } from "../document/elements.tsx";
import type { Timeline as Stretches, timelinesOf } from "../traffic.ts";
import type { chartsOf } from "./charts.ts";

interface TimelineProps {
  readonly timelines: Pick<ReturnType<typeof timelinesOf>, "byFeature" | "byOperation">;
  readonly charts: Pick<Awaited<ReturnType<typeof chartsOf>>, "features" | "operations">;
}

export const Timeline = ({
  timelines: { byFeature, byOperation },
  charts: { features, operations },
}: TimelineProps) => (
  <>
    <Figures
      caption={`Requests by feature and stretch of ${byFeature.width_s} s`}
      svg={features}
      heads={["Seconds", "Feature", "Requests"]}
      rows={rowsOf(byFeature)}
    />
    <Figures
      caption={`Requests by operation and stretch of ${byOperation.width_s} s`}
      svg={operations}
      heads={["Seconds", "Operation", "Requests"]}
      rows={rowsOf(byOperation)}
    />
  </>
);

const rowsOf = ({ width_s, stretches }: Stretches) =>
  stretches.map(({ from_s, name, accepted, refused, unanswered }) => [
    `${from_s} to ${from_s + width_s}`,
    name,
    figure(accepted + refused + unanswered),
  ]);
