// Samples: timed requests with their results, as the limiter model reads them

/**
 * `refused`: for its rate, as documented · `undocumented`: refused in another way ·
 * `failed`: a server error, a reset or no answer, so that the limiter's decision isn't known.
 */
export type SampleOutcome = "served" | "refused" | "undocumented" | "failed";

/** Times in ms by the sender's clock; the limiter decided between the two. */
export interface Sample {
  readonly sent_ms: number;
  readonly received_ms: number;
  readonly outcome: SampleOutcome;
}

export const countOutcomes = (seen: readonly Sample[], ...outcomes: readonly SampleOutcome[]): number =>
  seen.filter(({ outcome }) => outcomes.includes(outcome)).length;

/** From the first sending to the last receipt: at least as long as it was for the limiter. */
export const duration_ms = (seen: readonly Sample[]): number =>
  Math.max(...seen.map(({ received_ms }) => received_ms)) - Math.min(...seen.map(({ sent_ms }) => sent_ms));

/** From the first sending to the last. */
export const sending_ms = (seen: readonly Sample[]): number =>
  Math.max(...seen.map(({ sent_ms }) => sent_ms)) - Math.min(...seen.map(({ sent_ms }) => sent_ms));

export const latency_ms = ({ sent_ms, received_ms }: Sample): number => received_ms - sent_ms;
