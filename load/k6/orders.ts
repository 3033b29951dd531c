// Orders for k6's scripts and the records that they print; types only
import type { LoadPhase } from "../../harness/record/load.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import type { TimedWireRequest } from "../../harness/transport/timedRequests.ts";

export interface K6Request {
  readonly method: string;
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
  readonly body_base64: string | null;
}

export interface K6Answer {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly body_base64: string;
  /** k6's error code; 0 where there is an answer. */
  readonly errorCode: number;
  readonly error: string;
}

export type K6TimedRequest = K6Request & Omit<TimedWireRequest, "request">;

/** Orders for schedule.ts. */
export interface ScheduleOrders {
  readonly timedRequests: readonly K6TimedRequest[];
  /** From sending until k6 gives up. */
  readonly deadline_ms: number;
  /** From k6's setup to the start of the schedule. */
  readonly lead_ms: number;
}

/** What schedule.ts prints about a timed request; times are after the start of the schedule. */
export interface ScheduleRecord {
  readonly nth: number;
  /** When the script called k6 to send. */
  readonly called_ms: number;
  /** When the connection stood: never later than the first byte. */
  readonly sent_ms: number;
  /** When the answer was complete: never earlier than its last byte. */
  readonly received_ms: number;
  readonly answer: K6Answer;
}

/** The last line of every script. */
export interface K6Summary {
  readonly iterations: number;
  readonly droppedIterations: number;
  readonly requests: number;
}

/** One request of a mix, with what laws need to know about it. `sent` is redacted; keys are marks. */
export interface TrafficShare {
  readonly request: K6Request;
  readonly exchange: Pick<Exchange, "requestSpec" | "protocol" | "asker" | "isOwn" | "sent">;
}

interface TrafficPhase extends Pick<LoadPhase, "seconds" | "perSecond"> {
  readonly startAfter_s: number;
  /** The share of answers that is judged, chosen by the seed. */
  readonly judged: number;
  /** The share of answers that is returned whole. */
  readonly shown: number;
}

/** Orders for traffic.ts. */
export interface TrafficOrders {
  readonly shares: readonly TrafficShare[];
  /** Indices into the shares, one per request, repeated. */
  readonly order: readonly number[];
  readonly phases: readonly TrafficPhase[];
  readonly seed: number;
  readonly deadline_ms: number;
  /** Its name. */
  readonly target: string;
  /** The key of each role, or the environment variable that has it. */
  readonly keys: { readonly [role: string]: { readonly value?: string; readonly variable?: string } };
  /** How many generators send the load together. */
  readonly of: number;
  /** When all of them begin, in Unix time; null where each begins at once. */
  readonly startAt_ms: number | null;
  /** Set where the output is kept as a log: what it says of its load, without keys. */
  readonly kept: object | null;
}

/** The first that traffic.ts prints, as its load begins. */
export interface TrafficHead {
  /** Its segment as k6 has it, such as `1/3:2/3`; null where it is the only generator. */
  readonly segment: string | null;
  /** In Unix time, by the clock of its machine. */
  readonly beganAt_ms: number;
  readonly kept: object | null;
}

/** What one of several generators prints at its end. */
export interface TrafficPulse {
  /** The longest time for which its process didn't run. */
  readonly stoodStill_ms: number;
}

/** Everything that traffic.ts prints but k6's counts. */
export type TrafficLog = TrafficHead | TrafficPulse | TrafficRecord | TrafficShown;

/** What traffic.ts prints about each request, kept short. */
export type TrafficRecord = readonly [
  /** Its place among all iterations of the load, those of other generators included. */
  nth: number,
  phase: number,
  share: number,
  /** An index into `loadOutcomes`. */
  outcome: number,
  latency_us: number,
  isJudged: 0 | 1,
  broken: readonly string[],
  /** Of a slow answer, whether k6 was short of processor time. */
  isStarved?: 0 | 1,
  /** When it was sent, in whole seconds since the load began; 0 where it is left out. */
  sentAfter_s?: number,
];

/** An answer that is returned whole: one of the sample, or one that broke a requirement. */
export interface TrafficShown {
  readonly nth: number;
  readonly share: number;
  readonly sentAt_ms: number;
  readonly latency_ms: number;
  /** Null where it wasn't judged. */
  readonly broken: readonly string[] | null;
  readonly answer: K6Answer;
  /** Set where keys were removed from the answer, which isn't quite the judged one any more. */
  readonly isRedacted?: true;
}
