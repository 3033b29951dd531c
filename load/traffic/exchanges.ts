// What exchange do a question and what came of it make? The transport's own code says so, and nothing is sent.
import { virtualClock } from "../../harness/core/clock.ts";
import type { Stimulus } from "../../harness/core/stimulus.ts";
import type { Target } from "../../harness/target/target.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import { transportTo } from "../../harness/transport/transport.ts";
import type { WireAnswer } from "../../harness/transport/wire.ts";
import { WireFault } from "../../harness/transport/wireFault.ts";

export type When = Pick<Exchange, "number" | "sentAt_ms" | "latency_ms">;

/** The exchange as if the transport had got that outcome: redacted, and with whoever asked. */
export async function exchangeOf(
  target: Target,
  stimulus: Stimulus,
  outcome: WireAnswer | WireFault,
  when: When,
): Promise<Exchange> {
  const wire = (): Promise<WireAnswer> =>
    outcome instanceof WireFault ? Promise.reject(outcome) : Promise.resolve(outcome);
  // What was spent is counted by whoever sent.
  const exchange = await transportTo({ ...target, budget: {} }, wire, virtualClock(when.sentAt_ms)).send(stimulus);
  return { ...exchange, ...when };
}
