// Checks of simulateBundle: the method exists and needs a key; params and result aren't shown (§4.3)
import { broken, type Finding, held } from "../../harness/core/finding.ts";
import type { Check, CheckContext } from "../../harness/model/check.ts";
import { rpcErrorOf } from "../../harness/transport/answers.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { refusedBesideStatus } from "./outcomes.ts";
import { check, servedStatus, simulate } from "./requests.ts";

export const checks: readonly Check[] = [
  check("SIM-EXIST-01", simulate([[]], { id: 50 }), exists),
  check("AUTH-ALL-01", simulate([[]], { as: "anonymous", id: 51 }), refusedBesideStatus("a refusal")),
];

async function exists(exchange: Exchange, context: CheckContext): Promise<Finding> {
  const error = rpcErrorOf(exchange);
  if (error) return error.code === -32601 ? broken("/error/code", "a method of that name", -32601) : held;
  if (![404, 405, 501].includes(exchange.answer?.status ?? 0)) return held;
  await servedStatus(context);
  return broken("status", "an envelope", exchange.answer?.status);
}
