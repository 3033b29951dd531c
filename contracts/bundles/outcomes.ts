// Outcomes of sent bundles: accepted, perhaps at a second attempt, or refused, perhaps later (§4.3)
import { broken, type Finding, held, must } from "../../harness/core/finding.ts";
import { Inconclusive, Withheld } from "../../harness/core/outcomes.ts";
import type { Stimulus } from "../../harness/core/stimulus.ts";
import type { Check, CheckContext, Oracle, Shown } from "../../harness/model/check.ts";
import { isServed, outcomeOf } from "../../harness/transport/answers.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { resultOf } from "../shared/jsonRpcOracles.ts";
import { masked, maskedBy } from "../shared/masked.ts";
import {
  accepted,
  type Encoding,
  plain,
  plainly,
  type Sending,
  type Shared,
  scenario,
  sending,
  sent,
  servedStatus,
  statuses,
  type Wanted,
} from "./requests.ts";
import type { Signed } from "./transactions.ts";

/** More than a second, the unit of rate limits. */
export const second_ms = 1_100;

const wasTaken = (exchange: Exchange): Finding =>
  must(isServed(exchange), "/error", "a bundle id", outcomeOf(exchange));

/** How many bundles a run may send once more, and by how much their tip is multiplied; each costs money. */
const [secondAttempts, generosity] = [5, 3];
export const inReserve: Shared = {
  name: "second attempts",
  calls: 2 * secondAttempts,
  payments: secondAttempts * (5 * generosity + 1),
};

interface Plain {
  readonly count?: number;
  readonly encoding?: Encoding;
  /** Whether a bundle may be sent once more. */
  readonly hasReserve?: boolean;
}

/**
 * Sends these bundles beside a plain one that must be accepted: a refusal alone may have many reasons.
 * @param run gets the id of the plain bundle
 */
export function besidePlain(
  id: RequirementId,
  all: readonly Wanted[],
  { count = 1, encoding = "base58", hasReserve = false }: Plain,
  run: (context: CheckContext, plainId: string) => Promise<readonly Shown[]>,
): Check {
  const needs = sending(all, [plainly(count, encoding), ...(hasReserve ? [inReserve] : [])]);
  return scenario(id, needs, async (context) => run(context, accepted(await plain(context, count, encoding))));
}

/** A bundle and how it is sent. */
export type Sent = readonly [wanted: Wanted, how?: Sending];

/**
 * Accepted, or refused at a second attempt too, with a higher tip and before a bundle that is accepted. One refusal is
 * no breach: payers run out of funds, tips turn out too small, engines are busy.
 * @param control a different bundle, which was accepted before
 */
export async function taken(
  context: CheckContext,
  exchange: Exchange,
  [wanted, how = {}]: Sent,
  control: Sent = [{ tip: "all" }],
): Promise<Shown> {
  if (isServed(exchange) || context.target.isReference) return { exchange, finding: wasTaken(exchange) };
  const attempts = context.once("second attempts of bundles", () => ({ used: 0 }));
  if (attempts.used >= secondAttempts)
    throw new Withheld(
      `refused (${outcomeOf(exchange)}) and not sent again: all ${secondAttempts} second attempts are used`,
    );
  attempts.used += 1;
  await context.wait(second_ms);
  const { nonce: _, ...afresh } = wanted;
  const again = await sent(context, { ...afresh, generosity }, how);
  if (isServed(again))
    throw new Withheld(
      `refused once (${outcomeOf(exchange)}) and accepted at a second attempt, with ${generosity} times the tip`,
    );
  const beside = await sent(context, ...control);
  if (!isServed(beside)) throw maskedBy(beside, "a bundle that was accepted before");
  return { exchange: again, finding: wasTaken(again) };
}

export const refused = (exchange: Exchange): Shown => ({
  exchange,
  finding: must(!isServed(exchange), "/result", "an error", resultOf(exchange)),
});

/** Refused while another call with the same key is served. */
export const refusedBesideStatus =
  (expected: string): Oracle =>
  async (exchange, context) => {
    if (isServed(exchange)) return broken("/result", expected, resultOf(exchange));
    await servedStatus(context);
    return held;
  };

/** Long enough for a valid bundle to land. */
const landing_ms = 2_500;

/** An accepted bundle may still be refused later: only one that lands shows that its fault wasn't found. */
export async function refusedInTheEnd(context: CheckContext, exchange: Exchange): Promise<Shown> {
  const id = resultOf(exchange);
  if (!isServed(exchange) || context.target.isReference || typeof id !== "string") return refused(exchange);
  await context.wait(landing_ms);
  const status = await context.ask(statuses([[id]], { id: 16 }));
  if (resultOf(status, "/value/0") === null)
    throw new Withheld("accepted, but it hasn't landed: it may have been refused later");
  return refused(exchange);
}

/** A bundle that was sent before; null where it isn't accepted again, which is unspecified (OBS-BND-RESEND). */
export async function onceMore(context: CheckContext, stimulus: Stimulus): Promise<Exchange | null> {
  try {
    const exchange = await context.ask(stimulus);
    return isServed(exchange) ? exchange : null;
  } catch (error) {
    if (error instanceof Inconclusive) return null;
    throw error;
  }
}

/**
 * Whether a bundle's status lists exactly its signatures.
 * @throws Withheld for this reason where it lists no texts
 */
export function listsSignatures(exchange: Exchange, signed: readonly Signed[], otherwise: string): Finding {
  const listed = resultOf(exchange, "/value/0/transactions");
  if (!Array.isArray(listed) || !listed.every((one) => typeof one === "string")) throw masked(otherwise);
  const own = signed.map(({ signature }) => signature);
  const isExact = listed.length === own.length && own.every((one) => listed.includes(one));
  return must(isExact, "/result/value/0/transactions", own.join(", "), listed);
}
