// Was a wallet endpoint's answer the one that is due? Payloads and most refusals aren't shown, so that little more than served or not can be told. (§4.2, §7.3)

import { broken, type Finding, held } from "../../harness/core/finding.ts";
import { canonical } from "../../harness/core/json.ts";
import { Inconclusive, Withheld } from "../../harness/core/outcomes.ts";
import { keyHolder, type Stimulus } from "../../harness/core/stimulus.ts";
import type { CheckContext, Oracle } from "../../harness/model/check.ts";
import { isServed, outcomeOf } from "../../harness/transport/answers.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";

export const statusOf = ({ answer }: Exchange): number => answer?.status ?? 0;

/** Statuses that speak of the way to an endpoint: of these, and of whatever leads elsewhere, nobody can be served. */
const wayStatuses = [301, 302, 303, 307, 308, 404, 405, 410, 501];

/** An answer's words but for what names the place that was asked for. */
const wordsOf = ({ answer, sent }: Exchange): string => {
  const path = new URL(sent.url).pathname;
  const text = answer?.json ? canonical(answer.json.value) : (answer?.text ?? "");
  return text.replaceAll(path, "").replaceAll(/[\d-]{6,}[\dTZ:.+-]*|[0-9a-f-]{16,}/gi, "");
};

/** The same place with another last step, which leads nowhere. */
const nowhere = (stimulus: Stimulus): Stimulus => ({
  ...stimulus,
  operation: null,
  path: [...stimulus.path, "-that-nobody-serves"],
});

/** A 404 that is worded unlike that of a place which leads nowhere speaks of what was asked for. */
async function isOfTheSample(exchange: Exchange, { ask }: CheckContext): Promise<boolean> {
  if (statusOf(exchange) !== 404) return false;
  const other = await ask(nowhere(exchange.stimulus));
  return statusOf(other) !== 404 || wordsOf(other) !== wordsOf(exchange);
}

/** The key may be wrong in the target: a question rather than a breach. */
function excuse(exchange: Exchange, { target }: CheckContext): string | null {
  if (target.isReference || !exchange.asker || statusOf(exchange) !== 401) return null;
  return `the key \`${exchange.asker.role}\` is unknown there (401): correct the target, or ask the platform`;
}

const wrong = (exchange: Exchange, expected: string): Finding => broken("status", expected, outcomeOf(exchange));

/** Of a success: what is malformed, or labelled otherwise, is another requirement's matter. */
function hasJson({ answer }: Exchange): Finding {
  if (answer?.json) return held;
  if (answer?.text) throw new Withheld("hidden: its body is no JSON");
  return broken("body", "JSON", "");
}

const unknownSample = "the sample isn't known there: name another";

export const isMalformedThere = (exchange: Exchange): boolean =>
  statusOf(exchange) === 400 || statusOf(exchange) === 422;

/** A success with a JSON body; refusals for key, plan or rate are somebody else's breach. */
export const answersJson: Oracle = async (exchange, context) => {
  if (isServed(exchange)) return hasJson(exchange);
  if (await isOfTheSample(exchange, context)) throw new Withheld(unknownSample);
  if (wayStatuses.includes(statusOf(exchange))) return wrong(exchange, "a success");
  if (isMalformedThere(exchange))
    throw new Withheld("refused as malformed: it may want parameters that the interface doesn't show");
  throw new Withheld(`hidden: it drew ${outcomeOf(exchange)}`);
};

/** Not refused for its key; other refusals are somebody else's breach. */
export const takesKey =
  (otherCarrier: Stimulus): Oracle =>
  async (exchange, context) => {
    if (isServed(exchange)) return held;
    if (statusOf(exchange) !== 401) throw new Withheld(`hidden: it drew ${outcomeOf(exchange)}`);
    // By one carrier at least the key must be known for the other to be at fault.
    const other = await context.ask(otherCarrier);
    const why = isServed(other) ? null : excuse(exchange, context);
    if (why) throw keyHolder(exchange.stimulus) === "owner" ? new Inconclusive(why) : new Withheld(why);
    return wrong(exchange, "a success");
  };

/** Served to a plan that includes it: neither 403 nor 402 nor nothing at all. */
export const isOpenTo: Oracle = (exchange) => {
  if (isServed(exchange)) return hasJson(exchange);
  if (statusOf(exchange) === 403 || statusOf(exchange) === 402) return wrong(exchange, "a success");
  throw new Withheld(`hidden: it drew ${outcomeOf(exchange)}`);
};

/** 403 by its plan, while a plan that includes it is served. @param open what that key is served there, if it is known at all */
export const isClosedTo =
  (twin: Stimulus, open: Stimulus): Oracle =>
  async (exchange, context) => {
    if (statusOf(exchange) === 403) return held;
    const why = excuse(exchange, context);
    if (why && !isServed(await context.ask(open))) throw new Withheld(why);
    if (!isServed(exchange)) {
      const other = await context.ask(twin);
      if (!isServed(other)) throw new Withheld(`hidden: on a paid plan it drew ${outcomeOf(other)}`);
    }
    return wrong(exchange, "403");
  };

/** Not served, while the twin is. */
export const isRefusedBeside =
  (twin: Stimulus): Oracle =>
  async (exchange, { ask }) => {
    if (isServed(exchange)) return wrong(exchange, "a refusal");
    const other = await ask(twin);
    if (!isServed(other)) throw new Withheld(`hidden: its accepted twin drew ${outcomeOf(other)}`);
    return held;
  };

/** Served where its twin is, which is alike but for the one thing proved. */
export const servedLike =
  (twin: Stimulus): Oracle =>
  async (exchange, { ask }) => {
    if (isServed(exchange)) return hasJson(exchange);
    const other = await ask(twin);
    if (!isServed(other)) throw new Withheld(`hidden: its twin drew ${outcomeOf(other)} too`);
    return wrong(exchange, "a success");
  };

/** The same of another sample than its twin's, which may be unknown there. */
export const knownLike =
  (twin: Stimulus): Oracle =>
  async (exchange, context) => {
    if (await isOfTheSample(exchange, context)) throw new Withheld(unknownSample);
    return servedLike(twin)(exchange, context);
  };
