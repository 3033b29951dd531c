// The latency of all that a panel asked, in the shares in which it is called: exact, however many nights are pooled.
import { decodeFromCompressedBase64, JsHistogram } from "hdr-histogram-js";
import { sum } from "simple-statistics";
import { fewestAnswers } from "../../panel/enough.ts";
import { leadsAmong, newHistogram } from "../../panel/latencies.ts";
import type { Lead, PanelLatency, PanelReport } from "../../panel/panelReport.ts";
import type { QuantileBetween } from "../compare/comparedFigures.ts";
import { ranksAround } from "../compare/quantileRatio.ts";
import { fewOf, groupedBy } from "../lists.ts";
import { countsOf, toTenths } from "../numbers.ts";

/** One vendor's latencies over the whole mix. */
export interface MixLatency {
  readonly vendor: number;
  /** `cold`: it keeps no connection open, so that most answers had a new one. */
  readonly kind: PanelLatency["kind"];
  readonly answers: number;
  /** Operations of the mix of which it has no answer: all percentiles are null then. */
  readonly unserved: readonly string[];
  readonly p50: QuantileBetween | null;
  /** Null below 60 answers, too. */
  readonly p95: QuantileBetween | null;
  /** Null below 300 answers, too. */
  readonly p99: QuantileBetween | null;
}

export type MixShares = readonly (readonly [operation: string, share: number])[];
type Mixed = Pick<PanelReport, "workload" | "questions" | "latencies">;

/** Of all calls, by operation: the workload's, or of polls of what every vendor served that served anything. */
export function sharesOfMix({ workload, questions, latencies }: Mixed): MixShares {
  if (workload) return Object.entries(workload.shares);
  const served = groupedBy(latencies, ({ operation }) => operation);
  const vendorsIn = (all: readonly PanelLatency[]): number => new Set(all.map(({ vendor }) => vendor)).size;
  const shared = [...groupedBy(questions, ({ operation }) => operation)].flatMap(([operation, some]) => {
    const isOfAll = vendorsIn(served.get(operation) ?? []) === vendorsIn(latencies);
    const polls = sum(some.map((question) => question.polls));
    return isOfAll && polls > 0 ? [[operation, polls] as const] : [];
  });
  const all = sum(shared.map(([, polls]) => polls));
  return shared.map(([operation, polls]) => [operation, polls / all]);
}

type Weighted = readonly { readonly share: number; readonly histogram: JsHistogram }[];

/** In ms, of a mixture of histograms that are alike. @param at a share of all answers, from 0 to 1 */
function quantileIn(all: Weighted, at: number): number {
  const [first] = all;
  const length = Math.max(...all.map(({ histogram }) => histogram.countsArrayLength));
  let below = 0;
  for (let nth = 0; first && nth < length; nth += 1) {
    for (const { share, histogram } of all)
      if (nth < histogram.countsArrayLength) below += (share * histogram.getCountAtIndex(nth)) / histogram.totalCount;
    // Shares are added up in floating point.
    if (below >= at - 1e-9) return first.histogram.highestEquivalentValue(first.histogram.valueFromIndex(nth)) / 1_000;
  }
  return 0;
}

/**
 * As many answers of the mix itself would tell as much: where a few stand for many calls, that is less than there are.
 * Kish's effective sample size, and that of the share below the quantile (Woodruff, JASA 47, 1952).
 */
function effectiveIn(all: Weighted, at: number): number {
  const us = quantileIn(all, at) * 1_000;
  const parts = all.map(({ share, histogram }) => {
    const below = shareBelow(histogram, us);
    return { each: share ** 2 / histogram.totalCount, spread: below * (1 - below) };
  });
  const apart = sum(parts.map(({ each, spread }) => each * spread));
  const answers = [
    sum(all.map(({ histogram }) => histogram.totalCount)),
    1 / sum(parts.map(({ each }) => each)),
    apart > 0 ? (at * (1 - at)) / apart : Number.POSITIVE_INFINITY,
  ];
  // Shares are added up in floating point.
  return Math.max(1, Math.floor(Math.min(...answers) + 1e-6));
}

/** How many of a histogram's values aren't above another, as a share. */
function shareBelow(histogram: JsHistogram, us: number): number {
  let below = 0;
  for (let nth = 0; nth < histogram.countsArrayLength && histogram.valueFromIndex(nth) <= us; nth += 1)
    below += histogram.getCountAtIndex(nth);
  return below / histogram.totalCount;
}

function mixQuantile(all: Weighted, at: number): QuantileBetween {
  const answers = effectiveIn(all, at);
  const [least, most] = ranksAround(at, answers);
  const endAt = (rank: number | null): number | null => (rank === null ? null : quantileIn(all, rank / answers));
  return { ms: quantileIn(all, at), from_ms: endAt(least), to_ms: endAt(most) };
}

