// simulateBundle: runs a bundle and lands nothing (§4.3); params and result are this platform's own
import { runsOn } from "../bundles/book.ts";
import { bundleIdOf } from "../bundles/bundleId.ts";
import type { Transaction } from "../bundles/transactions.ts";
import type { BundleRules } from "../platform/bundleRules.ts";
import { slotAt } from "../platform/chain.ts";
import { isObject, type Value } from "../platform/wire.ts";
import type { Method, RpcContext } from "./method.ts";
import { needs } from "./refusals.ts";
import { encodingOf, examine, textsOf, transactionsOf } from "./sendBundle.ts";

/** An object's transactions as params of sendBundle, in base64. */
function paramsOf(params: Value | undefined, { choices: { simulation } }: BundleRules): Value | undefined {
  if (simulation.params === "as of sendBundle") return params;
  const [one] = Array.isArray(params) ? params : [];
  needs(isObject(one));
  return [one["encodedTransactions"] ?? null, { encoding: "base64" }];
}

/** The outcome, in one of several forms. */
function outcome(
  transactions: readonly Transaction[],
  isGood: boolean,
  now_ms: number,
  { choices: { simulation } }: BundleRules,
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
        })),
      },
    },
    "a text": summary,
    null: null,
  }[simulation.result];
}

async function handle({ params, book, project, now_ms, rules: { bundles } }: RpcContext): Promise<Value> {
  const rules: BundleRules =
    bundles.choices.simulation.ofNothing === "succeeds" ? { ...bundles, empty: "accepted" } : bundles;
  const given = paramsOf(params, rules);
  const texts = textsOf(given, rules);
  const transactions = await transactionsOf(texts, encodingOf(given, texts, rules), rules);
  examine(transactions, rules);
  book.settle(now_ms, rules);
  const isGood = runsOn(book.bank.copy(), transactions, rules);
  if (rules.simulation === "submits") {
    const route = { region: "fra", isPinned: false, avoidsFlagged: false };
    book.send({ id: bundleIdOf(transactions, rules, now_ms), project, transactions, route, sentAt_ms: now_ms });
  }
  return outcome(transactions, isGood, now_ms, rules);
}

export const simulateBundle: Method = { errorTable: "bundles", handle };
