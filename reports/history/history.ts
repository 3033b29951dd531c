// The history of one target: the value from which every view of its nights is made

import type { Described } from "../described.ts";
import { groupedBy } from "../lists.ts";
import { type ChangePoint, changePointsIn } from "./changePoints.ts";
import { type Changes, changesIn } from "./changes.ts";
import type { Night } from "./night.ts";
import { isNewlyBroken, type Strip, stripsOf } from "./strips.ts";

/** Latencies of one operation's served answers, night by night, in ms; null where there are too few. */
export interface LatencyStrip {
  readonly operation: string;
  readonly p50: readonly (number | null)[];
  readonly p95: readonly (number | null)[];
  readonly p99: readonly (number | null)[];
}

/** Nights of one target, vantage and kind, which can be compared. */
export interface History {
  readonly target: string;
  readonly vantage: string | null;
  /** `run`, or the shape of its loads. */
  readonly kind: string;
  /** In their order, without those that trends leave out. */
  readonly nights: readonly Night[];
  readonly left: readonly { readonly id: string; readonly at: string; readonly reason: string }[];
  readonly strips: readonly Strip[];
  readonly newlyBroken: readonly string[];
  readonly changes: Changes;
  readonly latencies: readonly LatencyStrip[];
  readonly changePoints: readonly ChangePoint[];
}

/** Fewer answers give no p95. */
const fewestAnswers = 5;

function latenciesOf(nights: readonly Night[]): readonly LatencyStrip[] {
  const served = nights.map(
    ({ latencies }) =>
      new Map(latencies.filter(({ outcome }) => outcome === "served").map((one) => [one.operation, one])),
  );
  const operations = [...new Set(served.flatMap((one) => [...one.keys()]))].sort();
  return operations.map((operation) => {
    const figures = served.map((one) => one.get(operation));
    const of = (percentile: "p50_ms" | "p95_ms" | "p99_ms"): readonly (number | null)[] =>
      figures.map((one) => (one && one.count >= fewestAnswers ? one[percentile] : null));
    return { operation, p50: of("p50_ms"), p95: of("p95_ms"), p99: of("p99_ms") };
  });
}

/** What nights have in common that can be compared. */
const groupOf = ({ target, vantage, kind }: Night): string => JSON.stringify([target, vantage, kind]);

export const isOfKind = (one: Night, other: Night): boolean => groupOf(one) === groupOf(other);

/** Histories of what can be compared, by target. @param all nights of one interface, in any order */
export function historiesOf(all: readonly Night[], described: Pick<Described, "tables">): readonly History[] {
  const once = [...new Map(all.map((night) => [`${night.id} ${night.at} ${night.vantage}`, night])).values()];
  return [...groupedBy(once, groupOf).values()].map((nights) => historyOf(nights, described));
}

/**
 * @param nights at least one, of one target, vantage and kind
 * @param head a night that is kept even where trends leave it out
 */
export function historyOf(
  nights: readonly [Night, ...Night[]],
  { tables }: Pick<Described, "tables">,
  head?: Night,
): History {
  const inOrder = [...nights].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  const kept = inOrder.filter((night) => night.left === null || night === head);
  const strips = stripsOf(kept);
  const latencies = latenciesOf(kept);
  const [{ target, vantage, kind }] = nights;
  return {
    target,
    vantage,
    kind,
    nights: kept,
    left: inOrder.flatMap(({ id, at, left }) => (left === null ? [] : [{ id, at, reason: left }])),
    strips,
    newlyBroken: strips.filter(isNewlyBroken).map(({ id }) => id),
    changes: changesIn(kept, tables),
    latencies,
    changePoints: changePointsIn(
      latencies.flatMap(({ operation, p50, p95 }) => [
        { operation, percentile: "p50" as const, figures: p50 },
        { operation, percentile: "p95" as const, figures: p95 },
      ]),
    ),
  };
}
