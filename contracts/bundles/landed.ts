// Bundles of ours that have landed, found for other checks too; statuses until they show something (§2.5, §3)
import { isObject, type Json } from "../../harness/core/json.ts";
import { Withheld } from "../../harness/core/outcomes.ts";
import type { CheckContext } from "../../harness/model/check.ts";
import type { Finder } from "../../harness/model/finder.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { resultOf } from "../shared/jsonRpcOracles.ts";
import { served } from "../shared/masked.ts";
import {
  accepted,
  feature,
  plain,
  plainBundle,
  plainly,
  type Shared,
  sending,
  statuses,
  transactions,
  unknownBundleIds,
} from "./requests.ts";
import type { Signed } from "./transactions.ts";

/** A bundle that hasn't landed so long after it was sent isn't waited for (amendment 13). */
const longest_ms = 90_000;
/** Between reads: each pause is twice the one before, up to a bound, as statuses may be forgotten soon. */
const [firstPause_ms, longestPause_ms] = [500, 5_000];

/** Numbers the reads of a run: each is a question of its own, as answers that change by design aren't repetitions. */
function nextRead({ once }: CheckContext): number {
  const reads = once("reads of statuses", () => ({ last: 9_000 }));
  reads.last += 1;
  return reads.last;
}

export const entryOf = (exchange: Exchange): Json | undefined => resultOf(exchange, "/value/0");

/**
 * The status of each bundle, read again and again, until it is as it should be or 90 s have passed since it was sent,
 * else since the first read. Each is asked for alone: calls with several ids are judged elsewhere.
 */
export async function followed(
  context: CheckContext,
  ids: readonly string[],
  isReached: (entry: Json | undefined) => boolean,
  sentAt_ms?: number,
): Promise<readonly Exchange[]> {
  const last = new Map<string, Exchange>();
  let since_ms = sentAt_ms;
  for (let pause_ms = firstPause_ms; ; pause_ms = Math.min(2 * pause_ms, longestPause_ms)) {
    let left_ms = 0;
    for (const id of ids) {
      const before = last.get(id);
      if (before && isReached(entryOf(before))) continue;
      const exchange = await context.ask(statuses([[id]], { id: nextRead(context) }));
      last.set(id, served(exchange, "the status of a bundle"));
      since_ms ??= exchange.sentAt_ms;
      if (!isReached(entryOf(exchange))) left_ms = since_ms + longest_ms - exchange.sentAt_ms;
    }
    if (left_ms <= 0) return [...last.values()];
    await context.wait(Math.min(pause_ms, left_ms));
  }
}

export interface Landed {
  readonly id: string;
  readonly signed: readonly Signed[];
  readonly sent: Exchange;
  /** The first answer with its status. */
  readonly status: Exchange;
}

/** Transactions of the plain bundles that are sent and awaited. */
const sizes = [1, 3];
export const plainSends: readonly Shared[] = sizes.map((count) => plainly(count));
/** How often statuses are read for them, at most. */
const readsOfLanded = sizes.length * Math.ceil(longest_ms / longestPause_ms + 4);

/**
 * Plain bundles that have landed, at most two, one after the other, so that their slots differ.
 * @throws Withheld where the first isn't accepted
 */
export const landedBundles = (context: CheckContext): Promise<readonly Landed[]> =>
  context.once("bundles of ours that landed", async () => {
    const landed: Landed[] = [];
    for (const count of sizes) {
      const sent = await plain(context, count);
      if (landed.length > 0 && typeof resultOf(sent) !== "string") break;
      const id = accepted(sent);
      const [status] = await followed(context, [id], isObject, sent.sentAt_ms);
      if (!status || !isObject(entryOf(status))) break;
      landed.push({ id, signed: transactions(context.target, plainBundle(count)), sent, status });
    }
    return landed;
  });

/** At least one of them. @throws Withheld where none has landed */
export async function someLanded(context: CheckContext): Promise<readonly Landed[]> {
  const own = await landedBundles(context);
  if (own.length === 0) throw new Withheld("none of our bundles landed within 90 s");
  return own;
}

/** For the plan, until there are some. */
const [anyId = ""] = unknownBundleIds;

/** Finds them as sample data: a run sends them anyway. */
export const ownBundles: Finder = {
  feature,
  needs: sending([], plainSends, {
    requests: Array.from({ length: readsOfLanded }, (_, again) => statuses([[anyId]], { again })),
  }),
  stands: () => Object.fromEntries(sizes.map((_, nth) => [`/samples/landedBundles/${nth}`, anyId])),
  find: async (context, wanted) => {
    const own = await someLanded(context);
    return wanted.map((at, nth) => {
      const value = own[nth]?.id;
      return value === undefined
        ? { at, by: "missing", value: null, how: `${own.length} of our bundles landed within 90 s` }
        : { at, by: "found", value, how: "sent in this run" };
    });
  },
};
