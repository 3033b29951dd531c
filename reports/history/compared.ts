// The last night compared with earlier ones, as runs are compared
import { canonical } from "../../harness/core/json.ts";
import type { ComparedFigures, LatencyChange } from "../compare/comparedFigures.ts";
import {
  type ComparedRun,
  type Comparison,
  comparisonFormat,
  type Drift,
  type MutedRequirement,
  type Pair,
  type RequirementChange,
  type ShapeChange,
  type State,
} from "../compare/comparison.ts";
import { changesAmong, exitCodeFor, isBrokenState, isJudged } from "../compare/requirements.ts";
import type { Described } from "../described.ts";
import { groupedBy } from "../lists.ts";
import type { HistoryChange as NightChange } from "./changes.ts";
import type { History } from "./history.ts";
import { countsIn, isEndedByItself, type Night } from "./night.ts";
import { shapedNamed, typesWritten } from "./nightShapes.ts";
import { stepsSince } from "./steps.ts";
import type { Strip } from "./strips.ts";

/** The most frequent state where it was judged, else where it was planned, else before that. */
function usualOf(states: readonly State[], nights: readonly number[]): State {
  const isPlanned = ({ kind }: State): boolean => kind !== "absent";
  const planned = nights.flatMap((nth) => states[nth] ?? []).filter(isPlanned);
  const known = planned.some(isJudged) ? planned.filter(isJudged) : planned;
  const [[usual] = []] = [...groupedBy(known, ({ kind }) => kind).values()].sort((a, b) => b.length - a.length);
  return usual ?? states.slice(0, nights[0]).findLast(isPlanned) ?? { kind: "absent", reason: null };
}

function changeOf({ states, trend, ...named }: Strip, nights: readonly number[]): RequirementChange {
  const was = usualOf(states, nights);
  const again = trend.is === "broken again" ? { again: { broken: trend.broken, of: trend.of } } : {};
  return { ...named, was, is: states.at(-1) ?? was, shown: null, ...again };
}

function requirementsOf({ strips, newlyBroken }: History, nights: readonly number[]): Pair["requirements"] {
  const all = strips.map((strip) => changeOf(strip, nights));
  const changes = changesAmong(all);
  const trends = new Map(strips.map(({ id, trend }) => [id, trend]));
  const isSteady = ({ id }: RequirementChange): boolean => trends.get(id)?.is !== "flaky";
  const muted = all.flatMap((change): readonly MutedRequirement[] => {
    const trend = trends.get(change.id);
    const isMuted = trend?.is === "flaky" && isBrokenState(change.is) && !newlyBroken.includes(change.id);
    if (!isMuted) return [];
    const { is: why, ...rate } = trend;
    return [{ ...change, why, ...rate }];
  });
  return {
    ...changes,
    // One that was flaky breaks for good on a night after others on which it was broken; what was so is no news.
    broken: all.filter(
      (change) =>
        (newlyBroken.includes(change.id) && !isBrokenState(change.was)) ||
        (changes.broken.includes(change) && isSteady(change)),
    ),
    ...(muted.length > 0 ? { muted } : {}),
    fixed: changes.fixed.filter(isSteady),
    brokenElsewhere: [],
    reworded: [],
  };
}

function runOf(night: Night, name: string): ComparedRun {
  const { id, assay, target, at, seconds, exitCode, spent } = night;
  const { holds, narrowed, deviates, renamed, ...counts } = countsIn(night);
  return {
    name,
    id,
    version: assay,
    target: { name: target, isReference: false, bases: {} },
    command: "",
    startedAt: at,
    endedAt: seconds === null ? null : new Date(Date.parse(at) + seconds * 1_000).toISOString(),
    complete: isEndedByItself(night),
    exitCode,
    totals: { ...counts, holds: holds + narrowed, narrowed, deviates: deviates + renamed, renamed },
    spent,
  };
}

