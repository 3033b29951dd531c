// On which day does a credit cycle begin, and the next one? By the anchor's day of the month, in UTC. (§2.1)

/** Midnight of a day of some month, months beyond the year's end included; YYYY-MM-DD. */
const dayIn = (year: number, month: number, day: number): string =>
  new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10);

function startOf(anchorDay: number, today: string, shift: number): string {
  const [year = 0, month = 0, day = 0] = today.split("-").map(Number);
  return dayIn(year, month - 1 + shift - (day < anchorDay ? 1 : 0), anchorDay);
}

/** @param anchorDay 1 to 28: what begins in months that are too short isn't shown */
export const cycleOf = (anchorDay: number, today: string): string => startOf(anchorDay, today, 0);
export const nextCycleOf = (anchorDay: number, today: string): string => startOf(anchorDay, today, 1);

export const plusDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
