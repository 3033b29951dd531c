// Withheld verdicts: what a check looks at is masked, because something that it needs isn't served.
import { Withheld } from "../../harness/core/outcomes.ts";
import { isServed, outcomeOf } from "../../harness/transport/answers.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";

/** @param why e.g. `the balance is not a number` */
export const masked = (why: string): Withheld => new Withheld(`masked: ${why}`);

/** The request wasn't answered as a check needs it; the breach is another requirement's. */
export const maskedBy = (exchange: Exchange, what = "the request"): Withheld =>
  masked(`${what} returned ${outcomeOf(exchange)}`);

/**
 * The exchange, once it is served.
 * @param what was sent, for the reason
 * @throws Withheld where it isn't served: the breach is another requirement's
 */
export function served<E extends Exchange>(exchange: E, what?: string): E {
  if (!isServed(exchange)) throw maskedBy(exchange, what);
  return exchange;
}
