// Execution where the chain's own RPC tells balances: in order, and all or nothing (§3, §4.3)
import { randomBytes } from "node:crypto";
import { must } from "../../harness/core/finding.ts";
import { isObject } from "../../harness/core/json.ts";
import { Withheld } from "../../harness/core/outcomes.ts";
import type { Check, CheckContext, Sends, Shown } from "../../harness/model/check.ts";
import { isServed } from "../../harness/transport/answers.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { inTurn } from "../shared/inTurn.ts";
import { resultOf } from "../shared/jsonRpcOracles.ts";
import { reasonOf } from "../shared/reasonOf.ts";
import { balanceOf, needsChain } from "./chainRpc.ts";
import { entryOf, followed } from "./landed.ts";
import { claimsSuccess } from "./outcomes.ts";
import { payerFor } from "./payer.ts";
import { accepted, bundle, mayNotSend, scenario, transactions } from "./requests.ts";
import { type Payer, payerOf } from "./transactions.ts";

/** Lamports that a new account gets: it must hold 890,880, or nothing. */
const kept = 1_000_000;
/** Amounts that differ, so that what an account holds tells which transactions have run. */
const [spentBeyond, spentInFirst, leftOver] = [50_000, 30_000, 100_000];
/** How often a bundle is sent for one to land, and how often what accounts keep is sent back. */
const mostAttempts = 3;
const [resentAfter_ms, shownAfter_ms] = [20_000, 1_000];

/** Moves between the payer (`null`) and a new account, one for each transaction. */
type Move = readonly [from: Payer | null, to: Payer | null, lamports: number];

/** The last one tips. */
async function sentMoves(context: CheckContext, moves: readonly Move[]): Promise<Exchange> {
  const payer = payerFor(context.target);
  const transfers = moves.map(([from, to, lamports]) => [
    { from: from ?? payer, to: (to ?? payer).publicKey, lamports: BigInt(lamports) },
  ]);
  return context.ask(bundle(await transactions(context, { count: moves.length, transfers })));
}

const idsIn = (exchanges: readonly Exchange[]): readonly string[] =>
  exchanges.flatMap((exchange) => {
    const id = resultOf(exchange);
    return isServed(exchange) && typeof id === "string" ? [id] : [];
  });

/** What an account holds, once the chain shows that it holds something; 0 where it never does. */
async function heldBy(context: CheckContext, { address }: Payer): Promise<number> {
  for (let read = 1; ; read += 1) {
    const held = await balanceOf(context, address);
    if (held !== null && held > 0) return held;
    if (held === null || read === 5) return 0;
    await context.wait(shownAfter_ms);
  }
}

/** The status of a bundle that landed, of several sent one after the other; null where none did. */
async function landedOf(context: CheckContext, send: () => Promise<Exchange>): Promise<Exchange | null> {
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    const exchange = await send();
    const waiting = { since_ms: exchange.sentAt_ms, within_ms: resentAfter_ms };
    const [status] = await followed(context, [accepted(exchange)], isObject, waiting);
    if (status && claimsSuccess(entryOf(status))) return exchange;
  }
  return null;
}

/** Two accounts that a landed bundle has given 1,000,000 lamports each. @param made gets all that may hold something */
async function funded(context: CheckContext, made: Payer[]): Promise<readonly [one: Payer, other: Payer]> {
  const exchange = await landedOf(context, () => {
    const [one, other] = [payerOf(randomBytes(32)), payerOf(randomBytes(32))];
    made.push(one, other);
    return sentMoves(context, [
      [null, one, kept],
      [null, other, kept],
    ]);
  });
  const [one, other] = made.slice(-2);
  if (!exchange || !one || !other) throw new Withheld(`none of ${mostAttempts} bundles that move lamports landed`);
  const held = [await heldBy(context, one), await heldBy(context, other)];
  if (held.some((lamports) => lamports !== kept))
    throw new Withheld("the chain's RPC doesn't show what a bundle has moved");
  return [one, other];
}

