// Counts of a load: answers by outcome, latencies, broken requirements
import { build, decodeFromCompressedBase64, encodeIntoCompressedBase64, type Histogram } from "hdr-histogram-js";
import type { OperationId } from "../../harness/core/interface.ts";
import {
  type Latencies,
  type LimitTraffic,
  type LoadOutcome,
  type LoadPhase,
  type LoadStretch,
  loadOutcomes,
} from "../../harness/record/load.ts";
import type { TrafficRecord } from "../k6/orders.ts";
import { type Phase, requestsBetween, secondsOfPhases, stretchOf_s } from "../shapes/shapes.ts";

type PhaseCount = Pick<LoadPhase, "requests" | "served" | "limited" | "failed" | "p95_ms">;

const longest_us = 60_000_000;
/** Up to a minute, with a precision of a thousandth; some 100 kB each. */
const newHistogram = (numberOfSignificantValueDigits: 2 | 3 = 3): Histogram =>
  build({
    bitBucketSize: 32,
    lowestDiscernibleValue: 1,
    highestTrackableValue: longest_us,
    numberOfSignificantValueDigits,
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
  /** When it was sent, in whole seconds since the load began. */
  readonly sentAfter_s: number;
}

/** @throws Error for an outcome that no version of traffic.ts prints */
export function trafficCountOf(record: TrafficRecord): TrafficCount {
  const [, phase, share, outcomeNumber, latency_us, isJudged, broken, isStarved = 0, sentAfter_s = 0] = record;
  const outcome = loadOutcomes[outcomeNumber];
  if (outcome === undefined) throw new Error(`a record of an unknown outcome: ${outcomeNumber}`);
  const flags = { isJudged: isJudged === 1, isStarved: isStarved === 1 };
  return { phase, share, outcome, latency_us, broken, sentAfter_s, ...flags };
}

export class TrafficTally {
  readonly #operations: readonly OperationId[];
  readonly #phases: readonly Phase[];
  /** By `<phase> <outcome>` and `<operation> <outcome>`. */
  readonly #latencies = new Map<string, Histogram>();
  /** By `<stretch> <outcome>`; a hundredth of a value is precise enough for a chart. */
  readonly #stretches = new Map<string, Histogram>();
  /** By `<operation> <outcome>`: how many in each stretch, which limits are measured by. */
  readonly #rates = new Map<string, number[]>();
  readonly #stretch_s: number;
  /** How many answers broke each requirement. */
  readonly broken = new Map<string, number>();
  judged = 0;

  /** @param operations by the index of the share in records */
  constructor(operations: readonly OperationId[], phases: readonly Phase[]) {
    this.#operations = operations;
    this.#phases = phases;
    this.#stretch_s = stretchOf_s(phases);
  }

  add(count: TrafficCount): void {
    const { phase, share, outcome, broken, sentAfter_s } = count;
    const operation = this.#operations[share];
    if (!operation || phase >= this.#phases.length)
      throw new Error(`a record of an unknown phase or share: ${phase}, ${share}`);
    const latency_us = Math.min(count.latency_us, longest_us);
    for (const counted of [phase, operation]) this.#histogramOf(`${counted} ${outcome}`).recordValue(latency_us);
    const stretch = Math.min(Math.floor(sentAfter_s / this.#stretch_s), this.#lastStretch);
    this.#stretchOf(`${stretch} ${outcome}`).recordValue(latency_us);
    this.#addRate(`${operation} ${outcome}`, stretch, 1);
    if (count.isJudged) this.judged += 1;
    for (const id of broken) this.#addBroken(id, 1);
  }

  /** Adds what another has counted; in which order, and of which of them an answer is, doesn't matter. */
  addAll({ latencies, stretches, rates, broken, judged }: Counts): void {
    for (const [name, encoded] of Object.entries(latencies))
      this.#histogramOf(name).add(decodeFromCompressedBase64(encoded));
    for (const [name, encoded] of Object.entries(stretches))
      this.#stretchOf(name).add(decodeFromCompressedBase64(encoded));
    for (const [name, counts] of Object.entries(rates))
      for (const [stretch, count] of counts.entries()) this.#addRate(name, stretch, count);
    for (const [id, times] of Object.entries(broken)) this.#addBroken(id, times);
    this.judged += judged;
  }

  toJSON() {
    const encoded = (histograms: ReadonlyMap<string, Histogram>): { readonly [name: string]: string } =>
      Object.fromEntries([...histograms].map(([name, histogram]) => [name, encodeIntoCompressedBase64(histogram)]));
    return {
      /** Each an HdrHistogram V2 of µs, compressed, in base64. */
      latencies: encoded(this.#latencies),
      stretches: encoded(this.#stretches),
      rates: Object.fromEntries(this.#rates),
      broken: Object.fromEntries(this.broken),
      judged: this.judged,
    };
  }

  #histogramOf(name: string): Histogram {
    const histogram = this.#latencies.get(name) ?? newHistogram();
    this.#latencies.set(name, histogram);
    return histogram;
  }

  #stretchOf(name: string): Histogram {
    const histogram = this.#stretches.get(name) ?? newHistogram(2);
    this.#stretches.set(name, histogram);
    return histogram;
  }

  get #lastStretch(): number {
    return Math.max(0, Math.ceil(secondsOfPhases(this.#phases) / this.#stretch_s) - 1);
  }

  #addRate(name: string, stretch: number, count: number): void {
    const counts = this.#rates.get(name) ?? Array.from({ length: this.#lastStretch + 1 }, () => 0);
    counts[stretch] = (counts[stretch] ?? 0) + count;
    this.#rates.set(name, counts);
  }

  #addBroken(id: string, times: number): void {
    this.broken.set(id, (this.broken.get(id) ?? 0) + times);
  }

  get requests(): number {
    return this.phases.reduce((total, { requests }) => total + requests, 0);
  }

  get phases(): readonly PhaseCount[] {
    return this.#phases.map((_, phase) => {
      const p95_us = this.#latencies.get(`${phase} served`)?.getValueAtPercentile(95);
      return { ...countsOf(this.#latencies, String(phase)), p95_ms: p95_us === undefined ? null : ms(p95_us) };
    });
  }

  /** Of all that was served; null where nothing was. */
  latency(): Pick<Latencies, "p50_ms" | "p95_ms" | "p99_ms"> | null {
    const served = this.#operations.flatMap((operation) => this.#latencies.get(`${operation} served`) ?? []);
    const all = newHistogram();
    for (const histogram of new Set(served)) all.add(histogram);
    return all.totalCount === 0 ? null : percentilesOf(all);
  }

  /** Until the end of the last stretch in which anything was sent. */
  get sentFor_s(): number {
    const last = this.overTime().at(-1);
    return last ? last.from_s + last.seconds : 0;
  }

  /** What was sent and answered over time, up to the last stretch in which anything was. */
  overTime(): readonly LoadStretch[] {
    const seconds = this.#stretch_s;
    const end_s = secondsOfPhases(this.#phases);
    const numbers = [...this.#stretches.keys()].map((name) => Number.parseInt(name, 10));
    return Array.from({ length: Math.max(-1, ...numbers) + 1 }, (_, nth) => {
      const from_s = nth * seconds;
      const to_s = Math.min(from_s + seconds, end_s);
      const served = this.#stretches.get(`${nth} served`);
      return {
        from_s,
        seconds: to_s - from_s,
        due: Math.round(requestsBetween(this.#phases, from_s, to_s) * 10) / 10,
        ...countsOf(this.#stretches, String(nth)),
        ...(served ? percentilesOf(served) : { p50_ms: null, p95_ms: null, p99_ms: null }),
      };
    });
  }

  /** The same by limit. @param limitOf what an operation shares its limit with */
  byLimit(limitOf: (operation: OperationId) => string): readonly LimitTraffic[] {
    const stretches = [...this.overTime().keys()];
    const operations = [...new Set(this.#operations)];
    return [...new Set(operations.map(limitOf))].map((name) => {
      const counted = (...outcomes: readonly LoadOutcome[]): readonly number[] => {
        const rates = operations
          .filter((operation) => limitOf(operation) === name)
          .flatMap((operation) => outcomes.flatMap((outcome) => [this.#rates.get(`${operation} ${outcome}`) ?? []]));
        return stretches.map((stretch) => rates.reduce((total, counts) => total + (counts[stretch] ?? 0), 0));
      };
      const [requests, limited, failed] = [counted(...loadOutcomes), counted("limited"), counted("failed", "timeout")];
      return { name, requests, limited, failed };
    });
  }

  /** Whether each operation that failed was served more often since than it had failed: what failed it was over. */
  get isFailureOver(): boolean {
    return [...new Set(this.#operations)].every((operation) => {
      const at = (outcome: LoadOutcome): readonly number[] => this.#rates.get(`${operation} ${outcome}`) ?? [];
      const failed = [at("failed"), at("timeout")];
      const lastFailed = Math.max(...failed.map((counts) => counts.findLastIndex((count) => count > 0)));
      return lastFailed < 0 || sum(at("served").slice(lastFailed + 1)) > sum(failed.flat());
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

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

/** Outcomes of what was counted under a name. */
function countsOf(
  histograms: ReadonlyMap<string, Histogram>,
  name: string,
): Pick<LoadPhase, "requests" | "served" | "limited" | "failed"> {
  const count = (outcome: LoadOutcome): number => histograms.get(`${name} ${outcome}`)?.totalCount ?? 0;
  return {
    requests: loadOutcomes.reduce((total, outcome) => total + count(outcome), 0),
    served: count("served"),
    limited: count("limited"),
    failed: count("failed") + count("timeout"),
  };
}

/** A histogram gives the upper end of a value's bucket, which may exceed all values. */
const percentilesOf = (histogram: Histogram): Pick<Latencies, "p50_ms" | "p95_ms" | "p99_ms"> => {
  const at = (percentile: number): number =>
    ms(Math.min(histogram.getValueAtPercentile(percentile), histogram.maxValue));
  return { p50_ms: at(50), p95_ms: at(95), p99_ms: at(99) };
};

const figuresOf = (histogram: Histogram): Omit<Latencies, "operation" | "outcome"> => ({
  count: histogram.totalCount,
  ...percentilesOf(histogram),
  max_ms: ms(histogram.maxValue),
  histogram: encodeIntoCompressedBase64(histogram),
});
