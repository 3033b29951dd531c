// How would a bundle run? Answers and lands nothing. (§4.3) Its parameters and its result aren't shown; these are this platform's.

import { runsOn } from "../bundles/book.ts";
import { bundleIdOf } from "../bundles/bundleId.ts";
import { slotAt } from "../chain.ts";
import type { Value } from "../wire.ts";
import type { Method, RpcVisit } from "./method.ts";
import { encodingOf, examine, textsOf, transactionsOf } from "./sendBundle.ts";

async function handle({ params, book, project, now_ms, rules: { bundles: rules } }: RpcVisit): Promise<Value> {
  const transactions = await transactionsOf(textsOf(params, rules), encodingOf(params, rules));
  examine(transactions, rules);
  book.settle(now_ms, rules);
  const isGood = runsOn(book.bank.copy(), transactions, rules);
  if (rules.simulation === "submits") {
    const route = { region: "fra", isPinned: false, avoidsFlagged: false };
    book.send({ id: bundleIdOf(transactions, rules, now_ms), project, transactions, route, sentAt_ms: now_ms });
  }
  return { context: { slot: slotAt(now_ms) }, value: { summary: isGood ? "succeeded" : "failed" } };
}

export const simulateBundle: Method = { family: "bundles", handle };
