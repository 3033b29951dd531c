// How fast vendors answer: histograms that can be pooled, and who was faster when both were asked the same.
import { build, decodeFromCompressedBase64, encodeIntoCompressedBase64, type Histogram } from "hdr-histogram-js";
import { probit } from "simple-statistics";
import { fewestAnswers, fewestPairs } from "./enough.ts";
import type { Lead, PanelLatency, PanelReport } from "./panelReport.ts";

/** In µs: no answer is waited for as long. */
const highest = 600_000_000;

/** A hundredth of a value is precise enough. Those of several rounds and nights add up exactly, as they are alike. */
export const newHistogram = (): Histogram =>
  build({ bitBucketSize: 32, highestTrackableValue: highest, autoResize: false, numberOfSignificantValueDigits: 2 });

export const recordInto = (histogram: Histogram, took_ms: number): void =>
  histogram.recordValue(Math.min(highest, Math.max(1, Math.round(took_ms * 1_000))));

/** The chance that any pair is agreed to differ where none does. */
const falseAlarms = 0.01;

/** Of two vendors asked the same: the differences by which each was faster than the other. */
type Wins = ReadonlyMap<number, Histogram>;
type Win = [vendor: number, differences: Histogram];
type Took = { readonly vendor: number; readonly ms: number; readonly isCold: boolean };

/**
 * Who is faster in each pair: an interval with zero in it shows no difference.
 * @param pairs all that are looked at together: the intervals hold for them all
 */
export function leadsAmong(pairs: readonly { readonly operation: string; readonly wins: Wins }[]): readonly Lead[] {
  const ordered = pairs.map(({ operation, wins }) => {
    const [[faster, less], [slower, more]] = [...wins].sort(([, a], [, b]) => b.totalCount - a.totalCount) as [
      Win,
      Win,
    ]; // Each has two.
    return { operation, faster, slower, less, more, polls: less.totalCount + more.totalCount };
  });
  const tested = ordered.filter(({ polls }) => polls >= fewestPairs).length;
  const corrected = probit(1 - falseAlarms / Math.max(1, tested) / 2);
  return ordered.map(({ less, more, polls, ...pair }) => {
    const reach = (corrected * Math.sqrt(polls) + 1) / 2;
    return {
      ...pair,
      polls,
      isRanked: polls >= fewestPairs,
      by_ms: differenceAt(polls / 2, less, more),
      from_ms: differenceAt(Math.max(0, polls / 2 - reach), less, more),
      to_ms: differenceAt(Math.min(polls, polls / 2 + reach + 1), less, more),
      histograms: [encodeIntoCompressedBase64(less), encodeIntoCompressedBase64(more)],
    };
  });
}

/** The latencies of one panel, or of several pooled. */
export class PanelLatencies {
  readonly #histograms = new Map<string, Pick<PanelLatency, "vendor" | "operation" | "kind"> & { all: Histogram }>();
  readonly #pairs = new Map<string, { readonly operation: string; readonly wins: Wins }>();

  /** @param took of one poll, a vendor each */
  add(operation: string, took: readonly Took[]): void {
    for (const { vendor, ms, isCold } of took)
      recordInto(this.#histogramOf(vendor, operation, isCold ? "cold" : "warm"), ms);
    const warm = took.filter(({ isCold }) => !isCold).sort((a, b) => a.ms - b.ms);
    for (const [nth, faster] of warm.entries())
      for (const slower of warm.slice(nth + 1)) {
        const winner = this.#winsIn(operation, faster.vendor, slower.vendor).get(faster.vendor);
        if (winner && slower.ms > faster.ms) recordInto(winner, slower.ms - faster.ms);
      }
  }

  /** Adds those of another panel of the same vendors. */
  addAll({ latencies, leads }: Pick<PanelReport, "latencies" | "leads">): void {
    for (const { vendor, operation, kind, histogram } of latencies)
      this.#histogramOf(vendor, operation, kind).add(decodeFromCompressedBase64(histogram));
    for (const { operation, faster, slower, histograms } of leads) {
      const wins = this.#winsIn(operation, faster, slower);
      for (const [nth, vendor] of [faster, slower].entries())
        wins.get(vendor)?.add(decodeFromCompressedBase64(histograms[nth] ?? ""));
    }
  }

  get latencies(): readonly PanelLatency[] {
    return [...this.#histograms.values()].map(({ all, ...of }) => {
      const at_ms = (percentile: number): number => all.getValueAtPercentile(percentile) / 1_000;
      const count = all.totalCount;
      const figures = {
        p50_ms: at_ms(50),
        p95_ms: count < fewestAnswers.p95 ? null : at_ms(95),
        p99_ms: count < fewestAnswers.p99 ? null : at_ms(99),
      };
      return { ...of, count, ...figures, histogram: encodeIntoCompressedBase64(all) };
    });
  }

  get leads(): readonly Lead[] {
    return leadsAmong([...this.#pairs.values()]);
  }

  #histogramOf(vendor: number, operation: string, kind: PanelLatency["kind"]): Histogram {
    const name = `${vendor} ${operation} ${kind}`;
    const known = this.#histograms.get(name) ?? { vendor, operation, kind, all: newHistogram() };
    this.#histograms.set(name, known);
    return known.all;
  }

  #winsIn(operation: string, ...two: [number, number]): Wins {
    const name = `${operation} ${two.toSorted((a, b) => a - b).join(" ")}`;
    const known = this.#pairs.get(name) ?? { operation, wins: new Map(two.map((vendor) => [vendor, newHistogram()])) };
    this.#pairs.set(name, known);
    return known.wins;
  }
}

/** The difference of a rank, in ms: above zero the first one was faster. The sign test's interval is made of two. */
function differenceAt(rank: number, less: Histogram, more: Histogram): number {
  const at = (histogram: Histogram, nth: number): number =>
    histogram.getValueAtPercentile((Math.max(1, nth) / histogram.totalCount) * 100) / 1_000;
  // In order: where it was slower by most, down to nothing, then where it was faster.
  if (rank <= more.totalCount && more.totalCount > 0) return -at(more, more.totalCount - Math.floor(rank) + 1);
  return less.totalCount === 0 ? 0 : at(less, Math.min(less.totalCount, Math.ceil(rank) - more.totalCount));
}
