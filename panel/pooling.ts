// Panels of several nights as one: answers, lags, latencies, charges and what goes back add up exactly.
import Big from "big.js";
import { sum } from "simple-statistics";
import { totalSpent } from "../harness/targets/budget.ts";
import { PanelConnections } from "./connections.ts";
import { PanelLatencies } from "./latencies.ts";
import type { Backwards, Freshness, PanelQuestion, PanelReport, VendorPrice } from "./panelReport.ts";

/** Those of one name as one, in the order in which names first occur. */
function merged<One>(all: readonly One[], nameOf: (one: One) => unknown, both: (one: One, other: One) => One): One[] {
  const known = new Map<unknown, One>();
  for (const item of all) {
    const before = known.get(nameOf(item));
    known.set(nameOf(item), before ? both(before, item) : item);
  }
  return [...known.values()];
}

function sums<Counts extends { readonly [name: string]: number }>(one: Counts, other: Counts): Counts {
  const all = Object.keys({ ...one, ...other }).map((name) => [name, (one[name] ?? 0) + (other[name] ?? 0)]);
  return Object.fromEntries(all) as Counts;
}

const bothQuestions = (one: PanelQuestion, other: PanelQuestion): PanelQuestion => ({
  ...one,
  polls: one.polls + other.polls,
  counts: one.counts.map((counts, vendor) => sums(counts, other.counts[vendor] ?? counts)),
  splits: [...one.splits, ...other.splits],
});

const bothLags = (one: Freshness, other: Freshness): Freshness => ({
  ...one,
  behind: sums(one.behind, other.behind),
  uncertain: Math.max(one.uncertain, other.uncertain),
  stale: one.stale + other.stale,
});

const bothBackwards = (one: Backwards, other: Backwards): Backwards => ({
  ...one,
  answers: one.answers + other.answers,
  back: one.back + other.back,
  slots: sums(one.slots, other.slots),
  values: one.values + other.values,
  statuses: one.statuses + other.statuses,
});

/** As it is listed on the later of two nights, and charged on both; why nothing is known of one counts no more then. */
function bothPrices(later: VendorPrice, earlier: VendorPrice): VendorPrice {
  const [one, other] = [later.charged, earlier.charged];
  if (!one || !other) return { ...later, charged: one ?? other, why: one || other ? null : later.why };
  const listed = one.listed === null || other.listed === null ? null : one.listed + other.listed;
  const credits = new Big(one.credits).plus(other.credits).toFixed();
  return { ...later, charged: { credits, calls: one.calls + other.calls, listed } };
}

/** @param panels of the same vendors in the same order, the earliest first */
export function pooled([first, ...others]: readonly [PanelReport, ...PanelReport[]]): PanelReport {
  const panels = [first, ...others];
  const latest = others.at(-1) ?? first;
  const latencies = new PanelLatencies();
  for (const panel of panels) latencies.addAll(panel);
  const operations = new Set(panels.flatMap(({ freshness }) => Object.keys(freshness)));
  const lagsIn = (operation: string): readonly Freshness[] =>
    merged(
      panels.flatMap(({ freshness }) => freshness[operation] ?? []),
      ({ vendor }) => vendor,
      bothLags,
    );
  return {
    ...latest,
    startedAt: first.startedAt,
    rounds: sum(panels.map(({ rounds }) => rounds)),
    vendors: latest.vendors.map((vendor, nth) => ({
      ...vendor,
      spent: totalSpent(panels.flatMap(({ vendors }) => vendors[nth]?.spent ?? [])),
    })),
    apart: sum(panels.map(({ apart }) => apart)),
    questions: merged(
      panels.flatMap(({ questions }) => questions),
      ({ id }) => id,
      bothQuestions,
    ),
    freshness: Object.fromEntries([...operations].map((operation) => [operation, lagsIn(operation)])),
    latencies: latencies.latencies,
    leads: latencies.leads,
    dissents: panels.flatMap(({ dissents }) => dissents),
    // What no night has looked at isn't known.
    ...(panels.every(({ format }) => format === 1) ? {} : laterFigures(panels, latest)),
  };
}

/** Of what panels of format 1 don't have. */
function laterFigures(panels: readonly PanelReport[], latest: PanelReport): Partial<PanelReport> {
  return {
    backwards: merged(
      panels.flatMap(({ backwards = [] }) => backwards),
      ({ vendor, operation }) => `${vendor} ${operation}`,
      bothBackwards,
    ),
    connections: panels.reduce((all, panel) => all.addAll(panel), new PanelConnections()).connections,
    // Who was absent at the end of an earlier night isn't absent since.
    absences: panels.flatMap((panel) =>
      (panel.absences ?? []).map((absence) => ({
        ...absence,
        to: absence.to ?? (panel === latest ? null : panel.endedAt),
      })),
    ),
    prices: merged(
      panels.toReversed().flatMap(({ prices = [] }) => prices),
      ({ vendor }) => vendor,
      bothPrices,
    ),
    defects: merged(
      panels.flatMap(({ defects = [] }) => defects),
      ({ vendor, message }) => `${vendor} ${message}`,
      (one, other) => ({ ...one, polls: one.polls + other.polls }),
    ),
  };
}
