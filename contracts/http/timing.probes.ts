// Probes of time: the server's clock, and the latency of each operation (§2.1, §8).
import type { Json } from "../../harness/core/json.ts";
import type { AnsweredExchange } from "../../harness/model/fingerprint.ts";
import type { Probe, Seen } from "../../harness/model/probe.ts";
import { headerOf } from "../../harness/transport/exchange.ts";
import { probesFor } from "../shared/forFeature.ts";
import { everyFeature, everyKind, observeOutcomes } from "./everyKind.ts";

function skewOf({ answer, sentAt_ms, latency_ms }: AnsweredExchange): string {
  const shown_ms = Date.parse(headerOf(answer, "date") ?? "");
  if (Number.isNaN(shown_ms)) return "no date";
  const skew_s = Math.abs(shown_ms - sentAt_ms - latency_ms / 2) / 1000;
  if (skew_s >= 60) return "60 s or more";
  return skew_s < 2 ? "under 2 s" : "under 60 s";
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

function latenciesOf(ownAnswers: readonly AnsweredExchange[]): readonly Seen[] {
  const latenciesBy = (operation: string): readonly number[] =>
    ownAnswers.filter(({ requestSpec }) => requestSpec.operation === operation).map(({ latency_ms }) => latency_ms);
  const operations = [...new Set(ownAnswers.flatMap(({ requestSpec }) => requestSpec.operation ?? []))].sort();
  return operations.map((operation) => ({ case: operation, summary: bandsOf(latenciesBy(operation)) }));
}

export const probes: readonly Probe[] = [
  observeOutcomes("OBS-HTTP-DATE", (answered) => ({ bucket: skewOf(answered), summary: skewOf(answered) })),
  probesFor(everyFeature).observeAll("OBS-HTTP-LATENCY", everyKind, ({ ownAnswers }) => latenciesOf(ownAnswers)),
];
