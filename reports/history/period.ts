// Nights of a period: availability, shares of requirements that held, incidents, latencies and use by month
import { sum } from "simple-statistics";
import type { Requirement } from "../../harness/core/interface.ts";
import { isJudged, isVerified } from "../compare/requirements.ts";
import type { Described } from "../described.ts";
import { groupedBy } from "../lists.ts";
import type { Kind } from "../words.ts";
import { type History, historiesOf, withNights } from "./history.ts";
import { type LatencyLine, pooledLatencies } from "./latencies.ts";
import type { Night } from "./night.ts";
import { changeRows, limitRows } from "./nights.tsx";
import {
  type Availability,
  availabilityOf,
  type Incident,
  incidentsIn,
  isInPeriod,
  type Period,
} from "./periodIncidents.ts";
import { nightDay } from "./strips.ts";

/** On how many nights a requirement held, of those on which it was judged. */
export interface HeldShare extends Pick<Requirement, "id" | "sentence"> {
  readonly held: number;
  readonly judged: number;
  /** What the other judged nights found, each with on how many. */
  readonly others: readonly (readonly [kind: Kind, nights: number])[];
}

/** Served answers to one operation in one month. */
export interface MonthLatency {
  readonly operation: string;
  /** As in `2026-09`. */
  readonly month: string;
  /** Of what was sent at a set rate; null of other answers. */
  readonly load: PeriodLoad | null;
  readonly nights: number;
  /** Nights of these whose histogram is pruned. */
  readonly missing: number;
  /** Null where all are. */
  readonly pooled: Pick<LatencyLine, "count" | "p50_ms" | "p95_ms" | "p99_ms"> | null;
}

/** Loads at different rates don't measure the same. */
interface PeriodLoad {
  readonly shape: string;
  /** In its fastest phase, requests per second, as asked for. */
  readonly perSecond: number;
}

/** What was sent in a month, by nights of any sort. */
export interface MonthUse extends Pick<Night["spent"], "requests" | "credits" | "unpriced"> {
  readonly month: string;
  readonly nights: number;
}

export interface PeriodNight extends Pick<Night, "left" | "assay"> {
  readonly day: string;
  readonly availability: Availability;
}

/** Nights of a period that can be compared. */
export interface PeriodHistory extends Pick<Night, "vantage" | "kind"> {
  /** In their order. */
  readonly nights: readonly PeriodNight[];
  readonly shares: readonly HeldShare[];
  /** Requirements that another version judged on these nights, and this one doesn't know. */
  readonly unknown: readonly string[];
  readonly incidents: readonly Incident[];
  readonly latencies: readonly MonthLatency[];
  readonly use: readonly MonthUse[];
  /** What, limit, and the day on which it was first seen; those of the period, the newest first. */
  readonly limits: readonly (readonly string[])[];
  /** As `changeRows`, with the question beside a behaviour's id. */
  readonly changes: readonly (readonly string[])[];
}

const monthOf = ({ at }: Pick<Night, "at">): string => at.slice(0, 7);

/** Of one target. @param all its nights, of any time: earlier ones say what was so before */
export function periodHistories(
  all: readonly Night[],
  period: Period,
  described: Pick<Described, "tables">,
): readonly PeriodHistory[] {
  const until = all.filter(({ at }) => nightDay(at) <= period.to);
  return historiesOf(until, described)
    .map((history) => periodOf(history, period, described))
    .filter(({ nights }) => nights.length > 0)
    .sort((a, b) => Number(b.kind === "run") - Number(a.kind === "run"));
}

