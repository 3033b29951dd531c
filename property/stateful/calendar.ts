// First days of credit cycles, by the day of the month of the billing anchor, in UTC (§2.1)

/** YYYY-MM-DD; months beyond the end of the year count on. */
const dayIn = (year: number, month: number, day: number): string =>
  new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10);

function startOf(anchorDay: number, today: string, shift: number): string {
  const [year = 0, month = 0, day = 0] = today.split("-").map(Number);
  return dayIn(year, month - 1 + shift - (day < anchorDay ? 1 : 0), anchorDay);
}

/** @param anchorDay 1 to 28: cycles of later days are unspecified in shorter months */
export const cycleOf = (anchorDay: number, today: string): string => startOf(anchorDay, today, 0);
export const nextCycleOf = (anchorDay: number, today: string): string => startOf(anchorDay, today, 1);

export const plusDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
