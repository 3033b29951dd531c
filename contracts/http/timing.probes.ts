// Probes of time: the server's clock, and the latency of each operation (§2.1, §8).
import type { Json } from "../../harness/core/json.ts";
import type { Answered } from "../../harness/model/fingerprint.ts";
import type { Probe, Reading } from "../../harness/model/probe.ts";
import { headerOf } from "../../harness/transport/exchange.ts";
import { probesFor } from "../shared/forFeature.ts";
import { everyKind, everywhere, outcomeOf } from "./everyKind.ts";

const { observeAll, observeEach } = probesFor(everywhere);

const skews = [
  [2, "under 2 s"],
  [60, "under 60 s"],
] as const;

function skewOf({ answer, sentAt_ms, latency_ms }: Answered): string {
  const shown_ms = Date.parse(headerOf(answer, "date") ?? "");
  if (Number.isNaN(shown_ms)) return "no date";
  const skew_s = Math.abs(shown_ms - sentAt_ms - latency_ms / 2) / 1000;
  return skews.find(([most]) => skew_s < most)?.[1] ?? "60 s or more";
}

/** Classes wide enough to stay the same from run to run. */
const bands = [
  [300, "under 300 ms"],
  [1000, "under 1 s"],
  [3000, "under 3 s"],
] as const;
const bandOf = (latency_ms: number): string => bands.find(([most]) => latency_ms < most)?.[1] ?? "3 s or more";
/** Percentiles, and the fewest answers for which each means something. */
const percentiles = [
  [50, 1],
  [95, 100],
  [99, 500],
] as const;

function bandsOf(latencies: readonly number[]): Json {
  const sorted = [...latencies].sort((a, b) => a - b);
  const at_ms = (percentile: number): number => sorted[Math.ceil((sorted.length * percentile) / 100) - 1] ?? 0;
  return Object.fromEntries(
    percentiles
      .filter(([, fewest]) => sorted.length >= fewest)
      .map(([percentile]) => [`p${percentile}`, bandOf(at_ms(percentile))]),
  );
}

function latenciesOf(sampleHalf: readonly Answered[]): Reading {
  const byOperation = new Map<string, number[]>();
  for (const { latency_ms, stimulus } of sampleHalf) {
    if (stimulus.operation !== null)
      byOperation.set(stimulus.operation, [...(byOperation.get(stimulus.operation) ?? []), latency_ms]);
  }
  return {
    summary: Object.fromEntries(
      [...byOperation]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([operation, latencies]) => [operation, bandsOf(latencies)]),
    ),
    fingerprints: [],
  };
}

export const probes: readonly Probe[] = [
  observeEach("OBS-HTTP-DATE", everyKind, (answered) => {
    const outcome = outcomeOf(answered);
    return outcome === undefined ? undefined : { case: outcome, bucket: skewOf(answered), summary: skewOf(answered) };
  }),
  observeAll("OBS-HTTP-LATENCY", everyKind, ({ sampleHalf }) => latenciesOf(sampleHalf)),
];
