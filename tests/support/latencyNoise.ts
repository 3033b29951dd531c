// Latencies of a year of nights as they come: drawn answer by answer, with busy nights, drift, weekends and gaps
import { randomFrom } from "../../proof/limiter/simulatedPlatform.ts";
import type { Series } from "../../reports/history/changePoints.ts";
import { type Drift, factorsOf } from "./madeNights.ts";

export interface NightNoise {
  readonly seed: number;
  readonly drift: Drift;
  readonly busy: "together" | "alone";
  /** Of an operation on a night. */
  readonly answers: number;
  /** By what two nights of seven are faster, as a factor. */
  readonly weekend: number;
  /** Share of nights without figures. */
  readonly missing: number;
}

/** Answers in this share wait for something else, such as a collection of garbage, and take some times as long. */
const slow = { share: 0.01, times: 8 } as const;

/** One of normally distributed values (Box and Muller). */
export const normalFrom = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0;

/**
 * p50 and p95 of operations with medians from 0.5 ms to 300 ms.
 * @param by how many times longer an operation takes on a night; 1 where it is as always
 */
export function sampledYear(noise: NightNoise, nights = 365, by = (_operation: number, _night: number): number => 1) {
  const random = randomFrom(noise.seed);
  const weekday = Math.floor(random() * 7);
  const gaps = Array.from({ length: nights }, () => random() < noise.missing);
  const factors = factorsOf(noise);
  const bases = [0.5, 2, 5, 10, 20, 30, 50, 80, 120, 160, 200, 300];
  return bases.flatMap((base_ms, operation): readonly Series[] => {
    const factor = factors(operation);
    const spread = 0.3 + 0.4 * random();
    const figures = Array.from({ length: nights }, (_, night) => {
      const level = base_ms * factor(night) * ((night + weekday) % 7 < 2 ? noise.weekend : 1) * by(operation, night);
      const all = Array.from(
        { length: noise.answers },
        () => level * Math.exp(spread * normalFrom(random)) * (random() < slow.share ? slow.times : 1) + 0.3 * random(),
      ).sort((a, b) => a - b);
      return gaps[night] ? null : { p50: quantile(all, 0.5), p95: quantile(all, 0.95) };
    });
    const counts = figures.map(() => noise.answers);
    return (["p50", "p95"] as const).map((percentile) => ({
      operation: `operation ${operation}`,
      percentile,
      figures: figures.map((one) => one?.[percentile] ?? null),
      counts,
    }));
  });
}
