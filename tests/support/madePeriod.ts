// A summer of made nights with planted incidents, as lines of a history, and the latencies of which they were made
import { build, encodeIntoCompressedBase64 } from "hdr-histogram-js";
import { randomFrom } from "../../proof/limiter/simulatedPlatform.ts";
import { madeNight, type Night, pack } from "./madeNights.ts";
import { edition } from "./madeRuns.ts";

export const summer = ["--from", "2026-07-01", "--to", "2026-09-30"] as const;

const day_ms = 24 * 3_600_000;
const first_ms = Date.parse("2026-07-01T03:17:00.000Z");

/** Of what is served, by operation, in µs. */
export type Samples = { readonly [operation: string]: readonly number[] };

export interface MadePeriod {
  /** Of runs and of loads; some are of days before and after the period. */
  readonly nights: readonly Night[];
  /** By the id of the night. */
  readonly samples: ReadonlyMap<string, Samples>;
}

type Requirements = Night["requirements"];

const steady = ["USG-FLD-03", "IH-LAG-02", "WAL-BAL-01"] as const;

/** Night -3 to 93; the period has those from 0 to 91. */
function requirementsOn(nth: number, random: () => number): Requirements {
  const isUnjudged = nth === 21;
  const isDeployed = nth >= 20 && nth <= 22;
  return {
    ...Object.fromEntries(steady.map((id) => [id, "holds"])),
    "USG-HTTP-01": nth < 2 && nth > -3 ? "broken" : "holds",
    "USG-FLD-01": isUnjudged ? "inconclusive" : isDeployed ? "broken" : "holds",
    "USG-FLD-02": isUnjudged ? "inconclusive" : isDeployed ? "broken" : { is: "narrowed", untried: ["getOrders"] },
    "CYC-PRES-01": random() < 0.1 ? "broken" : "holds",
    "TA-RES-01": nth >= 90 ? "broken" : "holds",
    "IH-OK-01": "warned",
    "RPC-ENV-01": nth < 30 ? "deviates" : "holds",
    "BND-ATOM-01": "withheld",
    "BND-SEQ-01": "withheld",
  };
}

function latencyLine(operation: string, us: readonly number[], isPruned = false): Night["latencies"][number] {
  const histogram = build({ bitBucketSize: 32, numberOfSignificantValueDigits: 2 });
  for (const one of us) histogram.recordValue(one);
  const at_ms = (percentile: number): number => histogram.getValueAtPercentile(percentile) / 1_000;
  const figures = { count: us.length, p50_ms: at_ms(50), p95_ms: at_ms(95), p99_ms: at_ms(99) };
  const text = isPruned ? {} : { histogram: encodeIntoCompressedBase64(histogram) };
  return { operation, outcome: "served", ...figures, ...text };
}

const failing = (outcome: "failed" | "timeout" | "refused", count: number): Night["latencies"][number] => ({
  ...{ operation: "getProjectUsage", outcome, count, p50_ms: 1, p95_ms: 1, p99_ms: 1 },
});

/** What isn't as on other nights, by the night's number. */
const planted: { readonly [nth: number]: Partial<Night> } = {
  12: { left: "nothing could be reached", requirements: {}, latencies: [failing("failed", 4)] },
  13: { left: "nothing was judged", requirements: {}, latencies: [failing("failed", 9), failing("timeout", 2)] },
  30: { outages: ["lag", "silence"] },
  40: { left: "SIGTERM ended it", requirements: { "USG-FLD-03": "broken" }, latencies: [failing("failed", 3)] },
  41: { left: "the budget of 500 requests is spent" },
  60: { left: "nothing was judged", requirements: {}, latencies: [failing("refused", 6)] },
};

/** Of so many operations, from 20 to 400 ms; slower by a half in September. */
const samplesOf = (operations: readonly string[], nth: number, random: () => number): Samples =>
  Object.fromEntries(
    operations.map((operation, at) => {
      const base_us = 30_000 * (at + 1) * (nth >= 62 ? 1.5 : 1);
      return [operation, Array.from({ length: 40 }, () => Math.round(base_us * (0.8 + 2.5 * random() ** 4)))];
    }),
  );

export function madePeriod(seed: number): MadePeriod {
  const random = randomFrom(seed);
  const samples = new Map<string, Samples>();
  const lines = (id: string, of: Samples, isPruned: boolean): Night["latencies"] => {
    samples.set(id, of);
    return Object.entries(of).map(([operation, us]) => latencyLine(operation, us, isPruned));
  };
  const runs = Array.from({ length: 97 }, (_, place): Night => {
    const nth = place - 3;
    const id = `run ${nth}`;
    // Day 70 has none, the next has two.
    const at = new Date(first_ms + (nth === 70 ? nth + 1.5 : nth) * day_ms).toISOString();
    const limit = nth >= 50 ? "4 in 1 s" : "5 in 1 s";
    const of = samplesOf(["getProjectUsage", "getTokenAccounts"], nth, random);
    return madeNight(
      nth,
      {},
      {
        ...{ id, at, interface: edition, assay: nth < 45 ? "0.1.0" : "0.2.0", vantage: "Frankfurt" },
        requirements: requirementsOn(nth, random),
        spent: { requests: 100 + nth, credits: 1_000 + 10 * nth, unpriced: 3 },
        limits: { "the limit": limit },
        latencies: lines(id, of, nth < 10),
        packed: pack([["OBS-HTTP-SLASH", { "with a slash": [nth < 55 ? "404" : "308"] }]]),
        ...planted[nth],
      },
    );
  });
  const loads = Array.from({ length: 13 }, (_, week): Night => {
    const id = `load ${week}`;
    const at = new Date(first_ms + (7 * week + 0.2) * day_ms).toISOString();
    const perSecond = week < 10 ? 5 : 50;
    const phase = { name: "steady", seconds: 20, perSecond, requests: 40, served: 40, limited: 0, failed: 0 };
    return madeNight(
      week,
      {},
      {
        ...{ id, at, interface: edition, assay: "0.1.0", vantage: "Frankfurt", kind: "nightly" },
        requirements: { "USG-HTTP-01": "holds", "USG-FLD-03": week === 4 ? "broken" : "holds" },
        latencies: lines(id, samplesOf(["getProjectUsage"], 5 * week, random), false),
        load: { shape: "nightly", phases: [phase], dropped: 0, knee_perSecond: null },
      },
    );
  });
  return { nights: [...runs, ...loads], samples };
}
