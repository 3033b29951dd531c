// The part of a load that one generator sends: what it logs, counted
import type { OperationId } from "../../harness/core/interface.ts";
import { Inconclusive } from "../../harness/core/outcomes.ts";
import { firstOfEach } from "../k6/chance.ts";
import type { K6Summary, TrafficLog, TrafficShown } from "../k6/orders.ts";
import type { Segment } from "../k6/process.ts";
import type { Phase } from "../shapes/shapes.ts";
import type { EarlyEnd } from "./stopping.ts";
import { type Counts, type TrafficCount, TrafficTally, trafficCountOf } from "./tally.ts";

export interface LoadPart extends Segment {
  /** When it was to begin; null where that was at once. As the next, in Unix time by the clock of its machine. */
  readonly startAt_ms: number | null;
  /** When k6 began; null where it didn't. */
  readonly beganAt_ms: number | null;
  readonly begun: Begun;
  /** The longest time for which k6 didn't run; null where it didn't get so far, or is the only one. */
  readonly stoodStill_ms: number | null;
  readonly counts: Counts;
  /** Whole answers, by their places. */
  readonly shown: readonly TrafficShown[];
  /** Of k6; null where it didn't get so far. */
  readonly summary: K6Summary | null;
  /** Null where it didn't end early. */
  readonly stopped: EarlyEnd | null;
  /** Why k6 failed, as a sentence without a full stop; null where it didn't. */
  readonly failure: string | null;
  /** k6's own; null where there is none, or secrets can't be removed. */
  readonly page: string | null;
}

/** The iterations that were begun. Without a gap, places are `first`, `first` + the number of parts, … `last`. */
interface Begun {
  readonly count: number;
  readonly first: number;
  readonly last: number;
  readonly sum: number;
}

/** Whole answers that break one requirement, at most. */
const mostShownOfOne = 3;

/** Takes the first answers that break each requirement, in the order in which it is asked, and all of the sample. */
export function firstShownOfEach(): (shown: Pick<TrafficShown, "broken">) => boolean {
  const isWanted = firstOfEach(mostShownOfOne);
  return ({ broken }) => !broken?.length || isWanted(broken);
}

/** The first by their places: the same ones whichever parts they are in. */
export function firstShown(shown: readonly TrafficShown[]): readonly TrafficShown[] {
  return [...shown].sort((a, b) => a.nth - b.nth).filter(firstShownOfEach());
}

/** Counts what a generator logs. */
export class PartReader {
  readonly segment: Segment;
  readonly tally: TrafficTally;
  readonly #shown: TrafficShown[] = [];
  #stoodStill_ms: number | null = null;
  #begun: Begun = { count: 0, first: Number.MAX_SAFE_INTEGER, last: 0, sum: 0 };
  /** The first, even where another load follows in the same log. */
  #beganAt_ms: number | null = null;

  /** @param operations by the index of the share in records */
  constructor(segment: Segment, operations: readonly OperationId[], phases: readonly Phase[]) {
    this.segment = segment;
    this.tally = new TrafficTally(operations, phases);
  }

  /** @returns what counts of it, where it is the record of a request */
  add(logged: TrafficLog): TrafficCount | null {
    if ("beganAt_ms" in logged) this.#beganAt_ms ??= logged.beganAt_ms;
    else if ("stoodStill_ms" in logged) this.#stoodStill_ms = logged.stoodStill_ms;
    else if ("answer" in logged) this.#shown.push(logged);
    else {
      const [nth] = logged;
      const counted = trafficCountOf(logged);
      this.tally.add(counted);
      const { count, first, last, sum } = this.#begun;
      this.#begun = { count: count + 1, first: Math.min(first, nth), last: Math.max(last, nth), sum: sum + nth };
      return counted;
    }
    return null;
  }

  part({ summary, ...how }: Pick<LoadPart, "startAt_ms" | "summary" | "stopped" | "failure" | "page">): LoadPart {
    // k6 counts the pulse as one of its iterations.
    const ofPulse = this.#stoodStill_ms === null ? 0 : 1;
    return {
      ...this.segment,
      ...how,
      beganAt_ms: this.#beganAt_ms,
      begun: this.#begun,
      stoodStill_ms: this.#stoodStill_ms,
      counts: this.tally.toJSON(),
      shown: firstShown(this.#shown),
      summary: summary && { ...summary, iterations: summary.iterations - ofPulse },
    };
  }
}

/** How k6 ended. */
export async function endOf(
  summarize: () => K6Summary | Promise<K6Summary>,
): Promise<Pick<LoadPart, "summary" | "failure">> {
  try {
    return { summary: await summarize(), failure: null };
  } catch (error) {
    if (!(error instanceof Inconclusive)) throw error;
    return { summary: null, failure: error.message };
  }
}

/** A part of which nothing is known but that it failed. */
export const emptyPart = (segment: Segment, failure: string): LoadPart =>
  new PartReader(segment, [], []).part({ startAt_ms: null, summary: null, stopped: null, failure, page: null });
