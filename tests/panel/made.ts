// A panel made by hand.
import {
  type Difference,
  type PanelReport,
  panelFormat,
  type Standing,
  type StandingCounts,
  standings,
} from "../../panel/panelReport.ts";

const countsOf = (some: Partial<StandingCounts>): StandingCounts =>
  Object.fromEntries(standings.map((standing) => [standing, some[standing] ?? 0])) as StandingCounts;

/** Three vendors that agreed ten times. @param wrong how often the third one was wrong */
export const madePanel = ({
  wrong = 0,
  ...rest
}: Partial<PanelReport> & { readonly wrong?: number } = {}): PanelReport => ({
  format: panelFormat,
  version: "0.1.0",
  interface: { name: "made", version: "1", digest: "0" },
  id: "made",
  command: "npx assay panel a.yaml b.yaml c.yaml --seed 1",
  seed: 1,
  startedAt: "2026-11-27T03:00:00.000Z",
  endedAt: "2026-11-27T03:01:00.000Z",
  rounds: 10,
  complete: true,
  vantage: null,
  vendors: ["ada", "bea", "cyd"].map((name) => ({
    name,
    file: `${name}.yaml`,
    spent: { requests: 10, credits: 0, unpriced: 10 },
  })),
  reference: null,
  questions: [
    {
      id: "getTokenAccounts-1",
      operation: "getTokenAccounts",
      about: "{}",
      polls: 10,
      counts: [countsOf({ agrees: 10 }), countsOf({ agrees: 10 }), countsOf({ agrees: 10 - wrong, wrong })],
      splits: [],
    },
  ],
  freshness: { getTokenAccounts: [{ vendor: 0, behind: { 0: 8, 3: 2 }, uncertain: 0.2, stale: 1 }] },
  latencies: [],
  leads: [],
  dissents: [],
  apart: 0,
  ...rest,
});

/** Vendors that differed in one poll, those named in `wrong` by their places. */
export function madeDifference(
  given: Partial<Difference> & Pick<Difference, "values">,
  { wrong = [] as readonly number[], differing = 1, reference = null as number | null } = {},
): PanelReport {
  const { vendors, ...panel } = madePanel();
  const spent = { requests: 10, credits: 0, unpriced: 10 };
  const all = [...vendors, { name: "delta", file: "delta.yaml", spent }];
  const difference: Difference = { of: null, member: "value", is: "number", ...given };
  const named = all.map((_, nth): Standing => (wrong.includes(nth) ? "wrong" : "agrees"));
  const dissent = { question: "getCompressedBalance-1", standings: named, exchanges: [], replay: "npx assay panel" };
  const differences = Array.from({ length: Math.min(20, differing) }, () => difference);
  return { ...panel, reference, vendors: all, dissents: [{ ...dissent, differences, differing }] };
}
