// Latencies on another level than on an earlier night: one step for each operation
import { median } from "simple-statistics";
import type { ChangePoint } from "./changePoints.ts";
import { fewestBefore } from "./changePoints.ts";
import type { History, LatencyStrip } from "./history.ts";

/** In ms: the level before, and that of the last nights. */
export interface LatencyStep extends Pick<ChangePoint, "operation" | "percentile" | "was" | "is"> {
  /** The first of the new level. */
  readonly night: number;
}

/** A level is that of at most a week. */
const levelNights = 7;
/** Two steps that lead back so far, as a factor, have changed nothing. */
const alike = 1.15;

const isAlike = ({ was, is }: Pick<LatencyStep, "was" | "is">): boolean => Math.max(was / is, is / was) < alike;

/** The last step of a percentile, from the level before the first of them; null where none changed it for long. */
function stepAmong(points: readonly ChangePoint[], strip: LatencyStrip): LatencyStep | null {
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last) return null;
  const { operation, percentile, night } = last;
  const figures = strip[percentile].slice(night).flatMap((figure) => figure ?? []);
  return { operation, percentile, was: first.was, is: median(figures.slice(-levelNights)), night };
}

/** Of p95 where that changed, else of p50; without what was as before again. @param nth the night to compare with */
export function stepsSince({ changePoints, latencies }: History, nth: number): readonly LatencyStep[] {
  const lasting = changePoints.filter(({ named, back }) => named > nth && back === null);
  return latencies.flatMap((strip) => {
    const own = lasting.filter(({ operation }) => operation === strip.operation);
    const steps = (["p95", "p50"] as const).flatMap(
      (percentile) =>
        stepAmong(
          own.filter((point) => point.percentile === percentile),
          strip,
        ) ?? [],
    );
    return steps.filter((step) => !isAlike(step)).slice(0, 1);
  });
}

/** Operations whose latency has too few nights to be judged on the last one. */
export const unjudgedLatencies = ({ latencies }: History): readonly LatencyStrip[] =>
  latencies.filter(({ p50 }) => p50.filter((figure) => figure !== null).length <= fewestBefore);