/** Of one operation; without ends where its histogram is none. */
export function medianOf({ histogram: encoded, p50_ms, count }: PanelLatency): QuantileBetween {
  const histogram = encoded === "" ? null : decodeFromCompressedBase64(encoded);
  return histogram instanceof JsHistogram && count > 0
    ? { ...mixQuantile([{ share: 1, histogram }], 0.5), ms: p50_ms }
    : { ms: p50_ms, from_ms: null, to_ms: null };
}

function mixLatencyOf(vendor: number, panel: Mixed, shares: MixShares): MixLatency {
  const own = panel.latencies.filter((one) => one.vendor === vendor && shares.some(([id]) => id === one.operation));
  const countOf = (kind: PanelLatency["kind"]): number => sum(own.map((one) => (one.kind === kind ? one.count : 0)));
  const kind = countOf("cold") > countOf("warm") ? "cold" : "warm";
  const all = shares.flatMap(([operation, share]) => {
    const latency = own.find((one) => one.operation === operation && one.kind === kind);
    const histogram = latency ? decodeFromCompressedBase64(latency.histogram) : null;
    return histogram instanceof JsHistogram && histogram.totalCount > 0 ? [{ operation, share, histogram }] : [];
  });
  const answers = countOf(kind);
  const unserved = shares.flatMap(([id]) => (all.some(({ operation }) => operation === id) ? [] : [id]));
  const isKnown = all.length > 0 && unserved.length === 0;
  const of = (at: number, fewest = 1): QuantileBetween | null =>
    isKnown && answers >= fewest ? mixQuantile(all, at) : null;
  const quantiles = { p50: of(0.5), p95: of(0.95, fewestAnswers.p95), p99: of(0.99, fewestAnswers.p99) };
  return { vendor, kind, answers, unserved, ...quantiles };
}

/** By panel: histograms take long to decode, and a page asks for the same again and again. */
function remembered<Panel extends object, Value>(make: (panel: Panel) => Value): (panel: Panel) => Value {
  const known = new WeakMap<Panel, Value>();
  return (panel) => {
    const value = known.get(panel) ?? make(panel);
    known.set(panel, value);
    return value;
  };
}

/** Vendor by vendor. */
export const mixLatenciesIn = (panel: Mixed & Pick<PanelReport, "vendors">, shares: MixShares): readonly MixLatency[] =>
  panel.vendors.map((_, vendor) => mixLatencyOf(vendor, panel, shares));

/** Of the panel's own mix. */
export const mixLatencies = remembered((panel: Mixed & Pick<PanelReport, "vendors">) =>
  mixLatenciesIn(panel, sharesOfMix(panel)),
);

/** More would fill a line. */
const mostNamed = 5;

/** `getTokenAccounts 60 %, getIndexerHealth 40 %`, the most first. */
export function mixText(panel: Mixed): string {
  const shares = [...sharesOfMix(panel)].sort(([, a], [, b]) => b - a);
  const { shown, rest } = fewOf(shares, mostNamed);
  const texts = shown.map(([operation, share]) => `${operation} ${toTenths(100 * share)} %`);
  return [...texts, ...countsOf([rest, "more", "more"])].join(", ");
}

/** The name of the whole mix, where an operation's stands otherwise. */
export const wholeMix = "the whole mix";

type Leading = Pick<PanelReport, "leads">;

/** Pairs of vendors, over all operations of a mix. */
const pairsIn = ({ leads }: Leading, shares: MixShares): Parameters<typeof leadsAmong>[0] => {
  const pairs = groupedBy(
    leads.filter(({ operation }) => shares.some(([id]) => id === operation)),
    ({ faster, slower }) => String([faster, slower].sort((a, b) => a - b)),
  );
  return [...pairs.values()].map((all) => {
    const [{ faster, slower }] = all;
    const wins = new Map([faster, slower].map((vendor) => [vendor, newHistogram()]));
    for (const { histograms, ...lead } of all)
      for (const [nth, vendor] of [lead.faster, lead.slower].entries())
        wins.get(vendor)?.add(decodeFromCompressedBase64(histograms[nth] ?? ""));
    return { operation: wholeMix, wins };
  });
};

/** Who is faster over the whole mix, in polls that both answered. */
export const mixLeads = remembered((panel: Mixed & Leading) => leadsAmong(pairsIn(panel, sharesOfMix(panel))));

/** The same in each of several panels: the intervals hold for all of them together. */
export function mixLeadsAmong(panels: readonly Leading[], shares: MixShares): readonly (readonly Lead[])[] {
  const pairs = panels.map((panel) => pairsIn(panel, shares));
  const leads = leadsAmong(pairs.flat());
  const ends = pairs.map((_, nth) => pairs.slice(0, nth + 1).flat().length);
  return ends.map((end, nth) => leads.slice(ends[nth - 1] ?? 0, end));
}
