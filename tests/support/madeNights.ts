// Nights made by hand, and years of nights under noise
import { writeFileSync } from "node:fs";
import { described } from "../../cli/project.ts";
import type { Run } from "../../harness/record/run.ts";
import { randomFrom } from "../../proof/limiter/simulatedPlatform.ts";
import type { Series } from "../../reports/history/changePoints.ts";
import type { LatencyLine } from "../../reports/history/latencies.ts";
import { type Night, nightOf } from "../../reports/history/night.ts";
import { made } from "./madeRuns.ts";

export type { Night };

const day_ms = 24 * 3_600_000;
const first_ms = Date.parse("2025-11-26T03:17:00.000Z");

/** When the night of that number began. */
export const atNight = (nth: number): string => new Date(first_ms + nth * day_ms).toISOString();

/** A night of a run that is made by hand. */
export const madeNight = (nth: number, run: Parameters<typeof made>[1] = {}, rest: Partial<Night> = {}): Night => ({
  ...nightOf(made(0, run), null, described.tables),
  id: `night ${nth}`,
  at: atNight(nth),
  ...rest,
});

export type Drift = "in a month" | "in two months" | "in a year" | "at random";

/** Factors by which latencies drift within ±10 %, night by night. */
function driftOf(drift: Drift, random: () => number): (nth: number) => number {
  const phase = random() * 2 * Math.PI;
  const nights = { "in a month": 30, "in two months": 60, "in a year": 365, "at random": 0 }[drift];
  let walk = 0;
  const walked = Array.from({ length: 400 }, () => {
    walk = Math.max(-0.1, Math.min(0.1, walk + (random() - 0.5) * 0.06));
    return 1 + walk;
  });
  return (nth) => (nights === 0 ? (walked[nth] ?? 1) : 1 + 0.1 * Math.sin((nth / nights) * 2 * Math.PI + phase));
}

interface Noise {
  readonly seed: number;
  readonly drift: Drift;
  /** One night in ten: of all operations, or of each by itself. */
  readonly busy: "together" | "alone";
}

/** Factors of one series: drift, a busy night in ten (+30 to +130 %), and ±3 % of its own. */
export function factorsOf({ seed, drift, busy }: Noise): (series: number) => (nth: number) => number {
  const random = randomFrom(seed);
  const drifting = driftOf(drift, random);
  const busyOf = (): readonly number[] => Array.from({ length: 400 }, () => (random() < 0.1 ? 1.3 + random() : 1));
  const together = busyOf();
  return () => {
    const own = busy === "together" ? together : busyOf();
    const noise = Array.from({ length: 400 }, () => 0.97 + 0.06 * random());
    return (nth) => drifting(nth) * (own[nth] ?? 1) * (noise[nth] ?? 1);
  };
}

/** p50 and p95 of 15 operations over nights. */
export function latencyYear(noise: Noise, nights = 365): readonly Series[] {
  const factors = factorsOf(noise);
  return Array.from({ length: 15 }, (_, nth) => nth).flatMap((nth) =>
    (["p50", "p95"] as const).map((percentile): Series => {
      const [base, factor] = [(20 + nth * 10) * (percentile === "p95" ? 3 : 1), factors(nth)];
      const figures = Array.from({ length: nights }, (_, night) => base * factor(night));
      return { operation: `operation ${nth}`, percentile, figures };
    }),
  );
}

/** Honest nights of a real run: its latencies under noise, everything else as it was. */
export function yearOf(run: Run, noise: Noise, nights = 365): readonly Night[] {
  const night = nightOf(run, null, described.tables);
  const factors = factorsOf(noise);
  const lines = night.latencies.map((line, nth) => ({ line, factor: factors(nth) }));
  const scaled = ({ line, factor }: (typeof lines)[number], nth: number): LatencyLine => {
    const by = (50 + 10 * lines.findIndex((one) => one.line === line)) * factor(nth);
    return { ...line, count: 100, p50_ms: by, p95_ms: 2 * by, p99_ms: 3 * by };
  };
  return Array.from({ length: nights }, (_, nth) => ({
    ...night,
    id: `night ${nth}`,
    at: atNight(nth),
    latencies: lines.map((one) => scaled(one, nth)),
  }));
}

export const writeNights = (file: string, nights: readonly Night[]): void =>
  writeFileSync(file, nights.map((night) => `${JSON.stringify(night)}\n`).join(""));