/** Latencies that both nights have, and those that are on another level. @param since from which night on it counts */
function latencyOf(history: History, nth: number, since: number): readonly LatencyChange[] {
  const { nights } = history;
  const steps = new Map(stepsSince(history, since).map((step) => [step.operation, step]));
  return history.latencies.flatMap(({ operation, counts, p50, p95 }): readonly LatencyChange[] => {
    const figuresAt = (night: number): ComparedFigures | null => {
      const { [night]: median = null } = p50;
      return median === null ? null : { count: counts[night] ?? 0, median, p95: p95[night] ?? median };
    };
    const was = figuresAt(nth);
    const is = figuresAt(nights.length - 1);
    const step = steps.get(operation);
    if (!was || !is) return [];
    const at = nights[step?.night ?? 0]?.at ?? "";
    const of = step && { since: { at, percentile: step.percentile, was: step.was, is: step.is } };
    return [{ operation, was, is, shift: null, isReported: step !== undefined, ...of }];
  });
}

/** The first value and the last of each, without what later nights took back. */
function since(all: readonly NightChange[], nth: number): readonly NightChange[] {
  const lasting = all.filter(({ night, back }) => night > nth && back === null);
  return [...groupedBy(lasting, ({ what, where }) => `${what} ${where}`).values()]
    .map((some) => some.reduce((first, last) => ({ ...last, was: first.was })))
    .filter(({ was, is }) => canonical(was) !== canonical(is));
}

/** Unspecified behaviours that are others than on that night. */
function driftsSince(
  { changes, nights }: History,
  nth: number,
  { unspecified }: Described["tables"],
): readonly Drift[] {
  const changed = groupedBy(since(changes.behaviours, nth), ({ what }) => what);
  return unspecified.flatMap(({ id, question, clause }): Drift[] => {
    const cases = changed.get(id);
    if (!cases) return [];
    const at = nights[Math.max(...cases.map(({ night }) => night))]?.at ?? "";
    return [
      {
        id,
        question,
        clause,
        cases: cases.map(({ where, was, is }) => ({ case: where, was, is })),
        firstSeen: { run: 1, at },
      },
    ];
  });
}

/** Of one night each. */
function shapesOf({ what, where, was, is }: NightChange): readonly ShapeChange[] {
  const answers = shapedNamed(what);
  if (!answers) return [];
  const { types: before } = typesWritten(was);
  const { types: now } = typesWritten(is);
  const change: ShapeChange = {
    ...answers,
    at: where,
    change: before.length === 0 ? "appeared" : now.length === 0 ? "vanished" : "other type",
    was: before,
    is: now,
    seen: { was: { have: Math.min(1, before.length), of: 1 }, is: { have: Math.min(1, now.length), of: 1 } },
  };
  return [change];
}

/**
 * @param earlier places of at least one night before the last, of which the most frequent state of a requirement counts
 * @param version of Assay
 */
export function comparedWith(
  history: History,
  earlier: readonly number[],
  version: string,
  { tables }: Pick<Described, "tables">,
): Comparison {
  const { nights, strips, changes } = history;
  const first = Math.max(...earlier);
  const head = nights.at(-1);
  const base = nights[first];
  if (!head || !base || head === base) throw new Error("there is nothing to compare with");
  const requirements = requirementsOf(history, earlier);
  const isComparable = strips.some(
    ({ states }) => states.slice(0, -1).some(isJudged) && states.slice(-1).some(isJudged),
  );
  const exitCode = exitCodeFor(requirements, head.left === null && isComparable);
  const pair: Pair = {
    base: 0,
    head: 1,
    exitCode,
    requirements,
    observations: driftsSince(history, first, tables),
    shapes: since(changes.shapes, first).flatMap(shapesOf),
    // What is usual on most of several nights is on more than half of them.
    latency: latencyOf(history, first, earlier[Math.floor((earlier.length - 1) / 2)] ?? first),
    limits: [],
    charges: [],
    freshness: [],
    notes: [],
  };
  const usual = earlier.length > 1 ? `, usual of ${earlier.length} nights` : "";
  return {
    format: comparisonFormat,
    version,
    interface: { name: head.interface.name, version: head.interface.version },
    runs: [runOf(base, `${head.target}${usual}`), runOf(head, head.target)],
    exitCode,
    pairs: [pair],
    matrix: [],
  };
}
