// The start of a measurement: figures that have settled, and what reading adds to them (amendments 5 and 19).
import type { Asker } from "../../harness/core/requestSpec.ts";
import { awaitedBy, chargePaceOf, learnRestless, waits_ms } from "./chargePace.ts";
import {
  isQuietSince,
  type MeasuredUsage,
  type MeterFigures,
  minus,
  numberOf,
  type Reader,
  type Round,
  readAll,
  zero,
} from "./meterRounds.ts";

const [shortest_ms] = waits_ms;

/** How often figures are looked at again where others move by themselves, or pauses are long. */
export const fewTries = 4;

/** The least wait from one read to the next while figures move by themselves, in ms. */
export const moving_ms = 3_000;

/** Where a measurement starts: figures that have settled. */
export interface Start {
  readonly round: Round;
  /** What one round of reads adds to the figures. */
  readonly self: MeterFigures;
  /** Figures that moved by themselves. */
  readonly moving: ReadonlySet<string>;
}

/** The figures with which the last measurement ended, if nothing has moved them since; else null. */
async function restedStart(context: Reader, askers: readonly Asker[]): Promise<Start | null> {
  const { rested } = chargePaceOf(context);
  const isRested =
    rested !== null &&
    askers.every((as) => rested.askers.includes(as)) &&
    isQuietSince(context, askers, numberOf(rested.round));
  if (!isRested) return null;
  const round = await readAll(context, askers);
  // Other projects may stand in for the askers' own.
  const moved = minus(minus(round.figures, rested.round.figures), rested.self);
  return [...moved.values()].every((by) => by.eq(0)) ? { round, self: rested.self, moving: new Set() } : null;
}

/**
 * Reads until what is measured moves by the same in a longer and in a shorter time, by what reads add. Figures that
 * never do are taken to move without calls.
 * @param pause_ms the longer time
 */
export async function settledStart(context: Reader, measured: MeasuredUsage, pause_ms: number): Promise<Start> {
  const { askers, counters } = measured;
  const restedAgain = await restedStart(context, askers);
  if (restedAgain) return restedAgain;

  const { rested } = chargePaceOf(context);
  const isRestless = chargePaceOf(context).restless.size > 0;
  // Reads that count may show late, so that other checks' reads are no beginning.
  const isFree = rested !== null && [...rested.self.values()].every((by) => by.eq(0));
  const wanted = awaitedBy(context, askers, counters).flatMap(({ figures }) => figures);
  let before = await readAll(context, askers, !isFree);
  let least_ms = pause_ms;
  for (const [tries, wait_ms] of [0, ...waits_ms].entries()) {
    await context.wait(Math.max(wait_ms, least_ms));
    const between = await readAll(context, askers);
    await context.wait(Math.min(wait_ms, shortest_ms));
    const round = await readAll(context, askers);
    const slow = minus(between.figures, before.figures);
    const self = minus(round.figures, between.figures);
    // A series of late charges looks like what reads add, until it ends.
    const isTooQuick = least_ms < moving_ms;
    const moving = new Set(
      [...slow].flatMap(([name, by]) => (!by.eq(self.get(name) ?? zero) || (!by.eq(0) && isTooQuick) ? [name] : [])),
    );
    const unsteady = wanted.filter((name) => moving.has(name) && !chargePaceOf(context).restless.has(name));
    // Others take their time only where none is known to move by itself.
    const isLast = tries === waits_ms.length || (isRestless && tries === fewTries);
    if (isLast) learnRestless(context, unsteady);
    if (isLast || unsteady.length === 0) return { round, self, moving };
    before = round;
    least_ms = Math.max(least_ms, moving_ms);
  }
  throw new Error("there is no last try");
}
