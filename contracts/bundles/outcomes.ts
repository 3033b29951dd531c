// Was a bundle taken or refused, and for what it should be? Payers run dry and engines are busy: one refusal is no breach. (§4.3)

import { broken, type Finding, held } from "../../harness/core/finding.ts";
import { Inconclusive, Withheld } from "../../harness/core/outcomes.ts";
import type { Stimulus } from "../../harness/core/stimulus.ts";
import type { CheckContext, Shown } from "../../harness/model/check.ts";
import { isServed, outcomeOf } from "../../harness/transport/answers.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { resultOf } from "../shared/jsonRpcOracles.ts";
import { plainly, type Sending, type Shared, sent, statuses, type Wanted } from "./requests.ts";

/** So long that a second is over. */
export const second_ms = 1_100;

const wasTaken = (exchange: Exchange): Finding =>
  isServed(exchange) ? held : broken("/error", "a bundle id", outcomeOf(exchange));

/** Bundles that a run may send once more, and how many times more they tip; each is paid for. */
const [secondTries, generosity] = [5, 3];
export const inReserve: Shared = {
  name: "second tries",
  calls: 2 * secondTries,
  payments: secondTries * (5 * generosity + 1),
};
/** What a check shares that sends one bundle beside the plain one. */
export const besidePlain = [plainly(), inReserve];

/** A bundle and how it is sent. */
export type Sent = readonly [wanted: Wanted, how?: Sending];

/**
 * Taken, or refused at a second try too, with a better tip and between bundles that are taken:
 * payers run dry, tips turn out too small, and engines are busy, which is nobody's breach.
 * @param control another than the one in question, which was taken before
 */
export async function taken(
  context: CheckContext,
  exchange: Exchange,
  [wanted, how = {}]: Sent,
  control: Sent = [{ tip: "all" }],
): Promise<Shown> {
  if (isServed(exchange) || context.target.isReference) return { exchange, finding: wasTaken(exchange) };
  const tries = context.once("second tries of bundles", () => ({ spent: 0 }));
  if (tries.spent >= secondTries)
    throw new Withheld(`refused (${outcomeOf(exchange)}), and not sent again: ${secondTries} second tries are spent`);
  tries.spent += 1;
  await context.wait(second_ms);
  const { nonce: _, ...afresh } = wanted;
  const again = await sent(context, { ...afresh, generosity }, how);
  if (isServed(again))
    throw new Withheld(
      `refused once (${outcomeOf(exchange)}) and taken at a second try, with ${generosity} times the tip`,
    );
  const beside = await sent(context, ...control);
  if (!isServed(beside))
    throw new Withheld(`hidden: by now a bundle that was taken before draws ${outcomeOf(beside)} too`);
  return { exchange: again, finding: wasTaken(again) };
}
export const wasRefused = (exchange: Exchange): Finding =>
  isServed(exchange) ? broken("/result", "an error", resultOf(exchange)) : held;
export const refused = (exchange: Exchange): Shown => ({ exchange, finding: wasRefused(exchange) });

/** So long that a bundle which nothing hinders has landed there. */
const landing_ms = 2_500;

/** Taken at once isn't taken for good: that the fault isn't seen later either shows where the bundle lands. */
export async function refusedInTheEnd(context: CheckContext, exchange: Exchange): Promise<Shown> {
  const id = resultOf(exchange);
  if (!isServed(exchange) || context.target.isReference || typeof id !== "string") return refused(exchange);
  await context.wait(landing_ms);
  const told = await context.ask(statuses([[id]], { id: 16 }));
  if (resultOf(told, "/value/0") === null)
    throw new Withheld("it was taken, and hasn't landed: it may have been refused later");
  return refused(exchange);
}

/** A bundle that was sent before; null where it isn't taken again, which is open (OBS-BND-RESEND). */
export async function onceMore(context: CheckContext, stimulus: Stimulus): Promise<Exchange | null> {
  try {
    const exchange = await context.ask(stimulus);
    return isServed(exchange) ? exchange : null;
  } catch (error) {
    if (error instanceof Inconclusive) return null;
    throw error;
  }
}
