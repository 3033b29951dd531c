// Evidence of a limiter: samples as intervals within which it decided, and how many of them are when
import { countBelow, countUpTo } from "../../harness/core/sorted.ts";
import { latency_ms, type Sample } from "./samples.ts";

export interface Interval {
  readonly from_ms: number;
  readonly to_ms: number;
}

/** Clocks count whole milliseconds, the sender's and the limiter's. */
const tolerance_ms = 3;

/** Intervals that can be counted by where they begin and end. */
export class Intervals {
  /** In the order in which they begin. */
  readonly all: readonly Interval[];
  readonly #begins: Float64Array;
  readonly #ends: Float64Array;

  constructor(all: readonly Interval[]) {
    this.all = [...all].sort((a, b) => a.from_ms - b.from_ms);
    this.#begins = Float64Array.from(this.all, ({ from_ms }) => from_ms);
    this.#ends = Float64Array.from(this.all, ({ to_ms }) => to_ms).sort();
  }

  /** At most so many decisions were made between the two instants, both included. */
  possible(from_ms: number, to_ms: number): number {
    return Math.max(0, countUpTo(this.#begins, to_ms) - countBelow(this.#ends, from_ms));
  }

  /** At least so many decisions were made after the first instant and not after the second. */
  certain(after_ms: number, to_ms: number): number {
    return Math.max(0, countUpTo(this.#ends, to_ms) - countUpTo(this.#begins, after_ms));
  }

  /** Where those that begin at an instant or later first end. */
  firstEndFrom(from_ms: number): number {
    let first = Number.POSITIVE_INFINITY;
    for (let nth = countBelow(this.#begins, from_ms); nth < this.all.length; nth += 1) {
      const { from_ms: begins_ms = first, to_ms = first } = this.all[nth] ?? {};
      if (begins_ms > first) break;
      first = Math.min(first, to_ms);
    }
    return first;
  }
}

/** A refused request among those refused at once, whose order isn't known. */
export interface Refused extends Interval {
  /** How many of them it is, with those after it. */
  readonly later: number;
}

/** Sent within so long, requests are sent at once. */
const atOnce_ms = 20;

function refusedAtOnce({ all }: Intervals): readonly Refused[] {
  const groups: Interval[][] = [];
  for (const one of all) {
    const group = groups.at(-1);
    if (group?.[0] && one.from_ms - group[0].from_ms < atOnce_ms) group.push(one);
    else groups.push([one]);
  }
  return groups.flatMap((group) => {
    const [from_ms, to_ms] = [Math.min(...group.map((one) => one.from_ms)), Math.max(...group.map((one) => one.to_ms))];
    return group.map((_, nth) => ({ from_ms, to_ms, later: group.length - nth }));
  });
}

/** One experiment: the limiter decided on each request between its sending and its receipt. */
export interface Evidence {
  readonly served: Intervals;
  readonly refused: Intervals;
  readonly refusedAtOnce: readonly Refused[];
  /** Served, or perhaps served. */
  readonly perhaps: Intervals;
  /** Served or refused. */
  readonly decided: Intervals;
  readonly all: Intervals;
}

/** Both ways of the quickest request, less half of what the others usually take beyond: no request is quicker. */
function quickest_ms(all: readonly Sample[]): number {
  const took = all
    .filter(({ outcome }) => outcome !== "failed")
    .map(latency_ms)
    .sort((a, b) => a - b);
  const [least = 0, usual = 0] = [took[0], took[took.length >> 1]];
  return Math.max(0, least - Math.max(2 * tolerance_ms, (usual - least) / 2));
}

/**
 * Experiments as evidence. All ways are shortened by the quickest there and back, which moves all decisions alike.
 * @param experiments samples of callers who take the same way
 */
export function evidenceOf(experiments: readonly (readonly Sample[])[]): readonly Evidence[] {
  const least_ms = quickest_ms(experiments.flat());
  return experiments.map((seen) => evidenceIn(seen, least_ms));
}

function evidenceIn(seen: readonly Sample[], least_ms: number): Evidence {
  const those = (wanted: (outcome: Sample["outcome"]) => boolean): Intervals =>
    new Intervals(
      seen
        .filter(({ outcome }) => wanted(outcome))
        .map(({ sent_ms, received_ms }) => ({
          from_ms: sent_ms - tolerance_ms,
          to_ms: Math.max(sent_ms, received_ms - least_ms) + tolerance_ms,
        })),
    );
  const isDecided = (outcome: Sample["outcome"]): boolean => outcome === "served" || outcome === "refused";
  const refused = those((outcome) => outcome === "refused");
  return {
    served: those((outcome) => outcome === "served"),
    refused,
    refusedAtOnce: refusedAtOnce(refused),
    perhaps: those((outcome) => outcome !== "refused"),
    decided: those(isDecided),
    all: those(() => true),
  };
}
