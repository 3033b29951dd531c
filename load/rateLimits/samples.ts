// What came of each request of an experiment on a limit, and when?

/**
 * `refused`: for its rate, in the documented way · `otherwise`: refused in another way ·
 * `failed`: a server error, a reset, no answer: nothing is known of what a limiter thought of it.
 */
export type Outcome = "served" | "refused" | "otherwise" | "failed";

/** Times in ms, by the clock of whoever sent it: the limiter looked at it somewhere between the two. */
export interface Sample {
  readonly sent_ms: number;
  readonly received_ms: number;
  readonly outcome: Outcome;
}

export const count = (seen: readonly Sample[], ...outcomes: readonly Outcome[]): number =>
  seen.filter(({ outcome }) => outcomes.includes(outcome)).length;

/** From the first sending to the last receipt: no shorter than what passed for the limiter. */
export const duration_ms = (seen: readonly Sample[]): number =>
  Math.max(...seen.map(({ received_ms }) => received_ms)) - Math.min(...seen.map(({ sent_ms }) => sent_ms));

/** From the first sending to the last. */
export const sending_ms = (seen: readonly Sample[]): number =>
  Math.max(...seen.map(({ sent_ms }) => sent_ms)) - Math.min(...seen.map(({ sent_ms }) => sent_ms));

export const latency_ms = ({ sent_ms, received_ms }: Sample): number => received_ms - sent_ms;