function periodOf(history: History, period: Period, { tables }: Pick<Described, "tables">): PeriodHistory {
  const { vantage, kind, changes } = history;
  const all = [...new Set([...history.nights, ...history.left])].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  const nights = all.filter((night) => isInPeriod(night, period));
  const questions = new Map<string, string>(tables.unspecified.map(({ id, question }) => [id, question]));
  const known = new Set<string>(withNights(tables, history.nights).requirements.map(({ id }) => id));
  const isNew = ({ night }: { readonly night: number }): boolean => {
    const first = history.nights[night];
    return first !== undefined && isInPeriod(first, period);
  };
  return {
    vantage,
    kind,
    nights: nights.map((night) => {
      const { at, left, assay } = night;
      return { day: nightDay(at), left, assay, availability: availabilityOf(night) };
    }),
    shares: sharesIn(history, period),
    unknown: [...new Set(nights.flatMap(({ requirements }) => Object.keys(requirements)))].filter(
      (id) => !known.has(id),
    ),
    incidents: incidentsIn(history, all, period),
    latencies: latenciesByMonth(nights),
    use: [...groupedBy(nights, monthOf)].map(([month, some]) => ({
      month,
      nights: some.length,
      requests: sum(some.map(({ spent }) => spent.requests)),
      credits: sum(some.map(({ spent }) => spent.credits)),
      unpriced: sum(some.map(({ spent }) => spent.unpriced)),
    })),
    limits: limitsIn(history, period),
    changes: changeRows({
      nights: history.nights,
      changes: { behaviours: changes.behaviours.filter(isNew), shapes: changes.shapes.filter(isNew) },
    }).map(([first = "", what = "", ...rest]) => [first, [what, questions.get(what) ?? ""].join(" ").trim(), ...rest]),
  };
}

function sharesIn({ strips, nights }: History, period: Period): readonly HeldShare[] {
  const first = nights.findIndex((night) => isInPeriod(night, period));
  return strips.flatMap(({ id, sentence, states }): HeldShare[] => {
    const within = first < 0 ? [] : states.slice(first);
    const kinds = within.filter(isJudged).flatMap(({ kind }) => (kind === "absent" ? [] : kind));
    const unheld = kinds.filter((kind) => !isVerified({ kind }));
    const others = [...groupedBy(unheld, (kind) => kind).values()].map((some) => [some[0], some.length] as const);
    const isPlanned = within.some(({ kind }) => kind !== "absent");
    return isPlanned ? [{ id, sentence, judged: kinds.length, held: kinds.length - unheld.length, others }] : [];
  });
}

/** A run beside which a load was sent has that load's latencies. */
function loadIn({ load }: Night): PeriodLoad | null {
  if (!load?.phases.some(({ requests }) => requests > 0)) return null;
  return { shape: load.shape, perSecond: Math.max(...load.phases.map(({ perSecond }) => perSecond)) };
}

function latenciesByMonth(nights: readonly Night[]): readonly MonthLatency[] {
  const served = nights
    .filter(({ left }) => left === null)
    .flatMap((night) => {
      const load = loadIn(night);
      const lines = night.latencies.filter(({ outcome }) => outcome === "served");
      return lines.map((line) => ({ line, load, month: monthOf(night) }));
    });
  const keyOf = ({ line, load, month }: (typeof served)[number]): string =>
    JSON.stringify([load?.shape ?? null, load?.perSecond ?? null, line.operation, month]);
  return [...groupedBy(served, keyOf)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, some]) => {
      const [first, ...others] = some;
      const { load, month } = first;
      const { pooled, missing } = pooledLatencies([first.line, ...others.map(({ line }) => line)]);
      return { operation: first.line.operation, month, load, nights: some.length, missing, pooled };
    });
}

/** Of what was measured in it: limits that were in force at its begin, and later ones. */
function limitsIn(history: History, period: Period): PeriodHistory["limits"] {
  const measured = new Set(
    history.nights.filter((night) => isInPeriod(night, period)).flatMap(({ limits }) => Object.keys(limits)),
  );
  const byName = groupedBy(limitRows(history), ([name = ""]) => name);
  return [...byName].flatMap(([name, rows]) => {
    if (!measured.has(name)) return [];
    const atBegin = rows.findIndex(([, , since = ""]) => since <= period.from);
    return atBegin < 0 ? rows : rows.slice(0, atBegin + 1);
  });
}
