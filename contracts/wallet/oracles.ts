// Oracles for wallet endpoints, whose payloads and most refusals aren't shown: served or refused (§4.2, §7.3)
import { broken, type Finding, held } from "../../harness/core/finding.ts";
import { canonical } from "../../harness/core/json.ts";
import { leftOpen, Withheld } from "../../harness/core/outcomes.ts";
import type { RequestSpec } from "../../harness/core/requestSpec.ts";
import type { CheckContext, Oracle } from "../../harness/model/check.ts";
import { describeOutcome, isServed } from "../../harness/transport/answers.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { isKnownElsewhere } from "../shared/knownKey.ts";
import { excused, maskedBy, notTested, onlyServed, positiveControlServed } from "../shared/masked.ts";
import { excuse, statusOf } from "../shared/oracles.ts";

/** Statuses of a path that isn't served, or leads elsewhere. */
const routingStatuses = [301, 302, 303, 307, 308, 404, 405, 410, 501];

/** An answer's text without path, dates and ids. */
const wordsOf = ({ answer, sent }: Exchange): string => {
  const path = new URL(sent.url).pathname;
  const text = answer?.json ? canonical(answer.json.value) : (answer?.text ?? "");
  return text.replaceAll(path, "").replaceAll(/[\d-]{6,}[\dTZ:.+-]*|[0-9a-f-]{16,}/gi, "");
};

/** The same path with a further step, which isn't served. */
const nowhere = (requestSpec: RequestSpec): RequestSpec => ({
  ...requestSpec,
  operation: null,
  path: [...requestSpec.path, "-that-nobody-serves"],
});

/** A 404 with another text than that of an unknown path is about the sample. */
async function isOfTheSample(exchange: Exchange, { ask }: CheckContext): Promise<boolean> {
  if (statusOf(exchange) !== 404) return false;
  const other = await ask(nowhere(exchange.requestSpec));
  return statusOf(other) !== 404 || wordsOf(other) !== wordsOf(exchange);
}

const wrong = (exchange: Exchange, expected: string): Finding => broken("status", expected, describeOutcome(exchange));

/** A success with a body. Other requirements are about malformed JSON and content types. */
function hasJson({ answer }: Exchange): Finding {
  if (answer?.json) return held;
  if (answer?.text) throw notTested("the body is not JSON");
  return broken("body", "JSON", "");
}

const unknownSample = "the sample is unknown there: name another in the target";

export const isMalformedThere = (exchange: Exchange): boolean =>
  statusOf(exchange) === 400 || statusOf(exchange) === 422;

/** A success with a JSON body; refusals for key, plan or rate are another requirement's breach. */
export const answersJson: Oracle = async (exchange, context) => {
  if (isServed(exchange)) return hasJson(exchange);
  if (await isOfTheSample(exchange, context)) throw leftOpen(unknownSample);
  if (routingStatuses.includes(statusOf(exchange))) return wrong(exchange, "a success");
  if (isMalformedThere(exchange))
    throw leftOpen("refused as malformed: it may require parameters that the interface doesn't show");
  throw maskedBy(exchange);
};

/** Not refused for its key; other refusals are another requirement's breach. */
export const walletTakesKey =
  (otherCarrier: RequestSpec): Oracle =>
  async (exchange, context) => {
    if (isServed(exchange)) return held;
    if (statusOf(exchange) !== 401) throw maskedBy(exchange);
    // Only a key that the other carrier or another API shows to be known can be refused wrongly.
    const other = await context.ask(otherCarrier);
    const why = isServed(other) ? null : excuse(exchange, context);
    if (why && !(await isKnownElsewhere(exchange, context))) throw excused(exchange, why);
    return wrong(exchange, "a success");
  };

/** Served to a plan that includes it, with a body: neither 403 nor 402. */
export const isOpenTo: Oracle = (exchange) => {
  if (isServed(exchange)) return hasJson(exchange);
  if (statusOf(exchange) === 403 || statusOf(exchange) === 402) return wrong(exchange, "a success");
  throw maskedBy(exchange);
};

/**
 * 403 for its plan, while a plan that includes it is served.
 * @param open a request that the same key is served, if it is known at all
 */
export const isClosedTo =
  (positiveControl: RequestSpec, open: RequestSpec): Oracle =>
  async (exchange, context) => {
    if (statusOf(exchange) === 403) return held;
    const why = excuse(exchange, context);
    if (why && !isServed(await context.ask(open))) throw new Withheld({ kind: "excused", detail: why });
    if (!isServed(exchange)) onlyServed(await context.ask(positiveControl), "the same request on a paid plan");
    return wrong(exchange, "403");
  };

/** Served where its positive control is, which differs in one thing only. */
export const walletServedLike =
  (positiveControl: RequestSpec): Oracle =>
  async (exchange, context) => {
    if (isServed(exchange)) return hasJson(exchange);
    await positiveControlServed(context, positiveControl);
    return wrong(exchange, "a success");
  };

/** As `servedLike`, for a sample that may be unknown there. */
export const knownLike =
  (positiveControl: RequestSpec): Oracle =>
  async (exchange, context) => {
    if (await isOfTheSample(exchange, context)) throw leftOpen(unknownSample);
    return walletServedLike(positiveControl)(exchange, context);
  };
