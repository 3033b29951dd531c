// The history of one target: the value from which every view of its nights is made

import { withOwnRequirements } from "../../harness/record/ownRequirements.ts";
import type { Described } from "../described.ts";
import { groupedBy } from "../lists.ts";
import { type ChangePoint, changePointsIn } from "./changePoints.ts";
import { changesIn, type HistoryChanges } from "./changes.ts";
import type { Night } from "./night.ts";
import { isNewlyBroken, type Strip, stripsOf } from "./strips.ts";

/** Latencies of one operation's served answers, night by night, in ms; null where there are too few. */
export interface LatencyStrip extends Record<"p50" | "p95" | "p99", readonly (number | null)[]> {
  readonly operation: string;
  /** From how many answers. */
  readonly counts: readonly number[];
}

/** Nights of one target, vantage and kind, which can be compared. */
export interface History extends Pick<Night, "target" | "vantage" | "kind"> {
  /** In their order, without those that trends leave out. */
  readonly nights: readonly Night[];
  readonly left: readonly Night[];
  /** Of both. */
  readonly last: Night;
  readonly strips: readonly Strip[];
  readonly newlyBroken: readonly string[];
  readonly changes: HistoryChanges;
  readonly latencies: readonly LatencyStrip[];
  readonly changePoints: readonly ChangePoint[];
}

/** Fewer answers give no p95. */
const fewestAnswers = 5;

function latenciesOf(nights: readonly Night[]): readonly LatencyStrip[] {
  const served = nights.map(({ latencies }) => latencies.filter(({ outcome }) => outcome === "served"));
  const operations = [...new Set(served.flatMap((some) => some.map(({ operation }) => operation)))].sort();
  return operations.map((name) => {
    const figures = served.map((some) =>
      some.find(({ operation, count }) => operation === name && count >= fewestAnswers),
    );
    const of = (percentile: "p50_ms" | "p95_ms" | "p99_ms") => figures.map((one) => one?.[percentile] ?? null);
    const counts = figures.map((one) => one?.count ?? 0);
    return { operation: name, counts, p50: of("p50_ms"), p95: of("p95_ms"), p99: of("p99_ms") };
  });
}

/** What nights have in common that can be compared. */
const groupOf = ({ target, vantage, kind }: Night): string => JSON.stringify([target, vantage, kind]);

export const isOfKind = (one: Night, other: Night): boolean => groupOf(one) === groupOf(other);

/** With requirements of configs that judged them, in the words of the last one. */
export const withNights = (tables: Described["tables"], nights: readonly Night[]): Described["tables"] =>
  nights.reduceRight((all, { ownRequirements = [] }) => withOwnRequirements(all, ownRequirements), tables);

/** Histories of what can be compared, by target. @param all nights of one interface, in any order */
export function historiesOf(all: readonly Night[], described: Pick<Described, "tables">): readonly History[] {
  const once = [...new Map(all.map((night) => [`${groupOf(night)} ${night.id} ${night.at}`, night])).values()];
  const groups = [...groupedBy(once, groupOf)].sort(([a], [b]) => (a < b ? -1 : 1));
  return groups.map(([, nights]) => historyOf(nights, described));
}

/**
 * @param all at least one night, of one target, vantage and kind
 * @param head a night that is kept even where trends leave it out
 */
export function historyOf(
  all: readonly [Night, ...Night[]],
  { tables: ownTables }: Pick<Described, "tables">,
  head?: Night,
): History {
  const inOrder = [...all].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  const nights = inOrder.filter((night) => night.left === null || night === head);
  const tables = withNights(ownTables, nights);
  const strips = stripsOf(nights, tables);
  const latencies = latenciesOf(nights);
  const last = inOrder.at(-1) ?? all[0];
  const { target, vantage, kind } = last;
  return {
    target,
    vantage,
    kind,
    nights,
    left: inOrder.filter(({ left }) => left !== null),
    last,
    strips,
    newlyBroken: strips.filter(isNewlyBroken).map(({ id }) => id),
    changes: changesIn(nights, tables),
    latencies,
    changePoints: changePointsIn(
      latencies.flatMap(({ operation, ...of }) =>
        (["p50", "p95"] as const).map((percentile) => ({
          operation,
          percentile,
          figures: of[percentile],
          counts: of.counts,
        })),
      ),
    ),
  };
}
