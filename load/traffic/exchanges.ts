// Exchanges from requests and answers of k6, as the transport would have made them
import { virtualClock } from "../../harness/core/clock.ts";
import type { RequestSpec } from "../../harness/core/requestSpec.ts";
import type { Target } from "../../harness/targets/target.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { transportTo } from "../../harness/transport/transport.ts";
import type { WireAnswer } from "../../harness/transport/wire.ts";
import { WireFault } from "../../harness/transport/wireFault.ts";

export type When = Pick<Exchange, "number" | "sentAt_ms" | "latency_ms">;

/** The exchange as if the transport had got that outcome, with its caller. */
export async function exchangeOfCall(
  target: Target,
  requestSpec: RequestSpec,
  outcome: WireAnswer | WireFault,
  when: When,
): Promise<Exchange> {
  const wire = (): Promise<WireAnswer> =>
    outcome instanceof WireFault ? Promise.reject(outcome) : Promise.resolve(outcome);
  // k6 sent the request, so that it is counted elsewhere.
  const exchange = await transportTo({ ...target, budget: {} }, wire, virtualClock(when.sentAt_ms)).send(requestSpec);
  return { ...exchange, ...when };
}
