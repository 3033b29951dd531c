// What is k6 told, and what does it say back? The words between scripts and whoever starts them; nothing here runs.
import type { Exchange } from "../../harness/transport/exchange.ts";

/** A request as k6 can send it. */
export interface K6Request {
  readonly method: string;
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
  /** The body's bytes; null where there is none. */
  readonly body_base64: string | null;
}

/** What k6 made of one request. */
export interface K6Answer {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly body_base64: string;
  /** k6's own number of what went wrong; 0 where an answer came. */
  readonly errorCode: number;
  readonly error: string;
}

export interface K6TimedRequest extends K6Request {
  readonly at_ms: number;
  readonly connection: number;
}

/** Orders of volley.ts. */
export interface ScheduleOrders {
  readonly timedRequests: readonly K6TimedRequest[];
  /** From the last time to send until k6 gives up. */
  readonly deadline_ms: number;
  /** Between k6's being ready and the volley's start. */
  readonly lead_ms: number;
}

/** What volley.ts says of a round; times after the volley's start. */
export interface ScheduleRecord {
  /** Index of the round. */
  readonly nth: number;
  /** When the script told k6 to send. */
  readonly called_ms: number;
  /** When the connection was there: never later than the first byte. */
  readonly sent_ms: number;
  /** When the answer was whole: never earlier than its last byte. */
  readonly received_ms: number;
  readonly answer: K6Answer;
}

/** The last line of every script. */
export interface Summary {
  readonly iterations: number;
  readonly droppedIterations: number;
  readonly requests: number;
}

/** One request of a mix, with what the laws must know of it. Its `sent` is redacted. */
export interface TrafficShare {
  readonly request: K6Request;
  readonly exchange: Pick<Exchange, "stimulus" | "protocol" | "asker" | "isOwn" | "sent">;
}

export interface TrafficPhase {
  readonly startAfter_s: number;
  readonly seconds: number;
  readonly perSecond: number;
  /** Of its answers so many are judged, chosen by the seed: 1 for all. */
  readonly judged: number;
  /** Of its answers so many are handed back whole. */
  readonly shown: number;
}

/** Orders of traffic.ts. */
export interface TrafficOrders {
  readonly shares: readonly TrafficShare[];
  /** Indices into the shares, one for each request, over and over. */
  readonly order: readonly number[];
  readonly phases: readonly TrafficPhase[];
  readonly seed: number;
  readonly deadline_ms: number;
}

/** What traffic.ts says of each request, kept short: phase, share, index of its outcome, latency in µs, whether it was judged, and what it broke. */
export type TrafficRecord = readonly [
  phase: number,
  share: number,
  outcome: number,
  latency_us: number,
  isJudged: 0 | 1,
  broken: readonly string[],
];

/** An answer that is handed back whole: one of the sample, or one that broke something. */
export interface TrafficShown {
  readonly share: number;
  readonly sentAt_ms: number;
  readonly latency_ms: number;
  /** Null where it wasn't judged. */
  readonly broken: readonly string[] | null;
  readonly answer: K6Answer;
}
