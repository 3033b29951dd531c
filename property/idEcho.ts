// Every documented id is echoed, with results and errors, by every method (§4.3, §7.2)
import fc from "fast-check";
import { baselineRequests, onePerFeature } from "../contracts/jsonrpc/baselineRequests.ts";
import { maskedBy } from "../contracts/shared/masked.ts";
import { equals } from "../harness/core/finding.ts";
import { valueAt } from "../harness/core/json.ts";
import type { Check, Oracle } from "../harness/model/check.ts";
import { isServed, rpcErrorOf } from "../harness/transport/answers.ts";
import type { Feature } from "../specs/generated/operations.ts";
import type { RequirementId } from "../specs/generated/requirements.ts";
import { baselineOf, ofAskable } from "./arbitraries/envelopes.ts";
import { recordArbitrary } from "./arbitraries/lists.ts";
import { numericId, rpcId, textId } from "./arbitraries/rpcIds.ts";
import { judgeAnswer, propertyFrom } from "./property.ts";

/** Answers without any id are judged by the laws on their shape. */
const echoes =
  (id: string | number): Oracle =>
  (exchange) => {
    if (!isServed(exchange) && !rpcErrorOf(exchange)) throw maskedBy(exchange);
    return equals("/id", valueAt(exchange.answer?.json?.value, "/id"), id);
  };

/** @param as the owner, who is served, or anonymous, who is refused */
const echo = (
  requirement: RequirementId,
  feature: Feature,
  ids: fc.Arbitrary<string | number>,
  as: "owner" | "anonymous",
  name: string,
): Check => {
  const baseline = baselineRequests.filter((one) => one.feature === feature);
  return propertyFrom(
    requirement,
    (target) =>
      ofAskable(baseline, target, (requests) =>
        recordArbitrary({ method: fc.constantFrom(...requests.map(({ method }) => method)), id: ids }),
      ),
    ({ method, id }, context) => judgeAnswer(context, baselineOf(method).ask({ as, id }), echoes(id)),
    {
      name: `${feature}${name}`,
      feature,
      each: baseline.slice(0, 1).map(({ ask }) => ask({ as })),
      cases: { many: 300, some: 8, few: 3 },
    },
  );
};

export const properties: readonly Check[] = onePerFeature.flatMap(({ feature }) => [
  echo("RPC-ENV-02", feature, textId, "owner", "EchoesTexts"),
  echo("RPC-ENV-03", feature, numericId, "owner", "EchoesNumbers"),
  echo("RPC-ENV-07", feature, rpcId, "anonymous", "EchoesRefused"),
]);
