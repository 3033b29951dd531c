// The days of credit cycles, from the subscription's billing anchor, in UTC (§2.1)
import type { Span } from "../platform/ledger.ts";

/** First and last day, both inclusive, YYYY-MM-DD. */
export interface Window {
  readonly start: string;
  readonly end: string;
}

const day_ms = 86_400_000;

export const utcDayOf = (time_ms: number): string => new Date(time_ms).toISOString().slice(0, 10);
export const timeOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);
export const plusDays = (day: string, days: number): string => utcDayOf(timeOf(day) + days * day_ms);

/** All of its days, whole. */
export const spanOf = ({ start, end }: Window): Span => ({ from_ms: timeOf(start), until_ms: timeOf(end) + day_ms });

/** Midnight of the anchor's day in a month, or of the last day of a shorter month. Months may run beyond 0 to 11. */
function anchorIn(year: number, month: number, anchorDay: number): number {
  const daysInMonth = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(anchorDay, daysInMonth));
}

const anchorDayIn = (year: number, month: number, anchorDay: number): string =>
  utcDayOf(anchorIn(year, month, anchorDay));

/**
 * The monthly cycle that contains an instant, `shift` cycles later or earlier.
 * @param anchor first day of the subscription, YYYY-MM-DD
 */
export function cycleAt(anchor: string, time_ms: number, shift = 0): Window {
  const anchorDay = Number(anchor.slice(8));
  const today = new Date(time_ms);
  const year = today.getUTCFullYear();
  const month = today.getUTCMonth();
  const started = anchorIn(year, month, anchorDay) <= time_ms ? month : month - 1;
  return {
    start: anchorDayIn(year, started + shift, anchorDay),
    end: utcDayOf(anchorIn(year, started + shift + 1, anchorDay) - day_ms),
  };
}

/** The year of invoicing that contains an instant, from the anchor's day on. */
export function yearAt(anchor: string, time_ms: number): Window {
  const [, month, day] = anchor.split("-").map(Number) as [number, number, number];
  const year = new Date(time_ms).getUTCFullYear();
  const started = anchorDayIn(year, month - 1, day) <= utcDayOf(time_ms) ? year : year - 1;
  return { start: anchorDayIn(started, month - 1, day), end: plusDays(anchorDayIn(started + 1, month - 1, day), -1) };
}

/** The calendar month that contains an instant. */
export function monthAt(time_ms: number): Window {
  const today = new Date(time_ms);
  const year = today.getUTCFullYear();
  const month = today.getUTCMonth();
  return { start: utcDayOf(Date.UTC(year, month, 1)), end: utcDayOf(Date.UTC(year, month + 1, 0)) };
}
