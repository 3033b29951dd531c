// The traffic of a run: calls over time by API and fate, peaks, and latencies by operation.
import { quantileSorted } from "simple-statistics";
import type { Run } from "../harness/record/run.ts";

/** `refused`: rate-limited; `accepted`: any other answer. */
export type Fate = "accepted" | "refused" | "unanswered";

export interface Call {
  readonly api: string;
  /** Null where the interface doesn't describe the request. */
  readonly operation: string | null;
  readonly fate: Fate;
  /** Unix time in ms. */
  readonly sentAt_ms: number;
  readonly latency_ms: number;
}

/** The APIs that were asked, by name. */
export const apisIn = (calls: readonly Call[]): readonly string[] => [...new Set(calls.map(({ api }) => api))].sort();

/** Every exchange of a run, in the order of sending. */
export const callsOf = ({ exchanges }: Pick<Run, "exchanges">): readonly Call[] =>
  exchanges
    .map(({ api, operation, answer, outcome, sentAt, latency_ms }): Call => {
      const fate = answer === null ? "unanswered" : outcome === "throttled" ? "refused" : "accepted";
      return { api, operation, fate, sentAt_ms: Date.parse(sentAt), latency_ms };
    })
    .sort((a, b) => a.sentAt_ms - b.sentAt_ms);

/** Fates of the requests to one API in one stretch of time. */
export interface Stretch {
  /** Since the first request of the run. */
  readonly from_s: number;
  readonly api: string;
  readonly accepted: number;
  readonly refused: number;
  readonly unanswered: number;
}

export interface Timeline {
  readonly width_s: number;
  /** Those with requests, in order of time. */
  readonly stretches: readonly Stretch[];
}

const widths_s = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1_800, 3_600];
const mostStretches = 60;

/** The run in at most 60 stretches of equal length. */
export function timelineOf(calls: readonly Call[]): Timeline {
  const timed = calls.filter(({ sentAt_ms }) => Number.isFinite(sentAt_ms));
  const [begin_ms = 0, end_ms = 0] = [timed[0]?.sentAt_ms, timed.at(-1)?.sentAt_ms];
  const took_s = (end_ms - begin_ms) / 1_000;
  const width_s = widths_s.find((width) => took_s / width < mostStretches) ?? Math.ceil(took_s / (mostStretches - 1));
  const stretches = new Map<string, Stretch>();
  for (const { api, fate, sentAt_ms } of timed) {
    const from_s = Math.floor((sentAt_ms - begin_ms) / 1_000 / width_s) * width_s;
    const key = `${from_s} ${api}`;
    const so = stretches.get(key) ?? { from_s, api, accepted: 0, refused: 0, unanswered: 0 };
    stretches.set(key, { ...so, [fate]: so[fate] + 1 });
  }
  return {
    width_s,
    stretches: [...stretches.values()].sort((a, b) => a.from_s - b.from_s || (a.api < b.api ? -1 : 1)),
  };
}

/** The most of these instants (Unix time in ms, in any order) within any one second, its end excluded. */
export function peakOf(instants_ms: readonly number[]): number {
  const inOrder = [...instants_ms].sort((a, b) => a - b);
  let [first, peak] = [0, 0];
  for (const [last, at_ms] of inOrder.entries()) {
    while (at_ms - (inOrder[first] ?? at_ms) >= 1_000) first += 1;
    peak = Math.max(peak, last - first + 1);
  }
  return peak;
}

/** Latency of one operation's answers, without rate-limited ones, which are quick. */
export interface Latency {
  readonly operation: string;
  readonly answers: number;
  readonly p05_ms: number;
  readonly p25_ms: number;
  readonly p50_ms: number;
  readonly p75_ms: number;
  readonly p95_ms: number;
  readonly max_ms: number;
}

/** By operation. */
export function latenciesOf(calls: readonly Call[]): readonly Latency[] {
  const asked = [...new Set(calls.flatMap(({ operation }) => operation ?? []))].sort();
  return asked.flatMap((id): readonly Latency[] => {
    const took = calls
      .flatMap(({ operation, fate, latency_ms }) => (operation === id && fate === "accepted" ? [latency_ms] : []))
      .sort((a, b) => a - b);
    if (took.length === 0) return [];
    const at = (share: number): number => quantileSorted(took, share);
    return [
      {
        operation: id,
        answers: took.length,
        p05_ms: at(0.05),
        p25_ms: at(0.25),
        p50_ms: at(0.5),
        p75_ms: at(0.75),
        p95_ms: at(0.95),
        max_ms: at(1),
      },
    ];
  });
}
