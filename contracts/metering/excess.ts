// Excess: whether an account that grew by more than its calls cost grows so again by the same calls (§8, amendment 5).
import { requestKey } from "../../harness/core/requestSpec.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { inTurn } from "../shared/inTurn.ts";
import { figureAt } from "../usage/usageReader.ts";
import { type AccountRead, mostOf, sentFor } from "./accounts.ts";
import { growthBy } from "./growth.ts";
import { projectOf } from "./reads.ts";

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
