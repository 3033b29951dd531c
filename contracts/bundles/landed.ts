// Bundles of ours that have landed, found for other checks too; statuses until they show something (§2.5, §3)
import { isObject, type Json } from "../../harness/core/json.ts";
import { notSeen } from "../../harness/core/outcomes.ts";
import type { CheckContext } from "../../harness/model/check.ts";
import type { SampleFinder } from "../../harness/model/sampleFinder.ts";
import { isServed } from "../../harness/transport/answers.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { resultOf } from "../shared/jsonRpcOracles.ts";
import { onlyServed } from "../shared/masked.ts";
import {
  accepted,
  bundle,
  feature,
  plainBundle,
  plainly,
  type Shared,
  sending,
  sendPlain,
  statuses,
  transactions,
  unknownBundleIds,
} from "./requests.ts";
import type { Signed } from "./transactions.ts";

/** A bundle that hasn't landed so long after it was sent isn't waited for (amendment 13). */
const longest_ms = 90_000;
/** Between reads: each pause is twice the one before, up to a bound, as statuses may be forgotten soon. */
const firstPause_ms = 500;
const longestPause_ms = 5_000;

/** Numbers the reads of a run: each is a question of its own, as answers that change by design aren't repetitions. */
function nextRead({ once }: CheckContext): number {
  const reads = once("reads of statuses", () => ({ last: 9_000 }));
  reads.last += 1;
  return reads.last;
}

export const statusEntryOf = (exchange: Exchange): Json | undefined => resultOf(exchange, "/value/0");

interface Following {
  /** Left out: since the first read. */
  readonly since_ms?: number | undefined;
  readonly within_ms?: number;
  /** Whether it is enough that one of them is as it should be. */
  readonly isOneEnough?: true;
}

/**
 * The status of each bundle, read again and again, until it is as it should be or 90 s have passed. Each is asked for
 * alone: calls with several ids are judged elsewhere.
 */
export async function followBundle(
  context: CheckContext,
  ids: readonly string[],
  isReached: (entry: Json | undefined) => boolean,
  { since_ms: from_ms, within_ms = longest_ms, isOneEnough }: Following = {},
): Promise<readonly Exchange[]> {
  const last = new Map<string, Exchange>();
  let since_ms = from_ms;
  const isEnough = (): boolean =>
    isOneEnough === true && [...last.values()].some((exchange) => isReached(statusEntryOf(exchange)));
  for (let pause_ms = firstPause_ms; ; pause_ms = Math.min(2 * pause_ms, longestPause_ms)) {
    let left_ms = 0;
    for (const id of ids) {
      const before = last.get(id);
      if (before && isReached(statusEntryOf(before))) continue;
      const exchange = await context.ask(statuses([[id]], { id: nextRead(context) }));
      last.set(id, onlyServed(exchange, "the status of a bundle"));
      since_ms ??= exchange.sentAt_ms;
      if (!isReached(statusEntryOf(exchange))) left_ms = since_ms + within_ms - exchange.sentAt_ms;
    }
    if (left_ms <= 0 || isEnough()) return [...last.values()];
    await context.wait(Math.min(pause_ms, left_ms));
  }
}

export interface LandedBundle {
  readonly id: string;
  readonly signed: readonly Signed[];
  readonly sent: Exchange;
  /** The first answer with its status. */
  readonly status: Exchange;
}

/** Transactions of the plain bundles that are sent and awaited. */
const sizes = [1, 3];
/** Bundles that are sent for one to land: losing an auction or missing a leader isn't a breach. */
const mostAttempts = 5;
/** After so long without landing another is sent; it differs in its compute limit, and may land beside the first. */
const resentAfter_ms = 12_000;

const resent = (count: number): Shared => ({
  name: `plain again ${count}`,
  calls: mostAttempts - 1,
  payments: (mostAttempts - 1) * count,
  signatures: (mostAttempts - 1) * count,
});
export const plainSends: readonly Shared[] = sizes.flatMap((count) => [plainly(count), resent(count)]);
/** How often statuses are read for them, at most. */
const readsOfLanded = sizes.length * Math.ceil((2 * longest_ms) / longestPause_ms + 4);

/** Whether bundles of ours landed, of all that were sent to land. */
export interface LandedTally {
  sent: number;
  landed: number;
}
export const tallyOf = ({ once }: Pick<CheckContext, "once">): LandedTally =>
  once("bundles sent to land", () => ({ sent: 0, landed: 0 }));

/** The first plain bundle of that size that lands; null where none did. */
async function firstLanded(context: CheckContext, count: number): Promise<LandedBundle | null> {
  const under: Omit<LandedBundle, "status">[] = [];
  const tally = tallyOf(context);
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    const signed = await (attempt === 1 ? plainBundle(context, count) : transactions(context, { count, tip: "all" }));
    const sent = await context.ask(bundle(signed));
    if (!isServed(sent) && under.length > 0) break;
    under.push({ id: accepted(sent), signed, sent });
    const statuses = await followBundle(
      context,
      under.map(({ id }) => id),
      isObject,
      {
        since_ms: sent.sentAt_ms,
        within_ms: attempt === mostAttempts ? longest_ms : resentAfter_ms,
        isOneEnough: true,
      },
    );
    tally.sent += 1;
    const at = statuses.findIndex((status) => isObject(statusEntryOf(status)));
    const own = under[at];
    const status = statuses[at];
    if (!own || !status) continue;
    tally.landed += 1;
    return { ...own, status };
  }
  return null;
}

/**
 * Plain bundles that have landed, at most two, one after the other, so that their slots differ.
 * @throws Withheld where the first isn't accepted
 */
export const landedBundles = (context: CheckContext): Promise<readonly LandedBundle[]> =>
  context.once("bundles of ours that landed", async () => {
    const landed: LandedBundle[] = [];
    for (const count of sizes) {
      if (landed.length > 0 && !isServed(await sendPlain(context, count))) break;
      const own = await firstLanded(context, count);
      if (own === null) break;
      landed.push(own);
    }
    return landed;
  });

const tallyText = ({ landed, sent }: LandedTally): string => `${landed} of our ${sent} bundles landed within 90 s`;

/** At least one of them. @throws Withheld where none has landed */
export async function someLanded(context: CheckContext): Promise<readonly LandedBundle[]> {
  const own = await landedBundles(context);
  if (own.length === 0) throw notSeen(tallyText(tallyOf(context)));
  return own;
}

/** For the plan, until there are some. */
const [anyId = ""] = unknownBundleIds;

/** Finds them as sample data: a run sends them anyway. */
export const ownBundles: SampleFinder = {
  feature,
  needs: sending([], plainSends, {
    requests: Array.from({ length: readsOfLanded }, (_, again) => statuses([[anyId]], { again })),
  }),
  discoverable: () => Object.fromEntries(sizes.map((_, nth) => [`/samples/landedBundles/${nth}`, anyId])),
  find: async (context, wanted) => {
    const own = await someLanded(context);
    return wanted.map((at, nth) => {
      const value = own[nth]?.id;
      return value === undefined
        ? { at, by: "missing", value: null, how: tallyText(tallyOf(context)) }
        : { at, by: "found", value, how: "sent in this run" };
    });
  },
};
