// First days of credit cycles, by the day of the month of the billing anchor, in UTC (§2.1)

/** YYYY-MM-DD */
const dayOf = (time_ms: number): string => new Date(time_ms).toISOString().slice(0, 10);

/**
 * @param anchorDay 1 to 28: cycles of later days are unspecified in shorter months
 * @param later in cycles: 0 for the one that holds today; months beyond the end of the year count on
 */
export function cycleOf(anchorDay: number, today: string, later = 0): string {
  const [year = 0, month = 0, day = 0] = today.split("-").map(Number);
  return dayOf(Date.UTC(year, month - 1 + later - (day < anchorDay ? 1 : 0), anchorDay));
}

export const daysAfter = (day: string, days: number): string => dayOf(Date.parse(day) + days * 86_400_000);
