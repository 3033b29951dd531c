// Panels made by hand.
import { chanceOf } from "../../load/k6/chance.ts";
import { PanelLatencies } from "../../panel/latencies.ts";
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

/** What one of five vendors does otherwise than the rest, in polls of three operations. */
interface MadeVendor {
  readonly name: string;
  readonly counts?: Partial<StandingCounts>;
  readonly ms: number;
  readonly back?: number;
  readonly credits?: number;
}

export const fiveVendors: readonly [MadeVendor, MadeVendor, MadeVendor, MadeVendor, MadeVendor] = [
  { name: "acme", ms: 40, credits: 12 },
  { name: "beta", ms: 60, credits: 10 },
  { name: "cyd", ms: 61, counts: { wrong: 12 }, credits: 15 },
  { name: "delta-nodes", ms: 90, counts: { stale: 40 }, back: 30 },
  { name: "echo", ms: 200, counts: { "rate-limited": 60, unavailable: 9 }, credits: 20 },
];
const madeOperations = ["getCompressedBalance", "getTokenAccounts", "getIndexerHealth"] as const;

/** Vendors that were asked so often in each of three operations. */
export function madeFive(
  polls = 120,
  vendors: readonly MadeVendor[] = fiveVendors,
  rest: Partial<PanelReport> = {},
): PanelReport {
  const latencies = new PanelLatencies();
  for (const [place, operation] of madeOperations.entries())
    for (let nth = 0; nth < polls; nth += 1) {
      const took = vendors.map(({ ms }, vendor) => {
        const tail = chanceOf(vendor + 7, nth * 3 + place) < 0.08 ? 3 : 1;
        return { vendor, ms: ms * (0.8 + 0.4 * chanceOf(vendor, nth * 3 + place)) * tail, isCold: nth === 0 };
      });
      latencies.add(operation, took);
    }
  const spent = { requests: 3 * polls, credits: 0, unpriced: 3 * polls };
  return madePanel({
    rounds: polls,
    vendors: vendors.map(({ name }) => ({ name, file: `${name}.yaml`, spent })),
    questions: madeOperations.map((operation) => {
      const isCompared = operation !== "getIndexerHealth";
      const counts = vendors.map((vendor) => {
        const { "rate-limited": limited = 0, ...own } = vendor.counts ?? {};
        const others = isCompared ? { ...own, "rate-limited": limited } : { "rate-limited": limited };
        const left = polls - Object.values(others).reduce((all, count) => all + count, 0);
        return countsOf({ ...others, [isCompared ? "agrees" : "incomparable"]: left });
      });
      return { id: `${operation}-1`, operation, about: "{}", polls, counts, splits: [] };
    }),
    freshness: {
      getTokenAccounts: vendors.map(({ counts }, vendor) => ({
        vendor,
        behind: counts?.stale ? { 3: polls - 10, 12: 10 } : { 0: polls - 6, 1: 6 },
        uncertain: 0.2,
        stale: counts?.stale ?? 0,
      })),
    },
    latencies: latencies.latencies,
    leads: latencies.leads,
    backwards: vendors.map(({ back = 0 }, vendor) => ({
      vendor,
      operation: "getTokenAccounts",
      answers: polls - 1,
      back,
      slots: back > 0 ? { 9: back } : {},
      values: 0,
      statuses: 0,
    })),
    prices: vendors.map(({ credits }, vendor) => ({
      vendor,
      listed: Object.fromEntries(madeOperations.map((operation) => [operation, credits ?? null])),
      charged: null,
      why: credits === undefined ? "its usage isn't read" : null,
    })),
    dissents: madeDissents(vendors),
    ...rest,
  });
}

function madeDissents(vendors: readonly MadeVendor[]): PanelReport["dissents"] {
  const isWrong = ({ counts }: MadeVendor): boolean => (counts?.wrong ?? 0) > 0;
  const wrong = vendors.flatMap((vendor, nth) => (isWrong(vendor) ? [nth] : []));
  const right = vendors.flatMap((vendor, nth) => (isWrong(vendor) ? [] : [nth]));
  const values = [
    { value: "890880", vendors: right },
    { value: "890957", vendors: wrong },
  ];
  const named = vendors.map((vendor): Standing => (isWrong(vendor) ? "wrong" : "agrees"));
  const differences: readonly Difference[] = [{ of: null, member: "value", is: "number", values }];
  const of = { question: "getCompressedBalance-1", standings: named, exchanges: [], replay: "npx assay panel" };
  return wrong.length > 0 ? [{ ...of, differences, differing: 1 }] : [];
}

interface FromPlace extends Partial<PanelReport> {
  /** What each of the three vendors takes, in ms; null for one that gives no answer. */
  readonly takes?: readonly (number | null)[];
  readonly polls?: number;
  /** Whether the first vendor keeps no connection open. */
  readonly isCold?: boolean;
  readonly wrong?: number;
  /** Of the chance; another one for each panel, where it isn't given. */
  readonly chance?: number;
}

let made = 0;

/** A panel from a place, a minute after the one before. Answers take up to half as long again, by chance. */
export function panelFrom(
  vantage: string | null,
  { takes = [40, 30, 60], polls = 100, isCold = false, chance, ...rest }: FromPlace = {},
): PanelReport {
  made += 1;
  const all = new PanelLatencies();
  for (let poll = 0; poll < polls; poll += 1)
    all.add(
      "getTokenAccounts",
      takes.flatMap((ms, vendor) => {
        if (ms === null) return [];
        return [
          { vendor, ms: ms * (1 + chanceOf(chance ?? made, poll * 3 + vendor) / 2), isCold: isCold && vendor === 0 },
        ];
      }),
    );
  const startedAt = new Date(Date.UTC(2026, 10, 27, 3, made)).toISOString();
  const { latencies, leads } = all;
  return madePanel({ vantage, id: `panel-${made}`, startedAt, endedAt: startedAt, latencies, leads, ...rest });
}
