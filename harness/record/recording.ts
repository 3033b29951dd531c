// What was read of a recording, or of the traffic through a proxy, and how much of it could be judged.
import type { RequirementId } from "../core/interface.ts";
import type { Unjudged } from "../model/event.ts";

/** So many exchanges, and why they weren't judged or what they broke. */
interface Counted {
  readonly exchanges: number;
}

export interface RecordingReport {
  /** Files, or the proxy. */
  readonly sources: readonly string[];
  /** A request of a batch counts as one. */
  readonly exchanges: number;
  readonly judged: number;
  readonly operations: readonly ({ readonly operation: string } & Counted)[];
  readonly broken: readonly ({ readonly id: RequirementId } & Counted)[];
  /** The most frequent first. */
  readonly unjudged: readonly Unjudged[];
}
