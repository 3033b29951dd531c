// Counts of a load: answers by outcome, latencies, broken requirements
import { build, decodeFromCompressedBase64, encodeIntoCompressedBase64, type Histogram } from "hdr-histogram-js";
import type { OperationId } from "../../harness/core/interface.ts";
import { type Latencies, type LoadOutcome, type LoadPhase, loadOutcomes } from "../../harness/record/load.ts";
import type { TrafficRecord } from "../k6/orders.ts";

type PhaseCount = Pick<LoadPhase, "requests" | "served" | "limited" | "failed" | "p95_ms">;

const longest_us = 60_000_000;
/** Up to a minute, with a precision of a thousandth; some 100 kB each. */
const newHistogram = (): Histogram =>
  build({
    bitBucketSize: 32,
    lowestDiscernibleValue: 1,
    highestTrackableValue: longest_us,
    numberOfSignificantValueDigits: 3,
  });

/** What a tally has counted. */
export type Counts = ReturnType<TrafficTally["toJSON"]>;

const ms = (us: number): number => Math.round(us) / 1000;

/** What counts of a request. */
export interface TrafficCount {
  readonly phase: number;
  readonly share: number;
  readonly outcome: LoadOutcome;
  readonly latency_us: number;
  readonly isJudged: boolean;
  readonly broken: readonly string[];
  readonly isStarved: boolean;
}

/** @throws Error for an outcome that no version of traffic.ts prints */
export function trafficCountOf(record: TrafficRecord): TrafficCount {
  const [, phase, share, outcomeNumber, latency_us, isJudged, broken, isStarved = 0] = record;
  const outcome = loadOutcomes[outcomeNumber];
  if (outcome === undefined) throw new Error(`a record of an unknown outcome: ${outcomeNumber}`);
  return { phase, share, outcome, latency_us, isJudged: isJudged === 1, broken, isStarved: isStarved === 1 };
}

export class TrafficTally {
  readonly #operations: readonly OperationId[];
  readonly #phases: number;
  /** By `<phase> <outcome>` and `<operation> <outcome>`. */
  readonly #latencies = new Map<string, Histogram>();
  /** How many answers broke each requirement. */
  readonly broken = new Map<string, number>();
  judged = 0;

  /** @param operations by the index of the share in records */
  constructor(operations: readonly OperationId[], phases: number) {
    this.#operations = operations;
    this.#phases = phases;
  }

  add(count: TrafficCount): void {
    const { phase, share, outcome, broken } = count;
    const operation = this.#operations[share];
    if (!operation || phase >= this.#phases)
      throw new Error(`a record of an unknown phase or share: ${phase}, ${share}`);
    for (const counted of [phase, operation])
      this.#histogramOf(`${counted} ${outcome}`).recordValue(Math.min(count.latency_us, longest_us));
    if (count.isJudged) this.judged += 1;
    for (const id of broken) this.#addBroken(id, 1);
  }

  /** Adds what another has counted; in which order, and of which of them an answer is, doesn't matter. */
  addAll({ latencies, broken, judged }: Counts): void {
    for (const [name, encoded] of Object.entries(latencies))
      this.#histogramOf(name).add(decodeFromCompressedBase64(encoded));
    for (const [id, times] of Object.entries(broken)) this.#addBroken(id, times);
    this.judged += judged;
  }

  toJSON() {
    return {
      /** Each an HdrHistogram V2 of µs, compressed, in base64. */
      latencies: Object.fromEntries(
        [...this.#latencies].map(([name, histogram]) => [name, encodeIntoCompressedBase64(histogram)]),
      ),
      broken: Object.fromEntries(this.broken),
      judged: this.judged,
    };
  }

  #histogramOf(name: string): Histogram {
    const histogram = this.#latencies.get(name) ?? newHistogram();
    this.#latencies.set(name, histogram);
    return histogram;
  }

  #addBroken(id: string, times: number): void {
    this.broken.set(id, (this.broken.get(id) ?? 0) + times);
  }

  get requests(): number {
    return this.phases.reduce((total, { requests }) => total + requests, 0);
  }

  get phases(): readonly PhaseCount[] {
    return Array.from({ length: this.#phases }, (_, phase) => {
      const count = (outcome: LoadOutcome): number => this.#latencies.get(`${phase} ${outcome}`)?.totalCount ?? 0;
      const p95_us = this.#latencies.get(`${phase} served`)?.getValueAtPercentile(95);
      return {
        requests: loadOutcomes.reduce((total, outcome) => total + count(outcome), 0),
        served: count("served"),
        limited: count("limited"),
        failed: count("failed") + count("timeout"),
        p95_ms: p95_us === undefined ? null : ms(p95_us),
      };
    });
  }

  latencies(): readonly Latencies[] {
    return this.#operations.flatMap((operation) =>
      loadOutcomes.flatMap((outcome) => {
        const histogram = this.#latencies.get(`${operation} ${outcome}`);
        return histogram ? [{ operation, outcome, ...figuresOf(histogram) }] : [];
      }),
    );
  }
}

function figuresOf(histogram: Histogram): Omit<Latencies, "operation" | "outcome"> {
  // A histogram gives the upper end of a value's bucket, which may exceed all values.
  const at = (percentile: number): number =>
    ms(Math.min(histogram.getValueAtPercentile(percentile), histogram.maxValue));
  return {
    count: histogram.totalCount,
    p50_ms: at(50),
    p95_ms: at(95),
    p99_ms: at(99),
    max_ms: ms(histogram.maxValue),
    histogram: encodeIntoCompressedBase64(histogram),
  };
}
