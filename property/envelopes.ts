// Is a documented JSON-RPC request never invalid, and what is promised of those with one member that isn't as documented? (§4.3, §7.2; JSON-RPC 2.0)
import { type BaselineRequest, baselineRequests } from "../contracts/jsonrpc/baselineRequests.ts";
import { answersNull, errs, isBare } from "../contracts/jsonrpc/standards.ts";
import { notRefusedWith } from "../contracts/shared/jsonRpcOracles.ts";
import { rawRpc } from "../contracts/shared/stimuli.ts";
import { broken, equals, type Finding, held } from "../harness/core/finding.ts";
import { type Json, valueAt } from "../harness/core/json.ts";
import { Withheld } from "../harness/core/outcomes.ts";
import type { Stimulus } from "../harness/core/stimulus.ts";
import type { Template } from "../harness/core/template.ts";
import type { Check, Oracle, Shown } from "../harness/model/check.ts";
import { isServed, outcomeOf, rpcErrorOf } from "../harness/transport/answers.ts";
import type { Exchange } from "../harness/transport/exchange.ts";
import type { RequirementId } from "../specs/generated/requirements.ts";
import { brokenEnvelopes, envelopesOf, otherEnvelopes } from "./arbitraries/envelopes.ts";
import { type Options, propertyFrom } from "./property.ts";

/** Methods are of several parts; what is said here of all of them is asked where this one is offered. */
const feature = "compression";
const ofFeature = baselineRequests.filter((one) => one.feature === feature);

const optionsFor = (name: string, good: readonly BaselineRequest[], asked: number): Options => ({
  name,
  feature: good[0]?.feature ?? feature,
  each: good.slice(0, 1).flatMap(({ ask }) => Array.from({ length: asked }, () => ask())),
  cases: { many: 200, some: 8, few: 2 },
});

/** No law judges the answer: of most of these requests it is open what they draw. */
const unjudged = (request: Json): Stimulus => rawRpc({ json: request as Template });

/** As it is documented, so that the method's own laws judge the answer. */
function documented(good: readonly BaselineRequest[], request: Json): Stimulus {
  const method = valueAt(request, "/method");
  const ask = good.find((one) => one.method === method)?.ask;
  if (!ask) throw new Error(`no good request of ${JSON.stringify(method)}`);
  return { ...ask(), json: request };
}

const isNotInvalid = notRefusedWith(-32600);

const taken = (good: readonly BaselineRequest[]): Check =>
  propertyFrom<{ readonly request: Json }>(
    "RPC-ENV-09",
    () => envelopesOf(good).map((request) => ({ request })),
    async ({ request }, context) => {
      const exchange = await context.ask(documented(good, request));
      return { exchange, finding: await isNotInvalid(exchange, context) };
    },
    optionsFor(`${good[0]?.feature}RequestsTaken`, good, 1),
  );

/** What is served is a method of the platform's own, of which nothing is said. */
const isUnknown =
  (twin: Stimulus): Oracle =>
  (exchange, context) => {
    if (isServed(exchange)) throw new Withheld("there is such a method");
    return errs(-32601, undefined, twin)(exchange, context);
  };

/** What JSON-RPC 2.0 has answered to requests with one member that is otherwise, each beside its twin; all of it advisory. */
const due: { readonly [I in RequirementId]?: readonly [name: string, answer: (twin: Stimulus) => Oracle] } = {
  "EXT-JR-03": ["withoutMethod", (twin) => errs(-32600, undefined, twin)],
  "EXT-JR-04": ["ofUnknownMethods", isUnknown],
  "EXT-JR-05": ["withoutId", isBare],
  "EXT-JR-06": ["ofIdNull", answersNull],
};

const answered = (Object.entries(due) as [RequirementId, NonNullable<(typeof due)[RequirementId]>][]).map(
  ([id, [name, answer]]) =>
    propertyFrom(
      id,
      () => brokenEnvelopes(ofFeature, id),
      async ({ request, twin }, context) => {
        const exchange = await context.ask(unjudged(request));
        return { exchange, finding: await answer(documented(ofFeature, twin))(exchange, context) };
      },
      optionsFor(`requests${name[0]?.toUpperCase()}${name.slice(1)}`, ofFeature, 2),
    ),
);

/** @throws Withheld where no envelope of the version that the interface knows carries an error */
function errorIn(exchange: Exchange): Json {
  const value = exchange.answer?.json?.value;
  const error = valueAt(value, "/error");
  if (valueAt(value, "/jsonrpc") !== "2.0" || error === undefined || error === null)
    throw new Withheld(`no error envelope: it drew ${outcomeOf(exchange)}`);
  return error;
}

/** An error envelope is a whole one, whatever drew it (§7.2). */
function isWhole(exchange: Exchange): Pick<Shown, "finding" | "about"> {
  const error = errorIn(exchange);
  const [code, message] = [valueAt(error, "/code"), valueAt(error, "/message")];
  if (typeof code !== "number" || !Number.isInteger(code))
    return { about: ["RPC-ENV-05"], finding: broken("/error/code", "a whole number", code) };
  if (typeof message !== "string")
    return { about: ["RPC-ENV-05"], finding: broken("/error/message", "a text", message) };
  const result = valueAt(exchange.answer?.json?.value, "/result");
  if (result !== undefined)
    return { about: ["RPC-ENV-06"], finding: broken("/result", "no result beside an error", result) };
  return { finding: held };
}

/** With these codes a platform may say that it couldn't tell which member is the id (JSON-RPC 2.0 §5). */
const idUntold: readonly (number | undefined)[] = [-32600, -32700];

/** The method is looked for in a request that was read, its id with it. */
function isEchoed(exchange: Exchange): Finding {
  const error = rpcErrorOf(exchange);
  if (!error || idUntold.includes(error.code))
    throw new Withheld(`no error that tells its request: it drew ${outcomeOf(exchange)}`);
  return equals(
    "/id",
    valueAt(exchange.answer?.json?.value, "/id"),
    valueAt(exchange.sent.json, "/id") as string | number,
  );
}

const whole = propertyFrom(
  ["RPC-ENV-05", "RPC-ENV-06"],
  () => otherEnvelopes(ofFeature),
  async ({ request }, context) => {
    const exchange = await context.ask(unjudged(request));
    return { exchange, ...isWhole(exchange) };
  },
  optionsFor("errorsWhole", ofFeature, 1),
);

const echoed = propertyFrom(
  "RPC-ENV-07",
  () => brokenEnvelopes(ofFeature, "EXT-JR-04"),
  async ({ request }, context) => {
    const exchange = await context.ask(unjudged(request));
    return { exchange, finding: isEchoed(exchange) };
  },
  optionsFor("unknownMethodsEchoed", ofFeature, 1),
);

const features = [...new Set(baselineRequests.map((one) => one.feature))];

export const properties: readonly Check[] = [
  ...features.map((one) => taken(baselineRequests.filter((good) => good.feature === one))),
  ...answered,
  whole,
  echoed,
];
