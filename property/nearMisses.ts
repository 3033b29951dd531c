// Per operation: requests that fit its schema are served, near misses by one keyword refused (§4)

import type fc from "fast-check";
import { recentBlockhash } from "../contracts/bundles/blockhashes.ts";
import { plainly, sendPlain } from "../contracts/bundles/requests.ts";
import { baselineRequests, isComplete } from "../contracts/jsonrpc/baselineRequests.ts";
import { refusedFor, takesParams } from "../contracts/shared/jsonRpcOracles.ts";
import { maskedBy, notTested } from "../contracts/shared/masked.ts";
import { isRefused, isRefusedBeside } from "../contracts/shared/oracles.ts";
import { usageRequest } from "../contracts/shared/requestSpecs.ts";
import { answersJson, walletServedLike as isWalletServedLike } from "../contracts/wallet/oracles.ts";
import { walletBaseline, walletBaselines } from "../contracts/wallet/requests.ts";
import { broken, held } from "../harness/core/finding.ts";
import type { Generates } from "../harness/core/generation.ts";
import { Withheld } from "../harness/core/outcomes.ts";
import { otherNeed } from "../harness/core/reason.ts";
import type { Asker, RequestSpec } from "../harness/core/requestSpec.ts";
import type { Check, CheckContext, Oracle, Shown } from "../harness/model/check.ts";
import type { Target } from "../harness/targets/target.ts";
import { describeOutcome, isServed, rpcErrorOf } from "../harness/transport/answers.ts";
import { type Feature, type OperationId, operations } from "../specs/generated/operations.ts";
import type { ParamsSchema } from "../specs/generated/requests.ts";
import type { RequirementId } from "../specs/generated/requirements.ts";
import { filtered } from "./arbitraries/filtered.ts";
import type { NearMiss, ValidityTally, ValidRequest } from "./arbitraries/requests.ts";
import { type ArbitrarySource, longestBundle, requestShapes, sourcesFor } from "./arbitraries/sources.ts";
import { knownDomains } from "./arbitraries/wallets.ts";
import { notReal, paid, senderOfBundles } from "./bundleLimits.ts";
import { judgeAnswer, type PropertyOptions, propertyFrom } from "./property.ts";

/** One requirement on generated requests of one operation. */
export interface RequestProperty<Counterexample> {
  readonly id: RequirementId;
  readonly operation: OperationId;
  readonly feature: Feature;
  readonly casesFor: (target: Target, tally?: ValidityTally) => fc.Arbitrary<Counterexample> | null;
  /** Sends the request and judges the answer. @throws Withheld, Inconclusive as oracles do */
  readonly judge: (counterexample: Counterexample, context: CheckContext) => Promise<Shown>;
}

const sourceFor = (operation: OperationId, target: Target): ArbitrarySource | undefined =>
  sourcesFor(target).find((source) => source.operation === operation);

/** @throws Withheld where there is none */
function neededSource(operation: OperationId, target: Target): ArbitrarySource {
  const source = sourceFor(operation, target);
  if (!source) throw new Withheld(otherNeed(`the target has no sample data for ${operation}`));
  return source;
}

/** A refusal for the method or the key shows nothing about params. */
const isOfParams: (refusal: Oracle) => Oracle = (refusal) => (exchange, context) => {
  if (!isServed(exchange) && [-32601, -32001].includes(rpcErrorOf(exchange)?.code ?? 0)) throw maskedBy(exchange);
  return refusal(exchange, context);
};

const described = new Map(operations.map((operation) => [operation.id, operation]));
const about = (operation: OperationId, id: RequirementId) => ({
  id,
  operation,
  feature: described.get(operation)?.feature ?? "usage",
});

/** The error table's code for params where there is one (§7.2), else any refusal; beside the positive control. */
function refusal(operation: OperationId, positiveControl: RequestSpec): Oracle {
  const { api, errors } = described.get(operation) ?? {};
  if (api === "admin") return isRefused(positiveControl);
  if (api === "api") return isRefusedBeside(positiveControl);
  return errors !== undefined && isComplete(errors)
    ? refusedFor(errors, "params", positiveControl)
    : isOfParams(isRefusedBeside(positiveControl));
}

const plainSizes = [1, 3, 5];

/** Broken only where a plain bundle is served: a refusal alone may have many reasons. */
const isTaken: Oracle = async (exchange, context) => {
  if (isServed(exchange)) return held;
  for (const count of plainSizes)
    if (isServed(await sendPlain(context, count)))
      return broken("/error", `an id, as of a plain bundle of ${count}`, describeOutcome(exchange));
  throw notTested("no plain bundle was served");
};

function service(operation: OperationId): Oracle {
  if (operation === "batchWalletIdentity") return isWalletServedLike(walletBaseline(operation).ask());
  if (described.get(operation)?.api === "api") return answersJson;
  return operation === "sendBundle" ? isTaken : takesParams;
}

