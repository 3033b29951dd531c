// Every documented id is echoed, with results and errors, by every method (§4.3, §7.2)
import fc from "fast-check";
import { baselineRequests } from "../contracts/jsonrpc/baselineRequests.ts";
import { equals } from "../harness/core/finding.ts";
import { valueAt } from "../harness/core/json.ts";
import { Withheld } from "../harness/core/outcomes.ts";
import type { Check, Shown } from "../harness/model/check.ts";
import { isServed, outcomeOf, rpcErrorOf } from "../harness/transport/answers.ts";
import type { RequirementId } from "../specs/generated/requirements.ts";
import { numericId, rpcId, textId } from "./arbitraries/rpcIds.ts";
import { property } from "./property.ts";

type Feature = (typeof baselineRequests)[number]["feature"];
const features: readonly Feature[] = [...new Set(baselineRequests.map(({ feature }) => feature))];
const baselineOf = (feature: Feature) => baselineRequests.filter((one) => one.feature === feature);

/** Answers without any id are judged by the laws on their shape. */
function echoed(exchange: Shown["exchange"], id: string | number): Shown {
  if (!isServed(exchange) && !rpcErrorOf(exchange))
    throw new Withheld(`masked: the request returned ${outcomeOf(exchange)}`);
  return { exchange, finding: equals("/id", valueAt(exchange.answer?.json?.value, "/id"), id) };
}

/** @param as the owner, who is served, or anonymous, who is refused */
const echo = (
  requirement: RequirementId,
  feature: Feature,
  ids: fc.Arbitrary<string | number>,
  as: "owner" | "anonymous",
  name: string,
): Check => {
  const baseline = baselineOf(feature);
  return property(
    requirement,
    { method: fc.constantFrom(...baseline.map(({ method }) => method)), id: ids },
    async ({ method, id }, context) => {
      const request = baseline.find((one) => one.method === method);
      if (!request) throw new Error(`no baseline request of ${method}`);
      return echoed(await context.ask(request.ask({ as, id })), id);
    },
    {
      name: `${feature}${name}`,
      feature,
      each: baseline.slice(0, 1).map(({ ask }) => ask({ as })),
      cases: { many: 300, some: 8, few: 3 },
    },
  );
};

export const properties: readonly Check[] = features.flatMap((feature) => [
  echo("RPC-ENV-02", feature, textId, "owner", "EchoesTexts"),
  echo("RPC-ENV-03", feature, numericId, "owner", "EchoesNumbers"),
  echo("RPC-ENV-07", feature, rpcId, "anonymous", "EchoesRefused"),
]);
