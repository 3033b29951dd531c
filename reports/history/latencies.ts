// Latencies of a night: one histogram for each operation and outcome, as they are kept and merged
import { build, decodeFromCompressedBase64, encodeIntoCompressedBase64, type Histogram } from "hdr-histogram-js";
import { type ExchangeRecord, faultKindOf } from "../../harness/record/journal.ts";
import type { Latencies, LoadOutcome } from "../../harness/record/load.ts";
import type { Run } from "../../harness/record/run.ts";
import { groupedBy } from "../lists.ts";

export interface LatencyLine extends Pick<Latencies, "count" | "p50_ms" | "p95_ms" | "p99_ms"> {
  readonly operation: string;
  readonly outcome: LoadOutcome;
  /** HdrHistogram V2 of µs, compressed, in base64; left out once it is pruned. */
  readonly histogram?: string;
}

/** A hundredth of a value is precise enough for nights, and small. */
const newHistogram = (): Histogram =>
  build({ bitBucketSize: 32, lowestDiscernibleValue: 1, numberOfSignificantValueDigits: 2 });

function lineOf(operation: string, outcome: LoadOutcome, histogram: Histogram): LatencyLine {
  const at_ms = (percentile: number): number =>
    Math.round(Math.min(histogram.getValueAtPercentile(percentile), histogram.maxValue)) / 1_000;
  return {
    operation,
    outcome,
    count: histogram.totalCount,
    p50_ms: at_ms(50),
    p95_ms: at_ms(95),
    p99_ms: at_ms(99),
    histogram: encodeIntoCompressedBase64(histogram),
  };
}

function outcomeOf(exchange: ExchangeRecord): LoadOutcome {
  if (faultKindOf(exchange) === "timeout") return "timeout";
  return exchange.outcome === "throttled" ? "limited" : exchange.outcome;
}

/** Null where it is damaged. */
function histogramIn(text: string): Histogram | null {
  try {
    return decodeFromCompressedBase64(text);
  } catch {
    return null;
  }
}

/**
 * One operation and outcome over several nights, exactly: their histograms are added up.
 * @returns `pooled`: null where none has a histogram · `missing`: how many have none, as it was pruned or is damaged
 */
export function pooledLatencies(lines: readonly [LatencyLine, ...LatencyLine[]]) {
  const histograms = lines.flatMap(({ histogram }) => histogramIn(histogram ?? "") ?? []);
  const missing = lines.length - histograms.length;
  if (histograms.length === 0) return { pooled: null, missing };
  const pool = newHistogram();
  for (const histogram of histograms) pool.add(histogram);
  return { pooled: lineOf(lines[0].operation, lines[0].outcome, pool), missing };
}

/** Those of a load where there is one, else those of the run's exchanges. */
export function latencyLinesOf({ exchanges, load }: Run): readonly LatencyLine[] {
  if (load && load.latencies.length > 0)
    return load.latencies.map(({ operation, outcome, histogram }) => {
      const lower = newHistogram();
      lower.add(decodeFromCompressedBase64(histogram));
      return lineOf(operation, outcome, lower);
    });
  const described = exchanges.filter(({ operation }) => operation !== null);
  const groups = groupedBy(described, (one) => `${one.operation} ${outcomeOf(one)}`);
  return [...groups.values()].map((group) => {
    const histogram = newHistogram();
    for (const { latency_ms } of group) histogram.recordValue(Math.max(1, Math.round(latency_ms * 1_000)));
    const [first] = group;
    return lineOf(first.operation ?? "", outcomeOf(first), histogram);
  });
}
