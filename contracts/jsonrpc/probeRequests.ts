// Requests of probes on the JSON-RPC address, one for each kind of answer, and what they were answered.
import type { RequestSpec } from "../../harness/core/requestSpec.ts";
import type { AnsweredExchange } from "../../harness/model/fingerprint.ts";
import { isServed, rpcErrorOf } from "../../harness/transport/answers.ts";
import { type Feature, operations } from "../../specs/generated/operations.ts";
import { asUndescribed } from "../shared/describeCalls.ts";
import { balance, health, owner, tokenAccounts } from "../shared/jsonRpcRequests.ts";
import { carriersOf } from "../shared/requestSpecs.ts";
import { tabledRequests } from "./baselineRequests.ts";

/** Features whose methods are served at the JSON-RPC address. Bundles have probes of their own. */
export const onRpc: readonly Feature[] = ["compression", "tokenAccounts"];
export const rpcAndUsage: readonly Feature[] = ["usage", ...onRpc];

/** A call of getIndexerHealth with a change whose effect is unspecified. */
export const unjudgedHealth = (change: Partial<RequestSpec> = {}): RequestSpec => ({
  ...asUndescribed(health()),
  ...change,
});

export const getOnRpc: RequestSpec = {
  operation: null,
  api: "rpc",
  method: "GET",
  path: ["/"],
  carriers: carriersOf("owner", "query"),
};

/** The documented method that is called, whether or not a law judges the answer. */
export function methodOf({ operation, json }: RequestSpec): (typeof operations)[number] | undefined {
  const named = typeof json === "object" && json !== null && "method" in json ? json["method"] : null;
  return operations.find(({ id, api }) => api === "rpc" && id === (operation ?? named));
}

export const everyResult: readonly RequestSpec[] = tabledRequests.map(({ ask }) => ask());

/** Refusals that cost nothing: some for the key, some for the params. */
export const everyError: readonly RequestSpec[] = [
  ...tabledRequests.map(({ ask }) => ask({ as: "anonymous", id: "no key" })),
  tokenAccounts({ owner, limit: 2, mint: 1 }, { id: 5 }),
  balance({ address: 5 }, { id: 8 }),
];

/** The kind of answer to a documented call, whichever method was called. */
export function refusalKind(answered: AnsweredExchange): string | undefined {
  const { requestSpec, answer } = answered;
  if (requestSpec.api !== "rpc" || requestSpec.operation === null) return undefined;
  if (isServed(answered)) return "JSON-RPC result";
  return rpcErrorOf(answered) ? "JSON-RPC error" : `JSON-RPC, HTTP ${answer.status}`;
}
