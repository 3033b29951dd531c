// Answers to a mix of three operations, and what their percentiles are by brute force.
import { chanceOf } from "../../load/k6/chance.ts";
import { PanelLatencies } from "../../panel/latencies.ts";
import type { PanelReport, PanelWorkload } from "../../panel/panelReport.ts";
import { madePanel } from "./made.ts";

export { pooled } from "../../panel/pooling.ts";
export { mixLatencies, mixLeads } from "../../reports/panel/mix.ts";

/** Of each operation in the mix. */
export const mixShares = { getTokenAccounts: 0.7, getCompressedBalance: 0.25, getIndexerHealth: 0.05 };
const workload: PanelWorkload = { name: "made", is: "mix", why: null, shares: mixShares, left: [], digest: "made" };

/** In ms: operations whose latencies don't overlap, so that each percentile is of one of them. */
const medians_ms = { getTokenAccounts: 20, getCompressedBalance: 90, getIndexerHealth: 400 };
const latencyOf = (operation: keyof typeof mixShares, seed: number, nth: number): number =>
  medians_ms[operation] * (0.7 + 0.6 * chanceOf(seed, nth));

export interface Answered {
  readonly seed?: number;
  /** In all; a vendor's share of them that it serves, by operation. */
  readonly polls?: number;
  readonly served?: Partial<typeof mixShares>;
  readonly isCold?: boolean;
  /** By how many ms the second vendor is slower; in compressed balances, it is faster by as much. */
  readonly slower_ms?: number;
  readonly isMixed?: boolean;
}

/** Two vendors of which the first refuses some; each operation is polled in its share. */
export function answered({
  seed = 1,
  polls = 1_000,
  served = {},
  isCold = false,
  slower_ms = 40,
  isMixed,
}: Answered): PanelReport {
  const latencies = new PanelLatencies();
  for (const [name, share] of Object.entries(mixShares)) {
    const operation = name as keyof typeof mixShares;
    for (let nth = 0; nth < Math.round(polls * share); nth += 1) {
      const ms = latencyOf(operation, seed, nth);
      const isServed = chanceOf(seed + 99, nth) < (served[operation] ?? 1);
      latencies.add(operation, [
        ...(isServed ? [{ vendor: 0, ms, isCold }] : []),
        {
          vendor: 1,
          ms: ms + (isMixed && operation === "getCompressedBalance" ? -slower_ms : slower_ms),
          isCold: false,
        },
      ]);
    }
  }
  const vendors = madePanel().vendors.slice(0, 2);
  return madePanel({ vendors, workload, latencies: latencies.latencies, leads: latencies.leads });
}

/** The percentile of ten thousand latencies in the shares of the mix. */
export function bruteForce(at: number, seed: number): number {
  const all = Object.entries(mixShares).flatMap(([name, share]) =>
    Array.from({ length: Math.round(share * 10_000) }, (_, nth) =>
      latencyOf(name as keyof typeof mixShares, seed, nth),
    ),
  );
  return all.sort((a, b) => a - b)[Math.ceil(at * all.length) - 1] ?? 0;
}

/** Two vendors as fast as each other, and half of all calls of an operation of which there are few answers. */
export function fewOfMany(seed: number): PanelReport {
  const latencies = new PanelLatencies();
  for (const [operation, polls, median_ms] of [
    ["getTokenAccounts", 150, 20],
    ["getCompressedBalance", 8, 200],
  ] as const)
    for (let nth = 0; nth < polls; nth += 1)
      latencies.add(
        operation,
        [0, 1].map((vendor) => {
          return { vendor, ms: median_ms * (0.5 + chanceOf(seed * 2 + vendor, polls * 1_000 + nth)), isCold: false };
        }),
      );
  const shares = { getTokenAccounts: 0.5, getCompressedBalance: 0.5 };
  const vendors = madePanel().vendors.slice(0, 2);
  return madePanel({
    vendors,
    workload: { ...workload, shares },
    latencies: latencies.latencies,
    leads: latencies.leads,
  });
}
