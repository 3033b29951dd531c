// Use of projects by others: figures that moved long after the last call of this run (§2.1).
import type Big from "big.js";
import type { CheckContext } from "../../harness/model/check.ts";
import { documentedPlaces } from "../shared/figures.ts";
import { figureAt } from "../usage/usageReader.ts";
import { chargePaceOf, patience_ms } from "./chargePace.ts";

/** Reading usage may move other figures, but is no call of these products. */
const unreadPlaces = documentedPlaces.filter((at) => /walletApi|compression/.test(at));

/** A replica that is behind catches up once; others go on. */
const leastGrowths = 2;

/**
 * Projects whose figures grew beyond all earlier reads, again and again, when each charge of this run must have shown
 * already.
 */
export function usedByOthers(context: Pick<CheckContext, "once" | "target" | "exchanges">): readonly string[] {
  // Nobody else knows of it.
  if (context.target.isReference) return [];
  const shown_ms = chargePaceOf(context).slowest_ms;
  const idle_ms = shown_ms === null ? patience_ms : 1.5 * shown_ms + 1_000;
  /** By project: the highest figures so far, and how often they grew since the last call. */
  const seen = new Map<string, { readonly highest: Map<string, Big>; growths: number; lastRead_ms: number }>();
  let lastCall_ms = Number.NEGATIVE_INFINITY;
  const found = new Set<string>();
  for (const exchange of [...context.exchanges()].sort((a, b) => a.sentAt_ms - b.sentAt_ms)) {
    const { asker, isOwn, sentAt_ms, latency_ms } = exchange;
    if (!asker || !isOwn || !figureAt(exchange, "/creditsUsed")) {
      lastCall_ms = sentAt_ms + latency_ms;
      for (const project of seen.values()) project.growths = 0;
      continue;
    }
    const project = seen.get(asker.projectName) ?? { highest: new Map<string, Big>(), growths: 0, lastRead_ms: 0 };
    seen.set(asker.projectName, project);
    const isIdle = project.lastRead_ms - lastCall_ms > idle_ms;
    const grown = unreadPlaces.filter((at) => raised(project.highest, at, figureAt(exchange, at)));
    project.lastRead_ms = sentAt_ms;
    if (isIdle && grown.length > 0) project.growths += 1;
    if (project.growths >= leastGrowths) found.add(asker.projectName);
  }
  return [...found];
}

/** Keeps the highest figure; whether it was lower before. */
function raised(highest: Map<string, Big>, at: string, value: Big | undefined): boolean {
  const before = highest.get(at);
  if (!value || before?.gte(value)) return false;
  highest.set(at, value);
  return before !== undefined;
}
