// Fits of algorithms that count: sliding logs, windows at set times, weighted windows, and buckets
import type { Evidence, Intervals, Refused } from "./evidence.ts";
import { anyLengths, Demands, type Fit, fitsOf, hasFit, lengthsBetween, setLengths_ms, sumOf } from "./fits.ts";

/** Gives the limits that leave fewer decisions unexplained than `fewest`. */
export type FitsOf = (all: readonly Evidence[], fewest: number) => Iterable<Fit>;

const tiny = 1e-6;

/** What an algorithm counts: what it serves, or all that comes. */
interface Counted {
  readonly certain: Intervals;
  readonly possible: Intervals;
  /** How many, of those refused at once, came after the nth of them or are itself, and don't explain its refusal. */
  readonly later: (refused: Refused) => number;
}

const countedIn = ({ served, perhaps, decided, all }: Evidence, countsRefused: boolean): Counted =>
  countsRefused
    ? { certain: decided, possible: all, later: ({ later }) => later }
    : { certain: served, possible: perhaps, later: () => 0 };

export const slidingLogFits = (countsRefused: boolean): FitsOf =>
  function* (all, fewest) {
    for (const [least_ms, most_ms] of anyLengths) {
      const demands = new Demands();
      for (const evidence of all) {
        const { certain, possible, later } = countedIn(evidence, countsRefused);
        for (const { from_ms, to_ms } of evidence.served.all) {
          const together = evidence.served.certain(to_ms - least_ms, to_ms);
          const earlier = certain.certain(to_ms - least_ms, from_ms - tiny);
          demands.atLeast(Math.max(together, earlier + 1));
        }
        for (const one of evidence.refusedAtOnce)
          demands.atMost(possible.possible(one.from_ms - most_ms, one.to_ms) - later(one));
      }
      yield* fitsOf(demands.unmet(), [least_ms, most_ms], fewest);
    }
  };

/** So many places within a window where windows may begin, at least; steps of more than 10 ms blur the evidence. */
const fewestPhases = 100;

/** The demands of one experiment on windows of a length that begin at a phase, give or take `blur_ms`. */
type DemandsAt = (evidence: Evidence, length_ms: number, phase_ms: number, blur_ms: number) => Demands;

/** What holds wherever windows begin: their length meets two of them; a refusal has its reasons in so many. */
function demandsAnywhere(
  all: readonly Evidence[],
  length_ms: number,
  windows: number,
  countsRefused: boolean,
): Demands {
  const demands = new Demands();
  for (const evidence of all) {
    const { possible } = countedIn(evidence, countsRefused);
    for (const { to_ms } of evidence.served.all) demands.atLeast(evidence.served.certain(to_ms - length_ms, to_ms) / 2);
    for (const { from_ms, to_ms } of evidence.refused.all)
      demands.atMost(possible.possible(from_ms - windows * length_ms, to_ms));
  }
  return demands;
}

/** Windows of one length begin somewhere else in each experiment, as clocks aren't compared. */
const phasedFits = (demandsAt: DemandsAt, windows: number, countsRefused = false): FitsOf =>
  function* (all, fewest) {
    for (const length_ms of setLengths_ms) {
      if (!hasFit(demandsAnywhere(all, length_ms, windows, countsRefused).unmet(), fewest)) continue;
      const phases = Math.max(fewestPhases, Math.min(200, length_ms / 10));
      const step_ms = length_ms / phases;
      const leastIn = (evidence: Evidence): Int32Array => {
        const unmetAt = (nth: number): Int32Array =>
          demandsAt(evidence, length_ms, (nth + 0.5) * step_ms, step_ms / 2).unmet();
        let least = unmetAt(0);
        for (let nth = 1; nth < phases; nth += 1) {
          const unmet = unmetAt(nth);
          least = least.map((count, served) => Math.min(count, unmet[served] ?? 0));
        }
        return least;
      };
      let unmet = new Demands().unmet();
      for (const evidence of all) {
        unmet = sumOf([unmet, leastIn(evidence)]);
        if (!hasFit(unmet, fewest)) break;
      }
      yield* fitsOf(unmet, [length_ms, length_ms], fewest);
    }
  };

const startOf = (at_ms: number, length_ms: number, phase_ms: number): number =>
  Math.floor((at_ms - phase_ms) / length_ms) * length_ms + phase_ms;

export const setWindowFits: FitsOf = phasedFits((evidence, length_ms, phase_ms, blur_ms) => {
  const demands = new Demands();
  const { served, refused, perhaps } = evidence;
  for (const { from_ms, to_ms } of served.all) {
    const start_ms = startOf(from_ms, length_ms, phase_ms);
    demands.atLeast(served.certain(start_ms + blur_ms, Math.min(to_ms, start_ms + length_ms - blur_ms)));
  }
  for (const { from_ms, to_ms } of refused.all) {
    let most = 0;
    for (
      let start_ms = startOf(from_ms - blur_ms, length_ms, phase_ms);
      start_ms <= to_ms + blur_ms;
      start_ms += length_ms
    )
      most = Math.max(most, perhaps.possible(start_ms - blur_ms, Math.min(to_ms, start_ms + length_ms + blur_ms)));
    demands.atMost(most);
  }
  return demands;
}, 1);

