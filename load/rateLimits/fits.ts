// How well limits fit evidence: the decisions that one of them can't explain, whenever requests arrived

/** A limit of so many requests in a time, which lies between two. */
export interface Fit {
  readonly served: number;
  readonly least_ms: number;
  readonly most_ms: number;
  /** Decisions that no times of arrival explain. */
  readonly unexplained: number;
}

/** More than any experiment serves in one window. */
export const mostServed = 150;

/** What each decision demands of the number that is served in a window. */
export class Demands {
  readonly #least = new Int32Array(mostServed + 2);
  readonly #most = new Int32Array(mostServed + 2);

  /** A request was served: so many are. */
  atLeast(served: number): void {
    const place = Math.min(mostServed + 1, Math.max(0, Math.ceil(served)));
    this.#least[place] = (this.#least[place] ?? 0) + 1;
  }

  /** A request was refused: no more are. */
  atMost(served: number): void {
    const place = Math.min(mostServed + 1, Math.max(0, Math.floor(served)));
    this.#most[place] = (this.#most[place] ?? 0) + 1;
  }

  /** How many demands a limit doesn't meet, by how many it serves. */
  unmet(): Int32Array {
    const unmet = new Int32Array(mostServed + 1);
    let [above, below] = [0, 0];
    for (let served = mostServed; served > 0; served -= 1) unmet[served] = above += this.#least[served + 1] ?? 0;
    for (let served = 1; served <= mostServed; served += 1)
      unmet[served] = (unmet[served] ?? 0) + (below += this.#most[served - 1] ?? 0);
    return unmet;
  }
}

/** Lengths between two, which cover all. */
export const lengthsBetween = (
  shortest_ms: number,
  longest_ms: number,
  ratio: number,
): readonly (readonly [least_ms: number, most_ms: number])[] =>
  Array.from({ length: Math.ceil(Math.log(longest_ms / shortest_ms) / Math.log(ratio)) }, (_, nth) => [
    shortest_ms * ratio ** nth,
    shortest_ms * ratio ** (nth + 1),
  ]);

/** Lengths of windows that begin with a request; any is possible. */
export const anyLengths = lengthsBetween(50, 75_000, 1.02);

/** Lengths of windows at set times: those that divide clocks evenly. */
export const setLengths_ms = [
  100, 200, 250, 500, 1_000, 1_500, 2_000, 2_500, 3_000, 4_000, 5_000, 6_000, 10_000, 12_000, 15_000, 20_000, 30_000,
  60_000,
];

/** Those of one length with few enough unexplained decisions. */
export function* fitsOf(
  unmet: Int32Array,
  [least_ms, most_ms]: readonly [number, number],
  fewest: number,
): Generator<Fit> {
  for (let served = 1; served <= mostServed; served += 1) {
    const unexplained = unmet[served] ?? 0;
    if (unexplained < fewest) yield { served, least_ms, most_ms, unexplained };
  }
}

export const hasFit = (unmet: Int32Array, fewest: number): boolean =>
  unmet.some((count, served) => served > 0 && count < fewest);

export const sumOf = (all: readonly Int32Array[]): Int32Array =>
  Int32Array.from({ length: mostServed + 1 }, (_, served) => all.reduce((total, one) => total + (one[served] ?? 0), 0));
