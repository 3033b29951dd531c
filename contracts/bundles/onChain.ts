// Execution where the chain's own RPC tells balances: in order, and all or nothing (§3, §4.3)

import { randomBytes } from "node:crypto";
import { must } from "../../harness/core/finding.ts";
import { notSeen } from "../../harness/core/outcomes.ts";
import { otherNeed } from "../../harness/core/reason.ts";
import type { Check, CheckContext, Sends, Shown } from "../../harness/model/check.ts";
import { isServed } from "../../harness/transport/answers.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { inTurn } from "../shared/inTurn.ts";
import { reasonOf } from "../shared/reasonOf.ts";
import { balanceOf, balanceRequest, needsChain } from "./chainRpc.ts";
import { fundsFor } from "./funds.ts";
import { payerFor } from "./payer.ts";
import { accepted, bundle, mayNotSend, scenario, transactions } from "./requests.ts";
import { payerOf, type TransactionPayer } from "./transactions.ts";

/** Lamports that a new account gets: it must hold 890,880, or nothing. */
const kept = 1_000_000;
/** Amounts that differ, so that what an account holds tells which transactions have run. */
const spentBeyond = 50_000;
const spentInFirst = 30_000;
const leftOver = 100_000;
/** How often a bundle is sent for one to land, and how often what accounts keep is sent back. */
const mostAttempts = 3;
const resentAfter_ms = 20_000;
const shownAfter_ms = 2_000;
/** As long as a chain takes a blockhash, of slots that may take longer than usual. */
const mayLandFor_ms = 75_000;

/** Moves between the payer (`null`) and a new account, one for each transaction. */
type Move = readonly [from: TransactionPayer | null, to: TransactionPayer | null, lamports: number];

/** The last one tips. */
async function sentMoves(context: CheckContext, moves: readonly Move[]): Promise<Exchange> {
  const payer = payerFor(context.target);
  const transfers = moves.map(([from, to, lamports]) => [
    { from: from ?? payer, to: (to ?? payer).publicKey, lamports: BigInt(lamports) },
  ]);
  return context.ask(bundle(await transactions(context, { count: moves.length, transfers })));
}

const held = async (context: CheckContext, { address }: TransactionPayer): Promise<number> =>
  (await balanceOf(context, address)) ?? 0;

/** What an account holds once that is as it should be, else at the end of that time. */
async function heldWhen(
  context: CheckContext,
  account: TransactionPayer,
  isReached: (lamports: number) => boolean,
  within_ms: number,
): Promise<number> {
  const until_ms = context.now_ms() + within_ms;
  for (let pause_ms = shownAfter_ms; ; pause_ms *= 2) {
    const lamports = await held(context, account);
    const left_ms = until_ms - context.now_ms();
    if (isReached(lamports) || left_ms <= 0) return lamports;
    await context.wait(Math.min(pause_ms, left_ms));
  }
}

/** The first that an account shows to have landed, of several sent one after the other; null where none did. */
async function landedOf(
  send: () => Promise<Exchange>,
  hasLanded: (within_ms: number) => Promise<boolean>,
): Promise<Exchange | null> {
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    const exchange = await send();
    accepted(exchange);
    if (await hasLanded(resentAfter_ms)) return exchange;
  }
  return null;
}

/** Two accounts that a landed bundle has given 1,000,000 lamports each. @param made gets all that may hold something */
async function funded(
  context: CheckContext,
  made: TransactionPayer[],
): Promise<readonly [one: TransactionPayer, other: TransactionPayer]> {
  const pair = (): [TransactionPayer, TransactionPayer] => [payerOf(randomBytes(32)), payerOf(randomBytes(32))];
  let [one, other] = pair();
  const send = (): Promise<Exchange> => {
    [one, other] = pair();
    made.push(one, other);
    return sentMoves(context, [
      [null, one, kept],
      [null, other, kept],
    ]);
  };
  const isThere = (lamports: number): boolean => lamports === kept;
  const both = async (within_ms: number): Promise<boolean> =>
    isThere(await heldWhen(context, one, isThere, within_ms)) && isThere(await held(context, other));
  if (!(await landedOf(send, both)))
    throw notSeen(`the chain shows no effect of ${mostAttempts} bundles that move lamports`);
  return [one, other];
}

