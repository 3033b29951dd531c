// Calls at once: sent regardless of the pace, which a limiter may refuse in part (§4.2, §8).
import { Inconclusive, Withheld } from "../../harness/core/outcomes.ts";
import type { RequestSpec } from "../../harness/core/requestSpec.ts";
import type { CheckContext } from "../../harness/model/check.ts";
import { classOf, isServed } from "../../harness/transport/answers.ts";

/** Some calls at once were refused for their rate, and whether a refused call is charged is unspecified. */
export class SomeLimited extends Withheld {
  readonly served: number;

  constructor(served: number, of: number) {
    super(`only ${served} of ${of} calls at once were served, and whether a refused call is charged is unspecified`);
    this.served = served;
  }
}

/**
 * Sends identical calls at once; returns how many.
 * @throws SomeLimited, Withheld where all were refused, Inconclusive where it isn't known how many were served
 */
export async function sendAtOnce({ atOnce, fresh }: CheckContext, calls: readonly RequestSpec[]): Promise<number> {
  const exchanges = await atOnce(calls.map(fresh));
  if (exchanges.length > 0 && exchanges.every((exchange) => classOf(exchange) === "refused"))
    throw new Withheld("each of the calls at once was refused");
  // A call whose answer was lost or another's may have been charged, and identical calls are served alike.
  const clear = exchanges.filter((exchange) => ["served", "limited"].includes(classOf(exchange)));
  const unclear = calls.length - clear.length;
  if (unclear > 0)
    throw new Inconclusive(`${unclear} of ${calls.length} calls at once got no answer that can be judged`);
  const served = exchanges.filter(isServed).length;
  if (served < calls.length) throw new SomeLimited(served, calls.length);
  return served;
}
