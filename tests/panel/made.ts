// A panel made by hand.
import { type PanelReport, panelFormat, type StandingCounts, standings } from "../../panel/panelReport.ts";

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
