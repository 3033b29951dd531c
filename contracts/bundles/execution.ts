// Checks of execution, with control of accounts and time: order, all or nothing, true statuses (§2.5, §3, §4.3)
import { must } from "../../harness/core/finding.ts";
import { type Json, valueAt } from "../../harness/core/json.ts";
import { notSeen } from "../../harness/core/outcomes.ts";
import { type Check, type CheckContext, type Shown } from "../../harness/model/check.ts";
import type { MadeProject } from "../../harness/transport/control.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { inTurn } from "../shared/inTurn.ts";
import { resultOf } from "../shared/jsonRpcOracles.ts";
import { notTested, onlyServed } from "../shared/masked.ts";
import { statusEntryOf } from "./landed.ts";
import {
  accepted,
  bundle,
  encodedTransaction,
  inProject,
  simulate,
  slots_ms,
  statuses,
  transactions,
  type WantedBundle,
} from "./requests.ts";
import { payerNamed, type TransactionPayer, type Transfer } from "./transactions.ts";

/** Long enough for any bundle to be final. */
const finality_ms = 60_000;

/** Amounts of a scene are in thousandths of SOL: a chain leaves no account less than 0.00089 SOL. */
const milliSol = 1_000_000;

/** A transaction that moves thousandths of SOL between numbered accounts of a scene. */
const moving = (from: number, to: number, amount: number) => ({ from, to, amount });

let scenes = 0;

/**
 * Whether moves between new accounts leave them so much, once `run` has sent them and time has passed; at the start the
 * first has 1,000, the others nothing.
 */
const playing =
  (project: MadeProject, run: (transfers: readonly Transfer[]) => Promise<Exchange>) =>
  async (moves: readonly ReturnType<typeof moving>[], leaves: readonly number[], why: string): Promise<Shown> => {
    scenes += 1;
    const scene = scenes;
    const account = (nth: number): TransactionPayer => payerNamed(`scene ${scene} account ${nth}`);
    const addresses = leaves.map((_, nth) => account(nth).address);
    await project.seedAccounts(
      addresses.map((address, nth) => ({ address, lamports: String(nth === 0 ? 1_000 * milliSol : 0) })),
    );
    const exchange = await run(
      moves.map(({ from, to, amount }) => ({
        from: account(from),
        to: account(to).publicKey,
        lamports: BigInt(amount * milliSol),
      })),
    );
    const got = (await project.balances(addresses)).map((lamports) => Number(lamports) / milliSol);
    const isSame = got.length === leaves.length && got.every((amount, nth) => amount === leaves[nth]);
    return { exchange, finding: must(isSame, "the balances", `${leaves.join(", ")}: ${why}`, got.join(", ")) };
  };

/** As a bundle, whose last transaction tips; its status is read once it must have landed. */
const inBundles = (project: MadeProject, context: CheckContext) =>
  playing(project, async (transfers) => {
    const wanted: WantedBundle = { count: transfers.length, transfers: transfers.map((one) => [one]) };
    const exchange = await context.ask(bundle(await transactions(context, wanted), { as: project.asker, id: 60 }));
    await project.moveBundles(finality_ms);
    const sentId = resultOf(exchange);
    if (typeof sentId === "string") await context.ask(statuses([[sentId]], { as: project.asker, id: 61 }));
    return exchange;
  });

/** The second, the third or the first fails; whether such a bundle is refused at once or later is open. */
const failing = [
  [100, 5_000, 100],
  [100, 100, 5_000],
  [5_000, 100, 100],
];

const atomic = inProject("BND-ATOM-01", [3, 3, 3, 2], 4, async (project, context) => {
  const play = inBundles(project, context);
  const shown = await inTurn(failing, (amounts) => {
    const moves = amounts.map((amount) => moving(0, 1, amount));
    return play(moves, [1_000, 0], "one transaction failed, so none took effect");
  });
  const whole = await play([moving(0, 1, 100), moving(0, 1, 200)], [700, 300], "no transaction failed");
  accepted(whole.exchange);
  if (whole.finding.outcome === "broken")
    throw notSeen("a bundle without a failing transaction takes no effect either");
  return shown;
});

const sequential = inProject("BND-SEQ-01", [2, 2], 2, async (project, context) => {
  const play = inBundles(project, context);
  const earn = moving(0, 1, 500);
  const spend = moving(1, 2, 400);
  const forward = await play([earn, spend], [500, 100, 400], "the second spends what the first brings");
  accepted(forward.exchange);
  return [forward, await play([spend, earn], [1_000, 0, 0], "the first has nothing to spend yet")];
});

