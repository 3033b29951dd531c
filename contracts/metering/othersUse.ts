// Use of projects by others: figures that moved long after the last call of this run (§2.1).
import type { CheckContext } from "../../harness/model/check.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { documentedPlaces, figure } from "../usage/usageReader.ts";
import { paceOf, patience_ms } from "./usageMeasurement.ts";

/** Reading usage may move other figures, but is no call of these products. */
const unreadPlaces = documentedPlaces.filter((at) => /walletApi|compression/.test(at));

/** Projects whose figures grew from one read to the next, when each charge of this run must have shown already. */
export function usedByOthers(
  context: Pick<CheckContext, "once" | "target">,
  exchanges: readonly Exchange[],
): readonly string[] {
  // Nobody else knows of it.
  if (context.target.isReference) return [];
  const { slowest_ms, readsCount } = paceOf(context);
  const idle_ms = slowest_ms === null ? patience_ms : 1.5 * slowest_ms + 1_000;
  // Without a measurement it isn't known whether reads count.
  const places = readsCount || slowest_ms === null ? unreadPlaces : documentedPlaces;
  /** By the role that reads. */
  const reads = new Map<string, Exchange>();
  let lastCall_ms = Number.NEGATIVE_INFINITY;
  const found = new Set<string>();
  for (const exchange of [...exchanges].sort((a, b) => a.sentAt_ms - b.sentAt_ms)) {
    const { asker, isOwn, sentAt_ms, latency_ms } = exchange;
    if (!asker || !isOwn || !figure(exchange, "/creditsUsed")) lastCall_ms = sentAt_ms + latency_ms;
    else {
      const earlier = reads.get(asker.role);
      reads.set(asker.role, exchange);
      if (!earlier || earlier.sentAt_ms - lastCall_ms <= idle_ms) continue;
      const grown = places.some((at) => figure(earlier, at)?.lt(figure(exchange, at) ?? 0));
      if (grown) found.add(asker.projectName);
    }
  }
  return [...found];
}
