// Change points of latencies over nights: lasting, significant, and large enough to matter
import { errorFunction, median, medianAbsoluteDeviation } from "simple-statistics";
import { corrected } from "../compare/statistics.ts";

/** One percentile over nights, in ms; null where a night has none. */
export interface Series {
  readonly operation: string;
  readonly percentile: "p50" | "p95";
  readonly figures: readonly (number | null)[];
}

export interface ChangePoint extends Omit<Series, "figures"> {
  /** The first night of the new level. */
  readonly night: number;
  /** Medians before it, and on its first nights. */
  readonly was: number;
  readonly is: number;
  /** Corrected for all series of the night. */
  readonly p: number;
}

/** A new level is reported once it has lasted this many nights; a busy night or two don't count. */
const lasting = 4;
/** Older nights are left out, as latencies drift. */
const mostBefore = 11;
const fewestBefore = 8;
/** As a share, and in the series' unit: of all but one night of the new level, and of each. Less may be drift. */
const smallest = { share: 0.18, ofEach: 0.1, by: 1 } as const;
/** Nights differ at least so much among themselves, as a share. */
const leastSpread = 0.03;
/** How far the two weakest nights of a new level may differ, in spreads. */
const agreeing = 4;
/** How often a night without a change may show one in any series. */
const chance = 0.05;

/** A night is busy if all series are slower by this share. */
const smallestShared = 0.15;

/** A figure as its logarithm, and by how much that night was busier for all series. */
interface Known {
  readonly night: number;
  readonly log: number;
  readonly shared: number;
}

const own = ({ log, shared }: Known): number => log - shared;

/** Compares the last nights with those before, by medians, which a busy night in ten doesn't move. */
function candidateOf(known: readonly Known[]): Omit<ChangePoint, "operation" | "percentile"> | null {
  const last = known.slice(-lasting);
  const before = known.slice(0, -lasting).slice(-mostBefore);
  const [first] = last;
  if (!first || last.length < lasting || before.length < fewestBefore) return null;
  const were = before.map(own);
  const was = median(were);
  const shift = median(last.map((one) => own(one) - was));
  const grown = last.map((one) => Math.sign(shift) * (own(one) - was)).sort((a, b) => a - b);
  const [weakest, weak] = grown as [number, number]; // As many as last.
  const spread = Math.max(leastSpread, 1.4826 * medianAbsoluteDeviation(were));
  // Busy nights differ more among themselves than the nights of a level.
  if (weak - weakest > agreeing * spread) return null;
  const wasFigure = Math.exp(was);
  const is = Math.exp(was + shift);
  const isSmall =
    weakest < Math.log(1 + smallest.ofEach) ||
    weak < Math.log(1 + smallest.share) ||
    Math.abs(is - wasFigure) < smallest.by;
  // The error of a median of normal values is 1.2533 times that of their mean.
  const z = Math.abs(shift) / (1.2533 * spread * Math.sqrt(1 / last.length + 1 / before.length));
  const p = isSmall ? 1 : Math.max(0, 1 - errorFunction(z / Math.SQRT2));
  return { night: first.night, was: wasFigure, is, p };
}

interface Level {
  readonly of: Omit<Series, "figures">;
  known: readonly Known[];
}

/** By how much all series differ from their levels on a night; 0 where that is no more than drift. */
function sharedOf(nights: readonly { readonly level: Level; readonly log: number }[]): number {
  const shifts = nights.flatMap(({ level: { known }, log }) =>
    known.length >= fewestBefore ? [log - median(known.map(own))] : [],
  );
  const shared = shifts.length === 0 ? 0 : median(shifts);
  return Math.abs(shared) < Math.log(1 + smallestShared) ? 0 : shared;
}

/** A shift that all series share for this long is a new level, not a busy spell. */
const isLevel = (shares: readonly number[]): boolean =>
  shares.length === lasting &&
  shares.every((shared) => shared !== 0) &&
  Math.max(...shares) - Math.min(...shares) <= agreeing * leastSpread;

/** Night by night, as they come: what later nights show doesn't change what was found before. */
export function changePointsIn(series: readonly Series[]): readonly ChangePoint[] {
  const levels = series.map(({ operation, percentile }): Level => ({ of: { operation, percentile }, known: [] }));
  const found: ChangePoint[] = [];
  let shares: readonly number[] = [];
  for (let night = 0; night < Math.max(0, ...series.map(({ figures }) => figures.length)); night += 1) {
    const nights = levels.flatMap((level, nth) => {
      const figure = series[nth]?.figures[night] ?? null;
      return figure === null ? [] : [{ level, log: Math.log(figure) }];
    });
    if (nights.length === 0) continue;
    const shared = sharedOf(nights);
    shares = [...shares, shared].slice(-lasting);
    for (const { level, log } of nights) {
      const known = [...level.known, { night, log, shared }].slice(-lasting - mostBefore);
      level.known = isLevel(shares) ? known.map((one) => ({ ...one, shared: 0 })) : known;
    }
    const candidates = nights.flatMap(({ level }) => {
      const candidate = candidateOf(level.known);
      return candidate ? [{ level, candidate }] : [];
    });
    const ps = corrected(candidates.map(({ candidate }) => candidate.p));
    for (const [nth, { level, candidate }] of candidates.entries()) {
      const p = ps[nth] ?? 1;
      if (p >= chance) continue;
      found.push({ ...level.of, ...candidate, p });
      level.known = level.known.filter((one) => one.night >= candidate.night);
    }
  }
  return found;
}
