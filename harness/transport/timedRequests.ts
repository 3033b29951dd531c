// Who sends at set times? The seam between experiments on limits over time and whatever generates the load.

import type { Stimulus } from "../core/stimulus.ts";
import type { Exchange } from "./exchange.ts";
import type { WireAnswer, WireRequest } from "./wire.ts";
import type { WireFault } from "./wireFault.ts";

/** One request of a volley, at so many ms after its start. */
export interface TimedRequest {
  readonly at_ms: number;
  readonly stimulus: Stimulus;
  /** Shots of one number may share a connection, of different numbers never do; 0 where it is left out. */
  readonly connection?: number;
}

/** What came of a shot; times in ms after the volley's start, by the clock of whoever sent it. */
export interface TimedResult {
  readonly sent_ms: number;
  readonly received_ms: number;
  readonly exchange: Exchange;
}

/** A shot as bytes. */
export interface TimedWireRequest {
  readonly at_ms: number;
  readonly connection: number;
  readonly request: WireRequest;
}

export interface TimedAnswer {
  readonly sent_ms: number;
  readonly received_ms: number;
  readonly outcome: WireAnswer | WireFault;
}

/** Why nothing generates load. */
export interface NoGenerator {
  /** For people, without a full stop, e.g. "no k6: …". */
  readonly lacks: string;
}

/** Where nobody says anything else. */
export const noGenerator: NoGenerator = { lacks: "nothing here generates load" };

/** What generates load: k6, or virtual time in this process. */
export interface Generator {
  readonly name: string;
  /**
   * One landing for each round, in their order.
   * @throws Inconclusive where it couldn't send as it was told: saturated, dropped, a script that failed
   */
  fire(timedRequests: readonly TimedWireRequest[]): Promise<readonly TimedAnswer[]>;
}
