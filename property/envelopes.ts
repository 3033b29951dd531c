// Envelopes: documented ones are never invalid; others get what JSON-RPC 2.0 and §7.2 require (§4.3)
import { type BaselineRequest, baselineRequests, onePerFeature } from "../contracts/jsonrpc/baselineRequests.ts";
import { answersNull, errs, isBare } from "../contracts/jsonrpc/standards.ts";
import { notRefusedWith } from "../contracts/shared/jsonRpcOracles.ts";
import { rawRpc } from "../contracts/shared/requestSpecs.ts";
import { broken, equals, type Finding, held } from "../harness/core/finding.ts";
import { type Json, valueAt } from "../harness/core/json.ts";
import { notSeen } from "../harness/core/outcomes.ts";
import type { RequestSpec } from "../harness/core/requestSpec.ts";
import type { Check, Oracle, Shown } from "../harness/model/check.ts";
import { isServed, rpcErrorOf } from "../harness/transport/answers.ts";
import type { Exchange } from "../harness/transport/exchange.ts";
import { fateOf } from "../harness/transport/fates.ts";
import type { RequirementId } from "../specs/generated/requirements.ts";
import { baselineOf, brokenEnvelopes, envelopesOf, ofAskable, otherEnvelopes } from "./arbitraries/envelopes.ts";
import { judgeAnswer, type PropertyOptions, propertyFrom } from "./property.ts";

/** Requirements on all methods are tested with those of one feature. */
const feature = "compression";
const ofFeature = baselineRequests.filter((one) => one.feature === feature);

const optionsFor = (name: string, baseline: readonly BaselineRequest[], requests: number): PropertyOptions => ({
  name,
  feature: baseline[0]?.feature ?? feature,
  each: baseline.slice(0, 1).flatMap(({ ask }) => Array.from({ length: requests }, () => ask())),
  cases: { many: 200, some: 8, few: 2 },
});

/** No law judges the answer, which for most of these requests is unspecified. */
const unjudged = (request: Json): RequestSpec => rawRpc({ json: request });

/** As a request of its method, so that its laws judge the answer. */
const documented = (request: Json): RequestSpec => ({
  ...baselineOf(valueAt(request, "/method")).ask(),
  json: request,
});

const taken = (baseline: readonly BaselineRequest[]): Check =>
  propertyFrom<{ readonly request: Json }>(
    "RPC-ENV-09",
    (target) => ofAskable(baseline, target, (some) => envelopesOf(some).map((request) => ({ request }))),
    ({ request }, context) => judgeAnswer(context, documented(request), notRefusedWith(-32600)),
    optionsFor(`${baseline[0]?.feature}RequestsTaken`, baseline, 1),
  );

/** A method that is served is the platform's own, which the interface doesn't specify. */
const isUnknown =
  (positiveControl: RequestSpec): Oracle =>
  (exchange, context) => {
    if (isServed(exchange)) throw notSeen("the platform has such a method");
    return errs(-32601, undefined, positiveControl)(exchange, context);
  };

/** What JSON-RPC 2.0 answers to envelopes with one wrong member, each beside its positive control; all advisory. */
const due: {
  readonly [I in RequirementId]?: readonly [name: string, answer: (positiveControl: RequestSpec) => Oracle];
} = {
  "EXT-JR-03": ["withoutMethod", (positiveControl) => errs(-32600, undefined, positiveControl)],
  "EXT-JR-04": ["ofUnknownMethods", isUnknown],
  "EXT-JR-05": ["withoutId", isBare],
  "EXT-JR-06": ["ofIdNull", answersNull],
};

const answered = (Object.entries(due) as [RequirementId, NonNullable<(typeof due)[RequirementId]>][]).map(
  ([id, [name, answer]]) =>
    propertyFrom(
      id,
      (target) => ofAskable(ofFeature, target, (some) => brokenEnvelopes(some, id)),
      ({ request, positiveControl }, context) =>
        judgeAnswer(context, unjudged(request), answer(documented(positiveControl))),
      optionsFor(`requests${name[0]?.toUpperCase()}${name.slice(1)}`, ofFeature, 2),
    ),
);

/** Every error envelope is complete (§7.2). @throws Withheld for other answers and versions */
function isWhole(exchange: Exchange): Pick<Shown, "finding" | "about"> {
  const value = exchange.answer?.json?.value;
  const error = valueAt(value, "/error");
  if (valueAt(value, "/jsonrpc") !== "2.0" || error === undefined || error === null)
    throw notSeen(`no error envelope: the request ${fateOf(exchange)}`);
  const code = valueAt(error, "/code");
  const message = valueAt(error, "/message");
  if (typeof code !== "number" || !Number.isInteger(code))
    return { about: ["RPC-ENV-05"], finding: broken("/error/code", "a whole number", code) };
  if (typeof message !== "string")
    return { about: ["RPC-ENV-05"], finding: broken("/error/message", "a text", message) };
  const result = valueAt(value, "/result");
  if (result !== undefined)
    return { about: ["RPC-ENV-06"], finding: broken("/result", "no result beside an error", result) };
  return { finding: held };
}

/** With these codes the id may be null, as the platform couldn't read it (JSON-RPC 2.0 §5). */
const codesWithoutId: readonly (number | undefined)[] = [-32600, -32700];

/** A platform that looked the method up has read the request, its id included. */
function isEchoed(exchange: Exchange): Finding {
  const error = rpcErrorOf(exchange);
  if (!error || codesWithoutId.includes(error.code))
    throw notSeen(`no error with an id: the request ${fateOf(exchange)}`);
  return equals(
    "/id",
    valueAt(exchange.answer?.json?.value, "/id"),
    valueAt(exchange.sent.json, "/id") as string | number,
  );
}

const whole = propertyFrom(
  ["RPC-ENV-05", "RPC-ENV-06"],
  (target) => ofAskable(ofFeature, target, (some) => otherEnvelopes(some)),
  async ({ request }, context) => {
    const exchange = await context.ask(unjudged(request));
    return { exchange, ...isWhole(exchange) };
  },
  optionsFor("errorsWhole", ofFeature, 1),
);

const echoed = propertyFrom(
  "RPC-ENV-07",
  (target) => ofAskable(ofFeature, target, (some) => brokenEnvelopes(some, "EXT-JR-04")),
  ({ request }, context) => judgeAnswer(context, unjudged(request), isEchoed),
  optionsFor("unknownMethodsEchoed", ofFeature, 1),
);

export const properties: readonly Check[] = [
  ...onePerFeature.map((one) => taken(baselineRequests.filter((baseline) => baseline.feature === one.feature))),
  ...answered,
  whole,
  echoed,
];