/** The second transaction spends what the first brings: only in that order it can run. Several of them may land. */
async function dependent(context: CheckContext, account: TransactionPayer): Promise<Shown | string> {
  const send = (): Promise<Exchange> =>
    sentMoves(context, [
      [null, account, kept],
      [account, null, kept + spentBeyond],
    ]);
  const isMoved = (lamports: number): boolean => lamports !== kept;
  const hasMoved = async (within_ms: number): Promise<boolean> =>
    isMoved(await heldWhen(context, account, isMoved, within_ms));
  const exchange = await landedOf(send, hasMoved);
  if (!exchange) return `no effect of ${mostAttempts} bundles whose second transaction spends what the first brings`;
  const left = await held(context, account);
  const expected = `less than ${kept} lamports: the second transaction has taken effect, too`;
  return { exchange, finding: must(left < kept, "the balance", expected, left) };
}

/** Two bundles that must take no effect: the first could run in another order only, the second fails at its end. */
async function failing(
  context: CheckContext,
  account: TransactionPayer,
): Promise<Shown & { readonly isOfOrder: boolean }> {
  const reordered = await sentMoves(context, [
    [account, null, kept + spentInFirst],
    [null, account, kept],
  ]);
  const overdrawn = await sentMoves(context, [
    [null, account, leftOver],
    [account, null, 100 * kept],
  ]);
  const isChanged = (lamports: number): boolean => lamports !== kept;
  const areTaken = isServed(reordered) || isServed(overdrawn);
  const left = await heldWhen(context, account, isChanged, areTaken ? mayLandFor_ms : shownAfter_ms);
  const inOtherOrder = kept - spentInFirst;
  const isOfOrder = [inOtherOrder, inOtherOrder + leftOver].includes(left);
  const expected = `${kept} lamports: one transaction of each bundle fails, so that none takes effect`;
  const finding = must(left === kept, "the balance", expected, left);
  return { exchange: isOfOrder ? reordered : overdrawn, finding, isOfOrder };
}

/** Sends back what the accounts still hold. */
async function returned(context: CheckContext, made: readonly TransactionPayer[]): Promise<void> {
  const payer = payerFor(context.target);
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    const all = await inTurn(made, async (from) => ({
      from,
      to: payer.publicKey,
      lamports: BigInt(await held(context, from)),
    }));
    const transfers = all.filter(({ lamports }) => lamports > 0n);
    const [first] = transfers;
    if (!first) return;
    await context.ask(bundle(await transactions(context, { transfers: [transfers] })));
    await heldWhen(context, first.from, (lamports) => lamports === 0, resentAfter_ms);
  }
}

/** What shows each; or why nothing does. */
interface Execution {
  readonly atomic: Shown | string;
  readonly sequential: Shown | string;
}

const execution = (context: CheckContext): Promise<Execution> =>
  context.once("execution on a chain", async () => {
    if ((await fundsFor(context)) === null) throw notSeen("nothing shows balances: the platform serves no getBalance");
    const made: TransactionPayer[] = [];
    try {
      const [one, other] = await funded(context, made);
      const sequential = await dependent(context, one);
      if (typeof sequential !== "string" && sequential.finding.outcome === "broken")
        return { atomic: sequential, sequential: "BND-ATOM-01 is broken" };
      const { isOfOrder, ...atomic } = await failing(context, other);
      return isOfOrder ? { atomic: "BND-SEQ-01 is broken", sequential: atomic } : { atomic, sequential };
    } finally {
      await returned(context, made).catch(reasonOf);
    }
  });

/** About as many as it takes where nothing is lost. */
const reads = Array.from({ length: 30 }, (_, again) => ({ ...balanceRequest(""), again }));

const sends: Sends = {
  calls: 0,
  payments: 0,
  shared: [{ name: "moves", calls: 11, payments: 19, signatures: 42, deposits: 7 * kept }],
};

/** Elsewhere control shows it. */
const shownByBalances = (id: RequirementId, see: (execution: Execution) => Shown | string): Check => ({
  ...scenario(
    id,
    {
      requests: reads,
      unless: (target) => mayNotSend(target) ?? (needsChain(target) ? null : otherNeed("control shows it there")),
      sends,
    },
    async (context) => {
      const shown = see(await execution(context));
      if (typeof shown === "string") throw notSeen(shown);
      return [shown];
    },
  ),
  optional: true,
});

export const checks: readonly Check[] = [
  shownByBalances("BND-ATOM-01", ({ atomic }) => atomic),
  shownByBalances("BND-SEQ-01", ({ sequential }) => sequential),
];
