// simulateBundle: runs a bundle and lands nothing (§4.3); params and result are this platform's own
import { runsOn } from "../bundles/book.ts";
import { bundleIdOf } from "../bundles/bundleId.ts";
import type { Transaction } from "../bundles/transactions.ts";
import type { BundleRules } from "../platform/bundleRules.ts";
import { slotAt } from "../platform/chain.ts";
import { isDocValue, type Value } from "../platform/wire.ts";
import type { RpcContext, ServedMethod } from "./method.ts";
import { needs } from "./refusals.ts";
import { encodingOf, examine, textsOf, transactionsOf } from "./sendBundle.ts";

/** What Jito's clients send: `[{ encodedTransactions }, { transactionEncoding, skipSigVerify, … }]`. */
interface OfJito {
  /** As params of sendBundle; base64 is the default. */
  readonly params: Value;
  readonly areSignaturesSkipped: boolean;
}

/** Null for params as of sendBundle. @throws Refused */
function ofJito(params: Value | undefined, { choices: { simulation } }: BundleRules): OfJito | null {
  const [bundle, options] = Array.isArray(params) ? params : [];
  needs(isDocValue(bundle) || simulation.params === "as of sendBundle", "params[0] is no object");
  if (!isDocValue(bundle)) return null;
  const { transactionEncoding = "base64", skipSigVerify = false } = isDocValue(options) ? options : {};
  return {
    params: [bundle["encodedTransactions"] ?? null, { encoding: transactionEncoding }],
    areSignaturesSkipped: skipSigVerify === true,
  };
}

/** The outcome, in one of several forms. */
function outcome(
  transactions: readonly Transaction[],
  isGood: boolean,
  now_ms: number,
  result: BundleRules["choices"]["simulation"]["result"],
): Value {
  const summary = isGood ? "succeeded" : "failed";
  const context = { slot: slotAt(now_ms) };
  return {
    "a summary": { context, value: { summary } },
    "transaction by transaction": {
      context,
      value: {
        summary,
        transactionResults: transactions.map(({ signature }) => ({
          signature,
          err: null,
          logs: ["ran"],
          unitsConsumed: 150,
          returnData: null,
          preExecutionAccounts: null,
          postExecutionAccounts: null,
        })),
      },
    },
    "a text": summary,
    null: null,
  }[result];
}

async function handle(rpcContext: RpcContext): Promise<Value> {
  const {
    params,
    book,
    project,
    now_ms,
    rules: { bundles },
  } = rpcContext;
  const { ofNothing, result } = bundles.choices.simulation;
  const jito = ofJito(params, bundles);
  const rules: BundleRules = {
    ...bundles,
    ...(ofNothing === "succeeds" ? { empty: "accepted" } : {}),
    ...(jito?.areSignaturesSkipped ? { signatures: "not looked at" } : {}),
  };
  const given = jito ? jito.params : params;
  const texts = textsOf(given, rules);
  const transactions = await transactionsOf(texts, encodingOf(given, texts, rules), rules);
  examine(transactions, rules);
  book.settle(now_ms, rules);
  const isGood = runsOn(book.bank.copy(), transactions, rules, now_ms);
  if (rules.simulation === "submits") {
    const route = { region: "fra", isPinned: false, avoidsFlagged: false };
    book.send({ id: bundleIdOf(transactions, rules, now_ms), project, transactions, route, sentAt_ms: now_ms });
  }
  return outcome(transactions, isGood, now_ms, jito && result === "a summary" ? "transaction by transaction" : result);
}

export const simulateBundle: ServedMethod = { errorTable: "bundles", handle };