/** Bundles are limited to five a second, so that each case has its own project where control makes one. */
const callerOf = async (operation: OperationId, context: CheckContext): Promise<[Asker, Uint8Array?]> =>
  operation === "sendBundle" ? [await senderOfBundles(context), await recentBlockhash(context)] : ["owner"];

const nearMissProperty = (operation: OperationId, id: RequirementId): RequestProperty<NearMiss> => ({
  ...about(operation, id),
  casesFor: (target, tally) => sourceFor(operation, target)?.nearMisses({ id, ...(tally ? { tally } : {}) }) ?? null,
  judge: async ({ params, positiveControl }, context) => {
    const { ask } = neededSource(operation, context.target);
    const by = await callerOf(operation, context);
    return judgeAnswer(context, ask(params, ...by), refusal(operation, ask(positiveControl, ...by)));
  },
});

/** Served by these where the target knows a domain. */
const ofDomains: readonly RequirementId[] = ["WAL-ID-02", "WAL-BATCH-04"];

const validProperty = (operation: OperationId, id: RequirementId): RequestProperty<ValidRequest> => ({
  ...about(operation, id),
  casesFor: (target) => {
    const source = ofDomains.includes(id) && knownDomains(target).length === 0 ? null : sourceFor(operation, target);
    return source
      ? filtered(source.valid, (valid) => valid.id === id, `request of ${operation} that ${id} has served`)
      : null;
  },
  judge: async ({ params }, context) => {
    const { ask } = neededSource(operation, context.target);
    return judgeAnswer(context, ask(params, ...(await callerOf(operation, context))), service(operation));
  },
});

const acceptsWithin = (node: ParamsSchema): readonly RequirementId[] => [
  ...(Object.keys(node["x-accepts"] ?? {}) as RequirementId[]),
  ...[Object.values(node.properties ?? {}), node.prefixItems ?? [], node.items ?? []].flat().flatMap(acceptsWithin),
];

const shapes = [...requestShapes.values()];

/** One per requirement by which a breach of an operation's schema is refused. */
export const nearMisses: readonly RequestProperty<NearMiss>[] = shapes.flatMap(({ operation, sites }) =>
  [...new Set(sites.map(({ id }) => id))].map((id) => nearMissProperty(operation, id)),
);

/**
 * One per requirement by which valid requests are served. The usage endpoint has one request, which needs no generator.
 */
export const validRequests: readonly RequestProperty<ValidRequest>[] = shapes
  .filter(({ operation, schema }) => described.get(operation)?.api !== "admin" && schema.type !== undefined)
  .flatMap(({ operation, accepts, schema }) =>
    [...new Set([...accepts.slice(0, 1), ...acceptsWithin(schema)])].map((id) => validProperty(operation, id)),
  );

/** The operation's baseline request, by which the plan counts cases; bundles are counted as `sends`. */
function baselineOf(operation: OperationId): readonly RequestSpec[] {
  if (operation === "sendBundle") return [];
  if (described.get(operation)?.api === "admin") return [usageRequest({ as: "owner" })];
  return [
    ...baselineRequests.filter(({ method }) => method === operation),
    ...walletBaselines.filter((one) => one.operation === operation),
  ].map(({ ask }) => ask());
}

/** Wallet calls cost credits and need consent; bundles cost money and are sent to the reference only. */
function costOf(
  operation: OperationId,
  each: number,
  cases: Generates["cases"],
): Pick<PropertyOptions, "unless" | "sends"> {
  if (described.get(operation)?.api === "api") return { unless: paid };
  if (operation !== "sendBundle") return {};
  const bundles = cases.some * each;
  return {
    unless: notReal,
    sends: { calls: bundles, payments: bundles * longestBundle, shared: plainSizes.map((count) => plainly(count)) },
  };
}

/** Requests of one case, at most. */
const requests = 2;

function inSuite<Counterexample extends object>(requestProperty: RequestProperty<Counterexample>, verb: string): Check {
  const { id, operation, feature, casesFor, judge } = requestProperty;
  // Signing makes bundles slow.
  const cases = operation === "sendBundle" ? { many: 60, some: 4, few: 0 } : { many: 120, some: 8, few: 2 };
  return propertyFrom(id, (target) => casesFor(target), judge, {
    name: `${operation}${verb}_${id.replaceAll("-", "_")}`,
    feature,
    each: Array.from({ length: requests }, () => baselineOf(operation)).flat(),
    cases,
    ...costOf(operation, requests, cases),
  });
}

export const properties: readonly Check[] = [
  ...nearMisses.map((one) => inSuite(one, "Refuses")),
  ...validRequests.map((one) => inSuite(one, "Serves")),
];
