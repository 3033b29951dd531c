// How many slots each vendor is behind the panel's newest, and what the round trips leave uncertain.
import { median } from "simple-statistics";
import type { Freshness } from "./panelReport.ts";

/** A slot that an answer claims; it was taken between sending and receiving. */
export interface Sighting {
  readonly vendor: number;
  readonly slot: number;
  /** Unix time in ms, by our clock. */
  readonly sent_ms: number;
  readonly received_ms: number;
}

/** Solana's aim. */
const slot_ms = 400;
/** A replica may be one behind. */
const stale_slots = 2;

/** The slot that so many of these have reached; below all where there are fewer. */
export const reached = (witnesses: number, slots: readonly number[]): number =>
  slots.toSorted((a, b) => b - a)[witnesses - 1] ?? Number.NEGATIVE_INFINITY;

/**
 * @param polls of one operation, in order of time; each began when all before it were answered
 * @param reference whose slots count as the newest, instead of those that two others have reached
 */
export function freshnessIn(polls: readonly (readonly Sighting[])[], reference: number | null): readonly Freshness[] {
  const witnesses = reference === null ? 2 : 1;
  /** The newest slot of each vendor in earlier polls: what others had before anybody was asked is certain. */
  const newest = new Map<number, number>();
  const found = new Map<
    number,
    { readonly behind: { [slots: string]: number }; readonly round_ms: number[]; stale: number }
  >();
  for (const poll of polls) {
    for (const { vendor, slot, sent_ms, received_ms } of poll) {
      const isTrusted = (other: number): boolean => other !== vendor && (reference ?? other) === other;
      const others = poll.filter((one) => isTrusted(one.vendor)).map((one) => one.slot);
      const before = [...newest].filter(([other]) => isTrusted(other)).map(([, seen]) => seen);
      const lags = found.get(vendor) ?? { behind: {}, round_ms: [], stale: 0 };
      found.set(vendor, lags);
      const slots = Math.max(0, reached(Math.min(witnesses, others.length), others) - slot);
      lags.behind[slots] = (lags.behind[slots] ?? 0) + 1;
      lags.round_ms.push(received_ms - sent_ms);
      if (reached(witnesses, before) - slot >= stale_slots) lags.stale += 1;
    }
    for (const { vendor, slot } of poll) newest.set(vendor, Math.max(slot, newest.get(vendor) ?? 0));
  }
  return [...found]
    .sort(([a], [b]) => a - b)
    .map(([vendor, { behind, round_ms, stale }]) => {
      return { vendor, behind, uncertain: Math.round((median(round_ms) / slot_ms) * 10) / 10, stale };
    });
}
