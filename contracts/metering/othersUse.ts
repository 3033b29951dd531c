// Use of projects by others: figures that move long after the run's last call, or by more than its calls cost (§8).
import type Big from "big.js";
import { requestKey } from "../../harness/core/requestSpec.ts";
import type { CheckContext } from "../../harness/model/check.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { documentedPlaces } from "../shared/figures.ts";
import { inTurn } from "../shared/inTurn.ts";
import { figureAt } from "../usage/usageReader.ts";
import { type AccountRead, mostOf, sentFor } from "./accounts.ts";
import { chargePaceOf, patience_ms, slowest_ms } from "./chargePace.ts";
import { growthBy } from "./growth.ts";
import { projectOf } from "./meterRounds.ts";

/** So many calls are sent again at most. */
const mostCalls = 20;

/** Calls between two reads in which the account grew by more than they can have cost; those of the fewest first. */
function suspects({ project, account }: AccountRead): readonly Exchange[] {
  const { context, as } = project;
  const name = projectOf(context.target, as);
  const exchanges = [...context.exchanges()].sort((a, b) => a.sentAt_ms - b.sentAt_ms);
  const reads = exchanges.filter((one) => one.asker?.projectName === name && one.isOwn && figureAt(one, account.at));
  const own = sentFor(project, exchanges).filter((one) => account.calls(one) > 0);
  const groups = reads.slice(1).flatMap((after, nth) => {
    const before = reads[nth] ?? after;
    const growth = figureAt(after, account.at)?.minus(figureAt(before, account.at) ?? 0);
    const calls = own.filter(
      ({ sentAt_ms, latency_ms }) =>
        sentAt_ms + latency_ms >= before.sentAt_ms && sentAt_ms <= after.sentAt_ms + after.latency_ms,
    );
    return growth?.gt(mostOf(account, calls)) ? [calls] : [];
  });
  return groups.sort((a, b) => a.length - b.length).flat();
}

/** Where it doesn't, others may have used the project meanwhile. */
export async function isChargedAgain(read: AccountRead): Promise<boolean> {
  const { project, account } = read;
  const { context, as } = project;
  const requestSpecs = [
    ...new Map(suspects(read).map(({ requestSpec }) => [requestKey(requestSpec), requestSpec])).values(),
  ];
  const { of, before, exchange } = await growthBy(context, as, () =>
    inTurn(requestSpecs.slice(0, mostCalls), (requestSpec) => context.ask(context.fresh(requestSpec))),
  );
  const sent = sentFor(project, context.exchanges());
  const between = sent.filter(({ number }) => number > before.number && number < exchange.number);
  return of(account.at).gt(mostOf(account, between));
}

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
  const shown_ms = slowest_ms(chargePaceOf(context));
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
