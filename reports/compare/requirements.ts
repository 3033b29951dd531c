// Requirements newly broken, fixed, no longer judged or newly verified, and the matrix of all runs.
import type { Interface } from "../../harness/core/interface.ts";
import { starred } from "../../harness/core/json.ts";
import type { Breach } from "../../harness/model/verdict.ts";
import type { JudgedRequirement, Run } from "../../harness/record/run.ts";
import { gotText } from "../breach.ts";
import { kindOf, kinds } from "../words.ts";
import type { Change, Changes, MatrixRow, Shown, State } from "./comparison.ts";

const isBroken = ({ kind }: State): boolean => kind === "broken" || kind === "warned" || kind === "noted";
const isVerified = ({ kind }: State): boolean => kind === "holds" || kind === "narrowed";
const isJudged = (state: State): boolean => isBroken(state) || isVerified(state) || isDeviating(state);
const isDeviating = ({ kind }: State): boolean => kind === "deviates" || kind === "renamed";
/** Whether one of two verified states lacks a member that the other has. */
const isNarrower = (state: State, than: State): boolean =>
  isVerified(state) && isVerified(than) && (state.untried ?? []).some((member) => !than.untried?.includes(member));
const isUndecided = ({ kind }: State): boolean => kind === "withheld" || kind === "inconclusive";

const byId = ({ requirements }: Run): ReadonlyMap<string, JudgedRequirement> =>
  new Map(requirements.map((one) => [one.id, one]));

const stateOf = (judged: JudgedRequirement | undefined): State =>
  judged ? { kind: kindOf(judged), reason: judged.reason, ...untriedOf(judged) } : { kind: "absent", reason: null };

const untriedOf = ({ narrowed }: JudgedRequirement): Pick<State, "untried"> =>
  narrowed ? { untried: narrowed.untried.map(({ member, inPart }) => (inPart ? `${member} in part` : member)) } : {};

type Register = Pick<Interface, "requirements">;

function inOrderOf({ requirements }: Register): (a: string, b: string) => number {
  const place = new Map<string, number>(requirements.map(({ id }, index) => [id, index]));
  return (a, b) => (place.get(a) ?? place.size) - (place.get(b) ?? place.size);
}

/** Each requirement that any run planned, run by run, in the register's order. */
function rowsOf(runs: readonly Run[], register: Register): readonly (readonly (JudgedRequirement | undefined)[])[] {
  const all = runs.map(byId);
  const ids = [...new Set(all.flatMap((one) => [...one.keys()]))].sort(inOrderOf(register));
  return ids.map((id) => all.map((one) => one.get(id)));
}

const namesOf = ({ id, sentence, clause, level }: JudgedRequirement) => ({ id, sentence, clause, level });

export function changesBetween(base: Run, head: Run, register: Register): Changes {
  const rows = rowsOf([base, head], register).flatMap(([was, is]) => {
    const named = is ?? was;
    return named ? [{ was, is, named }] : [];
  });
  const isReworded = ({ was, is }: (typeof rows)[number]): boolean =>
    was !== undefined && is !== undefined && was.sentence !== is.sentence;
  const changes = rows
    .filter((row) => !isReworded(row))
    .map(({ was, is, named }): Change => {
      const shown = is ? shownOf(head, is.breaches[0]) : null;
      return { ...namesOf(named), was: stateOf(was), is: stateOf(is), shown };
    });
  const those = (isOne: (change: Change) => boolean): readonly Change[] => changes.filter(isOne);
  return {
    broken: those(({ was, is }) => isBroken(is) && !isBroken(was)),
    fixed: those(({ was, is }) => isVerified(is) && (isBroken(was) || isDeviating(was))),
    unjudged: those(({ was, is }) => isJudged(was) && isUndecided(is)),
    verified: those(({ was, is }) => isVerified(is) && isUndecided(was)),
    narrower: those(({ was, is }) => isNarrower(is, was)),
    wider: those(({ was, is }) => isNarrower(was, is)),
    brokenElsewhere: rows.flatMap(({ was, is, named }) => {
      const change = changes.find(({ id }) => id === named.id);
      if (!was || !is || !change || !isBroken(change.was) || !isBroken(change.is)) return [];
      const [other] = newPlaces(base, head, was, is);
      return other ? [{ ...change, shown: shownOf(head, other) }] : [];
    }),
    reworded: rows.filter(isReworded).map(({ named }) => named.id),
    unplanned: those(({ was, is }) => [was.kind, is.kind].includes("absent") && !isBroken(was) && !isBroken(is)).map(
      ({ id }) => id,
    ),
  };
}

function shownOf({ exchanges }: Run, breach: Breach | undefined): Shown | null {
  if (!breach) return null;
  const { at, expected } = breach;
  const title = exchanges.find(({ number }) => number === breach.exchange)?.title ?? null;
  return { title, at, expected, got: gotText(breach) };
}

/** Breaches at places where the base, sent the same request, had none; items of an array are one place. */
function newPlaces(base: Run, head: Run, was: JudgedRequirement, is: JudgedRequirement): readonly Breach[] {
  const placeOf = ({ exchanges }: Run, { exchange, at }: Breach) => {
    const found = exchanges.find(({ number }) => number === exchange);
    return found ? { stimulus: found.stimulus, name: `${found.operation} ${starred(at)}` } : null;
  };
  const sent = new Set(base.exchanges.map(({ stimulus }) => stimulus));
  const known = new Set(was.breaches.map((breach) => placeOf(base, breach)?.name));
  return is.breaches.filter((breach) => {
    const here = placeOf(head, breach);
    return here !== null && sent.has(here.stimulus) && !known.has(here.name);
  });
}

/** 1 where a requirement is newly broken, 3 where that is inconclusive, else 0. */
export function exitCodeOf(base: Run, head: Run, { broken, unjudged }: Changes): 0 | 1 | 3 {
  if (broken.some(({ is }) => is.kind === "broken")) return 1;
  const isLost = !base.complete || !head.complete || unjudged.some(({ is }) => is.kind === "inconclusive");
  const judged = byId(base);
  const isComparable = head.requirements.some((one) => isJudged(stateOf(one)) && isJudged(stateOf(judged.get(one.id))));
  return isLost || !isComparable ? 3 : 0;
}

const severity = new Map<State["kind"], number>([...kinds, "absent" as const].map((kind, index) => [kind, index]));
const rank = (kind: State["kind"]): number => severity.get(kind) ?? severity.size;

export function matrixOf(runs: readonly Run[], register: Register): readonly MatrixRow[] {
  const rows = rowsOf(runs, register).flatMap((judged): MatrixRow[] => {
    const named = judged.find((one) => one !== undefined);
    return named ? [{ ...namesOf(named), kinds: judged.map((one) => stateOf(one).kind) }] : [];
  });
  const worst = ({ kinds: row }: MatrixRow): number => Math.min(...row.map(rank));
  const sum = ({ kinds: row }: MatrixRow): number => row.reduce((total, kind) => total + rank(kind), 0);
  return [...rows].sort((a, b) => worst(a) - worst(b) || sum(a) - sum(b));
}
