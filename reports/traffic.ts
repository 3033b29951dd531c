// The traffic of a run: calls over time by limit, feature, operation and fate, peaks, and latencies by operation.
import { quantileSorted } from "simple-statistics";
import { type Interface, operationOf, sharedLimitOf } from "../harness/core/interface.ts";
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

/** Every exchange of a run, in the order of sending; of a load only a sample is kept, which shows no traffic. */
export const callsOf = ({ exchanges, load }: Pick<Run, "exchanges" | "load">): readonly Call[] =>
  exchanges
    .filter(({ number }) => !load || number <= (load.after ?? 0))
    .map((exchange): Call => {
      const fate = exchange.answer === null ? "unanswered" : exchange.outcome === "throttled" ? "refused" : "accepted";
      return {
        api: exchange.api,
        operation: exchange.operation,
        fate,
        sentAt_ms: Date.parse(exchange.sentAt),
        latency_ms: exchange.latency_ms,
      };
    })
    .sort((a, b) => a.sentAt_ms - b.sentAt_ms);

/** Fates of the requests of one name in one stretch of time. */
interface Stretch extends Readonly<Record<Fate, number>> {
  /** Since the first request of the run. */
  readonly from_s: number;
  /** Of an API, a feature or an operation. */
  readonly name: string;
}

const widths_s = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1_800, 3_600];
const mostStretches = 60;

export type Timeline = ReturnType<typeof timelineOf>;

/** The run in at most 60 stretches of equal length, in order of time; those without requests are left out. */
export function timelineOf(calls: readonly Call[], nameOf: (call: Call) => string) {
  const timed = calls.filter(({ sentAt_ms }) => Number.isFinite(sentAt_ms));
  const begin_ms = timed[0]?.sentAt_ms ?? 0;
  const end_ms = timed.at(-1)?.sentAt_ms ?? 0;
  const took_s = (end_ms - begin_ms) / 1_000;
  const width_s = widths_s.find((width) => took_s / width < mostStretches) ?? Math.ceil(took_s / (mostStretches - 1));
  const stretches = new Map<string, Stretch>();
  for (const call of timed) {
    const { fate, sentAt_ms } = call;
    const name = nameOf(call);
    const from_s = Math.floor((sentAt_ms - begin_ms) / 1_000 / width_s) * width_s;
    const key = `${from_s} ${name}`;
    const so = stretches.get(key) ?? { from_s, name, accepted: 0, refused: 0, unanswered: 0 };
    stretches.set(key, { ...so, [fate]: so[fate] + 1 });
  }
  return {
    width_s,
    stretches: [...stretches.values()].sort((a, b) => a.from_s - b.from_s || (a.name < b.name ? -1 : 1)),
  };
}

/** What the interface doesn't describe. */
const elsewhere = "other requests";

/** The run by what shares a limit, by feature, and by operation. */
export const timelinesOf = (calls: readonly Call[], tables: Pick<Interface, "operations" | "limits">) => ({
  byLimit: timelineOf(calls, (call) => sharedLimitOf(tables, call.api, call.operation)),
  byFeature: timelineOf(calls, ({ operation }) => operationOf(tables, operation)?.feature ?? elsewhere),
  byOperation: timelineOf(calls, ({ operation }) => operationOf(tables, operation)?.id ?? elsewhere),
});

/** The most of these instants (Unix time in ms, in any order) within any one second, its end excluded. */
export function peakOf(instants_ms: readonly number[]): number {
  const inOrder = [...instants_ms].sort((a, b) => a - b);
  let first = 0;
  let peak = 0;
  for (const [last, at_ms] of inOrder.entries()) {
    while (at_ms - (inOrder[first] ?? at_ms) >= 1_000) first += 1;
    peak = Math.max(peak, last - first + 1);
  }
  return peak;
}

export type Latency = ReturnType<typeof latenciesOf>[number];

/** By operation, without rate-limited answers, which are quick. */
export function latenciesOf(calls: readonly Call[]) {
  const accepted = calls.filter(({ fate }) => fate === "accepted");
  const operations = [...new Set(accepted.flatMap(({ operation }) => operation ?? []))].sort();
  return operations.map((operation) => {
    const took = accepted
      .flatMap((call) => (call.operation === operation ? [call.latency_ms] : []))
      .sort((a, b) => a - b);
    const at = (share: number): number => quantileSorted(took, share);
    return {
      operation,
      answers: took.length,
      p05_ms: at(0.05),
      p25_ms: at(0.25),
      p50_ms: at(0.5),
      p75_ms: at(0.75),
      p95_ms: at(0.95),
      max_ms: at(1),
    };
  });
}