/** The second transaction spends what the first brings: only in that order it can run. Several of them may land. */
async function dependent(context: CheckContext, account: Payer): Promise<Shown | string> {
  const exchange = await landedOf(context, () =>
    sentMoves(context, [
      [null, account, kept],
      [account, null, kept + spentBeyond],
    ]),
  );
  if (!exchange) return `none of ${mostAttempts} bundles landed whose second transaction spends what the first brings`;
  const held = await heldBy(context, account);
  const expected = `less than ${kept} lamports: the second transaction has taken effect, too`;
  return { exchange, finding: must(held < kept, "the balance", expected, held) };
}

/** Two bundles that must take no effect: the first could run in another order only, the second fails at its end. */
async function failing(context: CheckContext, account: Payer): Promise<Shown & { readonly isOfOrder: boolean }> {
  const reordered = await sentMoves(context, [
    [account, null, kept + spentInFirst],
    [null, account, kept],
  ]);
  const overdrawn = await sentMoves(context, [
    [null, account, leftOver],
    [account, null, 100 * kept],
  ]);
  const ids = idsIn([reordered, overdrawn]);
  if (ids.length > 0) await followed(context, ids, claimsSuccess);
  const held = await heldBy(context, account);
  const inOtherOrder = kept - spentInFirst;
  const isOfOrder = [inOtherOrder, inOtherOrder + leftOver].includes(held);
  const expected = `${kept} lamports: one transaction of each bundle fails, so that none takes effect`;
  const finding = must(held === kept, "the balance", expected, held);
  return { exchange: isOfOrder ? reordered : overdrawn, finding, isOfOrder };
}

/** Sends back what the accounts still hold. */
async function returned(context: CheckContext, made: readonly Payer[]): Promise<void> {
  const payer = payerFor(context.target);
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    const held = await inTurn(made, async (from) => ({
      from,
      to: payer.publicKey,
      lamports: BigInt((await balanceOf(context, from.address)) ?? 0),
    }));
    const transfers = held.filter(({ lamports }) => lamports > 0n);
    if (transfers.length === 0) return;
    const sent = await context.ask(bundle(await transactions(context, { transfers: [transfers] })));
    await followed(context, idsIn([sent]), isObject, { within_ms: resentAfter_ms });
  }
}

/** What shows each; or why nothing does. */
interface Execution {
  readonly atomic: Shown | string;
  readonly sequential: Shown | string;
}

const execution = (context: CheckContext): Promise<Execution> =>
  context.once("execution on a chain", async () => {
    const made: Payer[] = [];
    try {
      const [one, other] = await funded(context, made);
      const sequential = await dependent(context, one);
      if (typeof sequential !== "string" && sequential.finding.outcome === "broken")
        return { atomic: sequential, sequential: "not tested: BND-ATOM-01 is broken" };
      const { isOfOrder, ...atomic } = await failing(context, other);
      return isOfOrder ? { atomic: "not tested: BND-SEQ-01 is broken", sequential: atomic } : { atomic, sequential };
    } finally {
      await returned(context, made).catch(reasonOf);
    }
  });

const sends: Sends = {
  calls: 0,
  payments: 0,
  shared: [{ name: "moves", calls: 11, payments: 19, signatures: 42, deposits: 7 * kept }],
};

/** Elsewhere control shows it. */
const shownByBalances = (id: RequirementId, see: (found: Execution) => Shown | string): Check => ({
  ...scenario(
    id,
    {
      requests: [],
      unless: (target) => mayNotSend(target) ?? (needsChain(target) ? null : "control shows it there"),
      sends,
    },
    async (context) => {
      const shown = see(await execution(context));
      if (typeof shown === "string") throw new Withheld(shown);
      return [shown];
    },
  ),
  optional: true,
});

export const checks: readonly Check[] = [
  shownByBalances("BND-ATOM-01", ({ atomic }) => atomic),
  shownByBalances("BND-SEQ-01", ({ sequential }) => sequential),
];
