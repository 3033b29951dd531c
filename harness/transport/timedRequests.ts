// Timed requests: the contract between experiments with limits and the generator that sends them.
import type { RequestSpec } from "../core/requestSpec.ts";
import type { Exchange } from "./exchange.ts";
import type { WireAnswer, WireRequest } from "./wire.ts";
import type { WireFault } from "./wireFault.ts";

/** A request of a schedule, with its time in ms after the start. */
export interface TimedRequest {
  readonly at_ms: number;
  readonly requestSpec: RequestSpec;
  /** Requests of one number may share a connection, those of different numbers never do; 0 by default. */
  readonly connection?: number;
}

/** Until the last is sent. */
export const durationOf_ms = (timedRequests: readonly Pick<TimedRequest, "at_ms">[]): number =>
  Math.max(0, ...timedRequests.map(({ at_ms }) => at_ms));

/** What came of a timed request; times in ms after the start of the schedule, by the clock of the generator. */
export interface TimedResult {
  readonly sent_ms: number;
  readonly received_ms: number;
  readonly exchange: Exchange;
}

export type TimedWireRequest = Required<Omit<TimedRequest, "requestSpec">> & { readonly request: WireRequest };

export type TimedAnswer = Omit<TimedResult, "exchange"> & { readonly outcome: WireAnswer | WireFault };

/** Stands for a generator where there is none. */
export interface NoGenerator {
  /** The reason, without a full stop, e.g. "no k6: …". */
  readonly lacks: string;
}

export const noGenerator: NoGenerator = { lacks: "nothing here generates load" };

/** What sends timed requests: k6, or virtual time in this process. */
export interface Generator {
  readonly name: string;
  /** Why it can't send any, without a full stop; null or absent where it can. */
  readonly lacks?: string | null;
  /**
   * One answer for each request, in the order of the requests.
   * @throws Inconclusive where the times weren't kept: saturation, dropped requests, a script that failed
   */
  fire(timedRequests: readonly TimedWireRequest[]): Promise<readonly TimedAnswer[]>;
}
