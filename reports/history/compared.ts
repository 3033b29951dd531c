// The last night compared with earlier ones, as runs are compared
import {
  type Change,
  type ComparedRun,
  type Comparison,
  comparisonFormat,
  type Drift,
  type Pair,
  type ShapeChange,
  type State,
} from "../compare/comparison.ts";
import { isAlike, scalesIn } from "../compare/observations.ts";
import { changesAmong, isJudged } from "../compare/requirements.ts";
import type { Described } from "../described.ts";
import { groupedBy } from "../lists.ts";
import { type Kind, kinds } from "../words.ts";
import type { BehaviourChange, PlaceChange } from "./changes.ts";
import type { History } from "./history.ts";
import type { Night } from "./night.ts";

/** What the last night is compared with. */
export interface Earlier {
  /** E.g. `yesterday`. */
  readonly name: string;
  /** Places of nights, of which the most frequent state of a requirement counts. */
  readonly nights: readonly number[];
}

type Interface = Described["tables"];

/** The most frequent state where it was judged, else where it wasn't. */
function usualOf(states: readonly State[]): State {
  const known = states.some(isJudged) ? states.filter(isJudged) : states;
  const [[usual] = []] = [...groupedBy(known, ({ kind }) => kind).values()].sort((a, b) => b.length - a.length);
  return usual ?? { kind: "absent", reason: null };
}

function changeOf(
  { states }: History["strips"][number],
  nights: readonly number[],
  named: Interface["requirements"][number],
): Change {
  const { sentence, clause, level } = named;
  const was = usualOf(nights.flatMap((nth) => states[nth] ?? []));
  const is = states.at(-1) ?? was;
  // A night on which only some were tried says nothing of the others.
  const before = states.slice(0, nights[0]).findLast(({ kind }) => kind !== "absent");
  return { id: named.id, sentence, clause, level, was: was.kind === "absent" ? (before ?? was) : was, is, shown: null };
}

function requirementsOf(
  { strips, newlyBroken }: History,
  nights: readonly number[],
  { requirements }: Interface,
): Pair["requirements"] {
  const named = new Map<string, Interface["requirements"][number]>(requirements.map((one) => [one.id, one]));
  const all = strips.flatMap((strip) => {
    const row = named.get(strip.id);
    return row ? [changeOf(strip, nights, row)] : [];
  });
  const changes = changesAmong(all);
  const flaky = new Set(strips.flatMap(({ id, trend }) => (trend.is === "flaky" ? [id] : [])));
  const isSteady = ({ id }: Change): boolean => !flaky.has(id);
  return {
    ...changes,
    // One that was flaky breaks for good on a night after others on which it was broken.
    broken: all.filter((one) => newlyBroken.includes(one.id) || (changes.broken.includes(one) && isSteady(one))),
    fixed: changes.fixed.filter(isSteady),
    brokenElsewhere: [],
    reworded: [],
  };
}

const totalsOf = ({ requirements }: Night): ComparedRun["totals"] => {
  const found = Object.values(requirements).map((one) => (typeof one === "string" ? one : one.is));
  const count = (...some: readonly Kind[]): number => found.filter((kind) => some.includes(kind)).length;
  const each = Object.fromEntries(kinds.map((kind) => [kind, count(kind)])) as Record<Kind, number>;
  return { ...each, holds: count("holds", "narrowed"), deviates: count("deviates", "renamed") };
};

function runOf(night: Night, name: string): ComparedRun {
  const { id, assay, target, at, seconds, left, exitCode, spent } = night;
  return {
    name,
    id,
    version: assay,
    target: { name: target, isReference: false, bases: {} },
    command: "",
    startedAt: at,
    endedAt: seconds === null ? null : new Date(Date.parse(at) + seconds * 1_000).toISOString(),
    complete: left === null,
    exitCode,
    totals: totalsOf(night),
    spent,
  };
}

/** What later nights took back isn't there. */
const since = <One extends { readonly night: number; readonly back: number | null }>(
  all: readonly One[],
  nth: number,
) => all.filter(({ night, back }) => night > nth && back === null);

/** The first and the last value of each, unless they are alike. */
export function driftsSince({ changes, nights }: History, nth: number, { unspecified }: Interface): readonly Drift[] {
  const scalesOf = scalesIn({ unspecified });
  const cases = groupedBy(since(changes.behaviours, nth), ({ id, case: name }) => `${id} ${name}`);
  const changed = [...cases.values()].flatMap((all): BehaviourChange[] => {
    const [first, last = first] = [all[0], all.at(-1)];
    return isAlike(first.was, last.is, scalesOf(first.id) ?? []) ? [] : [{ ...last, was: first.was }];
  });
  return [...groupedBy(changed, ({ id }) => id).values()].flatMap((all): Drift[] => {
    const row = unspecified.find(({ id }) => id === all[0].id);
    const at = nights[Math.max(...all.map(({ night }) => night))]?.at ?? "";
    if (!row) return [];
    const { id, question, clause } = row;
    return [
      {
        id,
        question,
        clause,
        cases: all.map(({ case: name, was, is }) => ({ case: name, was, is })),
        firstSeen: { run: 1, at },
      },
    ];
  });
}

/** Of one night each. */
function shapeOf({ group, at, was, is }: PlaceChange): ShapeChange {
  const typesIn = ([types]: PlaceChange["was"]): readonly string[] => (types ? types.replace("?", "").split("|") : []);
  const [before, now] = [typesIn(was), typesIn(is)];
  const change = before.length === 0 ? "appeared" : now.length === 0 ? "vanished" : "other type";
  const seen = { was: { have: Math.min(1, before.length), of: 1 }, is: { have: Math.min(1, now.length), of: 1 } };
  return { ...group, at, change, was: before, is: now, seen };
}

/** @param version of Assay; @param earlier at least one night before the last */
export function comparedWith(
  history: History,
  earlier: Earlier,
  version: string,
  { tables }: Pick<Described, "tables">,
): Comparison {
  const { nights } = history;
  const [head, base, first = 0] = [nights.at(-1), nights[earlier.nights.at(-1) ?? -1], earlier.nights.at(-1)];
  if (!head || !base || head === base) throw new Error("there is nothing to compare with");
  const requirements = requirementsOf(history, earlier.nights, tables);
  const isComparable = history.strips.some(
    ({ states }) => states.slice(0, -1).some(isJudged) && states.slice(-1).some(isJudged),
  );
  const isLost = head.left !== null || requirements.unjudged.some(({ is }) => is.kind === "inconclusive");
  const isRed = requirements.broken.some(({ is }) => is.kind === "broken");
  const exitCode = isRed ? 1 : isLost || !isComparable ? 3 : 0;
  const pair: Pair = {
    base: 0,
    head: 1,
    exitCode,
    requirements,
    observations: driftsSince(history, first, tables),
    shapes: since(history.changes.shapes, first).map(shapeOf),
    latency: [],
    limits: [],
    charges: [],
    freshness: [],
    notes: [],
  };
  const several = earlier.nights.length > 1 ? `${head.target}, usual of ${earlier.nights.length} nights` : head.target;
  return {
    format: comparisonFormat,
    version,
    interface: { name: head.interface.name, version: head.interface.version },
    runs: [runOf(base, several), runOf(head, head.target)],
    exitCode,
    pairs: [pair],
    matrix: [],
  };
}
