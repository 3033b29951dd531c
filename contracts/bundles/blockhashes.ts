// Recent blockhashes: a chain takes no transaction without one of its last 150 slots
import { randomBytes } from "node:crypto";
import { valueAt } from "../../harness/core/json.ts";
import { notSeen } from "../../harness/core/outcomes.ts";
import { base58Bytes } from "../shared/base58.ts";
import { askedOfChain, type BundleContext, blockhashRequest, needsChain, sourceOf } from "./chainRpc.ts";
import { fundsFor } from "./funds.ts";

/** The slots of a blockhash last a minute; a bundle may wait for a block meanwhile. */
const renewedAfter_ms = 20_000;
/** The same bytes, sent again after so long, may be refused for their blockhash alone. */
const lasting_ms = 35_000;

/** No chain had it; where nothing looks at blockhashes it makes the transactions of this run differ from all others. */
const invented = new Uint8Array(randomBytes(32));

interface Blockhashes {
  current: Promise<Uint8Array> | null;
  askedAt_ms: number;
  isInvented: boolean;
}

const blockhashesOf = ({ once }: Pick<BundleContext, "once">): Blockhashes =>
  once("blockhashes", () => ({ current: null, askedAt_ms: 0, isInvented: false }));

/**
 * The 32 bytes of a blockhash that the chain takes for at least 40 s more, of `bundles.blockhashFrom` or the platform;
 * made up where the platform serves none.
 * @throws Withheld where payer or tip account lack what the plan's bundles need, with what to do
 */
export async function recentBlockhash(context: BundleContext): Promise<Uint8Array> {
  if (!needsChain(context.target)) return invented;
  await fundsFor(context);
  const kept = blockhashesOf(context);
  const isOld = context.now_ms() - kept.askedAt_ms >= renewedAfter_ms;
  if (kept.current === null || (isOld && !kept.isInvented)) {
    kept.askedAt_ms = context.now_ms();
    kept.current = latest(context, kept);
  }
  return kept.current;
}

async function latest(context: BundleContext, kept: Blockhashes): Promise<Uint8Array> {
  const result = await askedOfChain(context, blockhashRequest);
  const text = valueAt(result, "/value/blockhash");
  const bytes = typeof text === "string" ? base58Bytes(text) : null;
  if (bytes?.length === 32) return bytes;
  if (context.target.bundles?.blockhashFrom)
    throw notSeen("bundles.blockhashFrom returned no blockhash: name an RPC address of the bundles' own chain");
  kept.isInvented = true;
  return invented;
}

/** Whether a bundle of that time is still taken, as far as its blockhash counts. */
export function isBlockhashLasting(
  context: Pick<BundleContext, "target" | "once">,
  sentAt_ms: number,
  now_ms: number,
): boolean {
  const isLookedAt = needsChain(context.target) && !blockhashesOf(context).isInvented;
  return !isLookedAt || now_ms - sentAt_ms <= lasting_ms;
}

/** Where the run's blockhashes come from, for people. */
export const blockhashesText = (context: Pick<BundleContext, "target" | "once">): string =>
  blockhashesOf(context).isInvented
    ? "blockhashes made up, as the platform serves no getLatestBlockhash (bundles.blockhashFrom can name who does)"
    : `blockhashes of ${sourceOf(context.target)}`;