/** Some implementations round the earlier window's share down. */
interface Weighing {
  readonly countsRefused: boolean;
  readonly roundsDown: boolean;
}

export const weightedFits = ({ countsRefused, roundsDown }: Weighing): FitsOf =>
  phasedFits(
    (evidence, length_ms, phase_ms, blur_ms) => {
      const demands = new Demands();
      const { certain, possible, later } = countedIn(evidence, countsRefused);
      const share = (count: number, into_ms: number): number => {
        const weighted = count * (1 - Math.min(1, Math.max(0, into_ms / length_ms)));
        return roundsDown ? Math.floor(weighted + tiny) : weighted;
      };
      for (const { from_ms, to_ms } of evidence.served.all) {
        const start_ms = startOf(from_ms, length_ms, phase_ms);
        if (to_ms > start_ms + length_ms - blur_ms || from_ms < start_ms + blur_ms) continue;
        const earlier = certain.certain(start_ms - length_ms + blur_ms, start_ms - blur_ms);
        const together = evidence.served.certain(start_ms + blur_ms, to_ms);
        const counted = certain.certain(start_ms + blur_ms, from_ms - tiny) + 1;
        demands.atLeast(share(earlier, to_ms + blur_ms - start_ms) + Math.max(together, counted) - tiny);
      }
      for (const one of evidence.refusedAtOnce) {
        const { from_ms, to_ms } = one;
        let most = 0;
        for (
          let start_ms = startOf(from_ms - blur_ms, length_ms, phase_ms);
          start_ms <= to_ms + blur_ms;
          start_ms += length_ms
        ) {
          const earlier = possible.possible(start_ms - length_ms - blur_ms, start_ms + blur_ms);
          const now = possible.possible(start_ms - blur_ms, Math.min(to_ms, start_ms + length_ms + blur_ms));
          const left = Math.max(0, now - later(one));
          const estimate = share(earlier, from_ms - blur_ms - start_ms) + left + 1;
          most = Math.max(most, Math.ceil(estimate - tiny) - 1);
        }
        demands.atMost(most);
      }
      return demands;
    },
    2,
    countsRefused,
  );

/** Times in which a bucket earns one token, from 50 per second to one in 20 s. */
const earning = lengthsBetween(20, 20_000, 1.02);

/** How many requests, within which time. */
type Span = readonly [count: number, lasted_ms: number];

/** The most of spans by count, less what a bucket earns meanwhile. */
const mostOver = (spans: readonly Span[], token_ms: number): number => {
  let most = 0;
  for (const [count, lasted_ms] of spans) most = Math.max(most, count - lasted_ms / token_ms);
  return most;
};

/** What a bucket holds may be no whole number of tokens. */
const parts = 4;

/** What one experiment shows of a bucket, for each request that was served and each that was refused. */
type Spans = Readonly<Record<"behindServed" | "beforeRefused", readonly (readonly Span[])[]>>;

/** Buckets, full at first. @param lack tokens that may be missing */
function fitsLacking(lack: number, all: readonly Spans[], fewest: number): Fit[] {
  const fits: Fit[] = [];
  for (const [least_ms, most_ms] of earning) {
    const demands = new Demands();
    for (const { behindServed, beforeRefused } of all) {
      for (const spans of behindServed) demands.atLeast(parts * mostOver(spans, least_ms) - 1 - tiny);
      for (const spans of beforeRefused) demands.atMost(parts * (mostOver(spans, most_ms) + 1 + lack) - tiny);
      if (!hasFit(demands.unmet(), fewest)) break;
    }
    for (const { served, unexplained } of fitsOf(demands.unmet(), [least_ms, most_ms], fewest)) {
      // A bucket that holds less than it may lack refuses everything.
      if (served < parts * (1 + lack)) continue;
      const tokens = Math.floor((served + 1) / parts);
      fits.push({ served: tokens, least_ms: tokens * least_ms, most_ms: tokens * most_ms, unexplained });
    }
  }
  return fits;
}

/**
 * Where no other fits, buckets that earn whole tokens, at set times for instance, so that up to one is missing: that is
 * margin enough, and they have to explain all.
 */
export const bucketFits: FitsOf = (all, fewest) => {
  const spans = all.map((one) => ({ behindServed: spansBehind(one.served), beforeRefused: gapsBefore(one) }));
  const fits = fitsLacking(0, spans, fewest);
  return fits.some(({ unexplained }) => unexplained === 0) ? fits : [...fits, ...fitsLacking(1, spans, 1)];
};

/** For each one that was served: how many were for sure, up to it, and within which time at most. */
const spansBehind = (served: Intervals): readonly (readonly Span[])[] =>
  served.all.map(({ to_ms }) =>
    served.all
      .filter((earlier) => earlier.from_ms <= to_ms)
      .map(({ from_ms }): Span => [served.certain(from_ms - tiny, to_ms), to_ms - from_ms]),
  );

/** For each one that was refused: how many may have been served until then, and within which time at least. */
const gapsBefore = ({ refused, perhaps }: Evidence): readonly (readonly Span[])[] =>
  refused.all.map(({ from_ms, to_ms }) =>
    perhaps.all
      .filter((earlier) => earlier.from_ms <= to_ms)
      .map((earlier): Span => [perhaps.possible(earlier.to_ms, to_ms), Math.max(0, from_ms - earlier.to_ms)]),
  );
