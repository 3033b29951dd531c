// Numbers for people, as British English writes them: 1,234 requests, 0.3 ms.

export const numberText = (value: number): string => value.toLocaleString("en-GB");

export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${numberText(count)} ${count === 1 ? one : many}`;

/** Counts with their words, without those that are zero. */
export const countsOf = (...counts: readonly (readonly [count: number, one: string, many?: string])[]): string[] =>
  counts.flatMap(([count, one, many]) => (count > 0 ? [counted(count, one, many)] : []));

/** No more digits than a measured time deserves. */
export const inMs = (value_ms: number): string =>
  value_ms.toLocaleString(
    "en-GB",
    value_ms < 10 ? { minimumFractionDigits: 1, maximumFractionDigits: 1 } : { maximumFractionDigits: 0 },
  );

/** A rate or a duration, to a tenth. */
export const toTenths = (value: number): string => String(Math.round(value * 10) / 10);

/** `45 s`, `5 min 30 s`. */
export function durationText(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 100) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  const rest = whole % 60;
  return `${numberText(minutes)} min${rest > 0 && minutes < 10 ? ` ${rest} s` : ""}`;
}

/** `2026-03-01 12:00:00 UTC`, of an instant as runs have it. */
export const whenText = (instant: string): string => `${instant.slice(0, 19).replace("T", " ")} UTC`;
