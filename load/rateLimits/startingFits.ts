// Fits of algorithms whose windows begin with a request: the cheapest choice of the requests that begin them
import type { FitsOf } from "./countingFits.ts";
import type { Evidence, Interval } from "./evidence.ts";
import { anyLengths, type Fit, lengthsBetween, mostServed } from "./fits.ts";

type Lengths = readonly [least_ms: number, most_ms: number];

/** A request that began a window; the ones before were surely over by then, or no block has begun since. */
interface State {
  readonly begins: Interval;
  readonly since_ms: number;
  readonly cost: number;
}

/** What may follow a state: the next window begins between two instants, with the first request that comes. */
interface Step {
  readonly unexplained: number;
  readonly over_ms: number;
  /** Infinite where no other window need follow. */
  readonly before_ms: number;
  readonly since_ms: number;
}

type StepsOf = (evidence: Evidence, state: State) => readonly Step[];

/** The fewest decisions that every choice of beginnings leaves unexplained, up to `fewest`. */
function fewestUnexplained(evidence: Evidence, stepsOf: StepsOf, fewest: number): number {
  const { decided, perhaps } = evidence;
  const states = new Map<Interval, State[]>();
  const waiting: State[] = [];
  const enter = (state: State): void => {
    const known = states.get(state.begins) ?? [];
    if (state.cost >= fewest || known.some((one) => one.cost <= state.cost && one.since_ms >= state.since_ms)) return;
    states.set(state.begins, [...known, state]);
    waiting.push(state);
  };
  const latest_ms = decided.firstEndFrom(Number.NEGATIVE_INFINITY);
  for (const begins of perhaps.all)
    if (begins.from_ms <= latest_ms) enter({ begins, since_ms: Number.NEGATIVE_INFINITY, cost: 0 });
  let least = fewest;
  for (let state = waiting.pop(); state && least > 0; state = waiting.pop()) {
    for (const { unexplained, over_ms, before_ms, since_ms } of stepsOf(evidence, state)) {
      const cost = state.cost + unexplained;
      if (cost >= least) continue;
      if (before_ms === Number.POSITIVE_INFINITY) least = cost;
      for (const begins of perhaps.all) {
        if (begins.from_ms > before_ms) break;
        if (begins !== state.begins && begins.to_ms >= over_ms) enter({ begins, since_ms, cost });
      }
    }
  }
  return least;
}

const totalOver = (all: readonly Evidence[], stepsOf: StepsOf, fewest: number): number => {
  let total = 0;
  for (const evidence of all) {
    if (total >= fewest) break;
    total += fewestUnexplained(evidence, stepsOf, fewest - total);
  }
  return total;
};

/** Windows that begin with the first request after the one before. */
const windowSteps =
  (most: number, [least_ms, most_ms]: Lengths): StepsOf =>
  ({ served, refused, perhaps, decided }, { begins, since_ms }) => {
    const [over_ms, surelyOver_ms] = [begins.from_ms + least_ms, begins.to_ms + most_ms];
    const within_ms = Math.min(since_ms, begins.to_ms);
    const isWithin = ({ from_ms, to_ms }: Interval): boolean => from_ms >= within_ms && to_ms < over_ms;
    let [count, unexplained] = [0, 0];
    for (const one of served.all) if (one === begins || isWithin(one)) count += 1;
    for (const one of refused.all)
      if (isWithin(one) && perhaps.possible(begins.from_ms, one.to_ms) < most) unexplained += 1;
    unexplained += Math.max(0, count - most);
    return [{ unexplained, over_ms, before_ms: decided.firstEndFrom(surelyOver_ms), since_ms: surelyOver_ms }];
  };

export const startedWindowFits: FitsOf = function* (all, fewest) {
  for (const lengths of anyLengths) {
    const [least_ms, most_ms] = lengths;
    const [least, most] = servedWithin(all, lengths, fewest);
    for (let served = least; served <= most; served += 1) {
      const unexplained = totalOver(all, windowSteps(served, lengths), fewest);
      if (unexplained < fewest) yield { served, least_ms, most_ms, unexplained };
    }
  }
};

/** Numbers worth a closer look: a time of one length meets two windows at most, and a refusal has its window before. */
function servedWithin(all: readonly Evidence[], [least_ms, most_ms]: Lengths, fewest: number) {
  const [least, most]: [number[], number[]] = [[], []];
  for (const { served, refused, perhaps } of all) {
    for (const { to_ms } of served.all) least.push(Math.ceil(served.certain(to_ms - least_ms, to_ms) / 2));
    for (const { from_ms, to_ms } of refused.all) most.push(perhaps.possible(from_ms - most_ms, to_ms));
  }
  return [
    Math.max(1, least.sort((a, b) => b - a)[fewest - 1] ?? 1),
    Math.min(mostServed, most.sort((a, b) => a - b)[fewest - 1] ?? mostServed),
  ] as const;
}

/** The first refusal begins a block, within a window of any length; then nothing is served for a time. */
const blockSteps =
  (most: number, [least_ms, most_ms]: Lengths): StepsOf =>
  ({ served, refused, perhaps, decided }, { begins, since_ms }) => {
    const within_ms = Math.min(since_ms, begins.to_ms);
    const blockedBy_ms = refused.firstEndFrom(within_ms);
    const untilBlock: Step = {
      unexplained: 0,
      over_ms: begins.from_ms,
      before_ms: Math.min(blockedBy_ms, served.firstEndFrom(begins.to_ms)),
      since_ms,
    };
    if (blockedBy_ms === Number.POSITIVE_INFINITY) return [untilBlock];
    const first = refused.all.find(({ to_ms }) => to_ms >= begins.from_ms);
    const over_ms = Math.max(begins.from_ms, first?.from_ms ?? begins.from_ms) + least_ms;
    const surelyOver_ms = blockedBy_ms + most_ms;
    let unexplained = 0;
    for (const { from_ms, to_ms } of served.all) if (from_ms >= blockedBy_ms && to_ms < over_ms) unexplained += 1;
    if (perhaps.possible(begins.from_ms, blockedBy_ms) < most)
      for (const { from_ms, to_ms } of refused.all) if (from_ms >= within_ms && to_ms < over_ms) unexplained += 1;
    const before_ms = decided.firstEndFrom(surelyOver_ms);
    return [untilBlock, { unexplained, over_ms, before_ms, since_ms: surelyOver_ms }];
  };

/** Shorter blocks would be over before a client could notice. */
const blocks = lengthsBetween(400, 75_000, 1.05);

/** More aren't served at once. */
const mostBeforeBlock = 24;

/** Of each length the largest number that fits best, as windows before blocks may be of any length. */
export const blockFits: FitsOf = function* (all, fewest) {
  for (const [least_ms, most_ms] of blocks) {
    let best: Fit | null = null;
    for (let served = 1; served <= mostBeforeBlock; served += 1) {
      const unexplained = totalOver(all, blockSteps(served, [least_ms, most_ms]), fewest);
      if (unexplained < fewest && unexplained <= (best?.unexplained ?? fewest))
        best = { served, least_ms, most_ms, unexplained };
    }
    if (best) yield best;
  }
};