const harmless = inProject("SIM-SAFE-01", [], 2, async (project, context) => {
  const play = playing(project, async (transfers) => {
    const signed = await transactions(context, { transfers: [transfers] });
    const texts = signed.map((one) => encodedTransaction(one, "base64"));
    const exchange = await context.ask(simulate([texts, { encoding: "base64" }], { as: project.asker, id: 68 }));
    onlyServed(exchange, "the simulation");
    await project.moveBundles(finality_ms);
    // The reference advances its bundles when it is called.
    await context.ask(statuses([["0".repeat(64)]], { as: project.asker, id: 69 }));
    return exchange;
  });
  return [await play([moving(0, 1, 100)], [1_000, 0], "simulating submits nothing")];
});

interface Life {
  readonly id: string;
  readonly sentAt_ms: number;
  readonly project: MadeProject;
  status(): Promise<Exchange>;
  /** Its status once it must have landed. */
  lastStatus(): Promise<Exchange>;
}

/** One bundle at several moments of its life. */
const watched = (id: RequirementId, reads: number, see: (life: Life, context: CheckContext) => Promise<Shown>): Check =>
  inProject(id, [3], reads, async (project, context) => {
    const signed = await transactions(context, { count: 3 });
    const sent = await context.ask(bundle(signed, { as: project.asker, id: 70 }));
    const id = accepted(sent);
    let callId = 70;
    const status = async (): Promise<Exchange> => {
      callId += 1;
      return onlyServed(await context.ask(statuses([[id]], { as: project.asker, id: callId })), "the bundle's status");
    };
    const lastStatus = async (): Promise<Exchange> => {
      await project.moveBundles(finality_ms);
      return status();
    };
    return [await see({ id, sentAt_ms: sent.sentAt_ms, project, status, lastStatus }, context)];
  });

/** @throws Withheld where it hasn't landed */
function landed(exchange: Exchange): Json {
  const entry = statusEntryOf(exchange);
  if (typeof entry !== "object" || entry === null) throw notTested("the bundle that was sent has no status");
  return entry;
}

/** A bundle may land in the slot after the one in which it was sent. */
const slot_ms = 400;

const notYet = watched("BST-NULL-02", 2, async ({ sentAt_ms, status, lastStatus }) => {
  const exchange = await status();
  const last = await lastStatus();
  landed(last);
  const entry = statusEntryOf(exchange);
  if (entry === undefined) throw notTested("there is no entry");
  const age_ms = last.sentAt_ms - sentAt_ms;
  if (entry !== null && age_ms > slot_ms)
    throw notTested(`it may have landed in the ${age_ms} ms until its status came`);
  return { exchange, finding: must(entry === null, "/result/value/0", "null: it hasn't landed", entry) };
});

const tracked = watched("BND-USE-01", 1, async ({ id, lastStatus }) => {
  const exchange = await lastStatus();
  const isKnown = statusEntryOf(exchange) !== null;
  return { exchange, finding: must(isKnown, "/result/value/0", `the status of ${id}, which has landed`, null) };
});

const failed = watched("BST-ELT-07", 2, async ({ id, project, status, lastStatus }) => {
  landed(await lastStatus());
  await project.spoilBundle(id);
  const exchange = await status();
  const err = valueAt(landed(exchange), "/err");
  const claimsOk = valueAt(err, "/Ok") === null;
  return { exchange, finding: must(!claimsOk, "/result/value/0/err", "an error that doesn't claim Ok", err) };
});

/** The slot of a request, read twice, with more than a slot between. */
const ofRequest = watched("BST-CTX-01", 2, async ({ status, lastStatus }, context) => {
  const first = await lastStatus();
  landed(first);
  await context.wait(slots_ms);
  const exchange = await status();
  const before = resultOf(first, "/context/slot");
  const after = resultOf(exchange, "/context/slot");
  if (typeof before !== "number" || typeof after !== "number") throw notTested("a slot is not a number");
  const expected = `beyond ${before}: time has passed`;
  return { exchange, finding: must(after > before, "/result/context/slot", expected, after) };
});

export const checks: readonly Check[] = [
  harmless,
  notYet,
  failed,
  ofRequest,
  // On vendors other checks show it.
  ...[atomic, sequential, tracked].map((one) => ({ ...one, optional: true })),
];
