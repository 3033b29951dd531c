// Figures of a period by plain arithmetic over the lines of a history, without the product
import type { Night } from "./madeNights.ts";
import type { MadePeriod } from "./madePeriod.ts";

/** Of a summer. */
export const isInSummer = ({ at }: Night): boolean => at >= "2026-07-01" && at < "2026-10-01";

export const judgedIn = (nights: readonly Night[]): readonly Night[] =>
  nights.filter((night) => isInSummer(night) && night.left === null);

export const verdictOn = (night: Night, id: string): string => {
  const { [id]: judged = "absent" } = night.requirements;
  return typeof judged === "string" ? judged : judged.is;
};

const judging = ["holds", "narrowed", "broken", "warned", "noted", "deviates", "renamed"];

export const isJudgedOn = (night: Night, id: string): boolean => judging.includes(verdictOn(night, id));
export const isHeldOn = (night: Night, id: string): boolean => ["holds", "narrowed"].includes(verdictOn(night, id));

export const tenths = (value: number): string => String(Math.round(value * 10) / 10);

/** Wilson's score interval of 95 %, in per cent, to a tenth. */
export function wilson(some: number, n: number): string {
  const z = 1.96;
  const middle = (some + z ** 2 / 2) / (n + z ** 2);
  const half = (z / (n + z ** 2)) * Math.sqrt((some * (n - some)) / n + z ** 2 / 4);
  return `${tenths(100 * Math.max(0, middle - half))} to ${tenths(100 * Math.min(1, middle + half))} %`;
}

/** `86 of 88`, `97.7 %`, `92.1 to 99.4 %`. */
export function shareOn(
  nights: readonly Night[],
  id: string,
): readonly [count: string, share: string, interval: string] {
  const judged = judgedIn(nights).filter((night) => isJudgedOn(night, id));
  const held = judged.filter((night) => isHeldOn(night, id)).length;
  return [`${held} of ${judged.length}`, `${tenths((100 * held) / judged.length)} %`, wilson(held, judged.length)];
}

/** The value at a percentile of sorted samples in µs, in ms. */
export function percentileOf(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return (sorted[Math.ceil(share * sorted.length) - 1] ?? 0) / 1_000;
}

/** What was served in a month, in µs, on nights whose histograms are there. */
export const answersIn = (
  nights: readonly Night[],
  samples: MadePeriod["samples"],
  { operation, month }: { readonly operation: string; readonly month: string },
): readonly number[] =>
  judgedIn(nights)
    .filter(({ at, latencies }) => at.startsWith(month) && latencies.some(({ histogram }) => histogram))
    .flatMap(({ id }) => samples.get(id)?.[operation] ?? []);
