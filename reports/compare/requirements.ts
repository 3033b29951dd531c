// Requirements newly broken, fixed, no longer judged or newly verified, and the matrix of all runs.
import { sum } from "simple-statistics";
import type { Interface } from "../../harness/core/interface.ts";
import { starred } from "../../harness/core/json.ts";
import type { Breach } from "../../harness/model/verdict.ts";
import type { ExchangeRecord } from "../../harness/record/journal.ts";
import type { JudgedRequirement, Run } from "../../harness/record/run.ts";
import { gotText, isMissing } from "../breach.ts";
import { isNothingJudged } from "../headline.ts";
import { kindOf, kinds } from "../words.ts";
import type { MatrixRow, RequirementChange, RequirementChanges, ShownBreach, State } from "./comparison.ts";

export const isBrokenState = ({ kind }: Pick<State, "kind">): boolean =>
  kind === "broken" || kind === "warned" || kind === "noted";
export const isVerified = ({ kind }: Pick<State, "kind">): boolean =>
  kind === "holds" || kind === "narrowed" || kind === "fixed";
/** Broken, verified, or broken as the target declares. */
export const isJudged = (state: Pick<State, "kind">): boolean =>
  isBrokenState(state) || isVerified(state) || isDeviating(state);
const isDeviating = ({ kind }: Pick<State, "kind">): boolean => kind === "deviates" || kind === "renamed";
/** Whether one of two verified states lacks a member that the other has. */
const isNarrower = (state: State, than: State): boolean =>
  isVerified(state) && isVerified(than) && (state.untried ?? []).some((member) => !than.untried?.includes(member));
const isUndecided = ({ kind }: State): boolean =>
  kind === "withheld" || kind === "untestable" || kind === "inconclusive";

const byId = ({ requirements }: Run): ReadonlyMap<string, JudgedRequirement> =>
  new Map(requirements.map((one) => [one.id, one]));

export const stateOf = (judged: JudgedRequirement | undefined): State =>
  judged ? { kind: kindOf(judged), reason: judged.reason, ...untriedOf(judged) } : { kind: "absent", reason: null };

const untriedOf = ({ narrowed }: JudgedRequirement): Pick<State, "untried"> =>
  narrowed ? { untried: narrowed.untried.map(({ member, inPart }) => (inPart ? `${member} in part` : member)) } : {};

const isBrokenOne = (judged: JudgedRequirement | undefined): judged is JudgedRequirement =>
  isBrokenState(stateOf(judged));

type Register = Pick<Interface, "requirements">;

interface Row {
  /** In the words of the last run that planned it. */
  readonly named: JudgedRequirement;
  /** Run by run. */
  readonly judged: readonly (JudgedRequirement | undefined)[];
}

/** Each requirement that any run planned, in the register's order. */
function rowsOf(runs: readonly Run[], register: Register): readonly Row[] {
  const all = runs.map(byId);
  const place = new Map<string, number>(register.requirements.map(({ id }, index) => [id, index]));
  const placeOf = ({ named }: Row): number => place.get(named.id) ?? place.size;
  return [...new Map(all.flatMap((one) => [...one]))]
    .map(([id, named]) => ({ named, judged: all.map((one) => one.get(id)) }))
    .sort((a, b) => placeOf(a) - placeOf(b));
}

const namesOf = ({ id, sentence, clause, level }: JudgedRequirement) => ({ id, sentence, clause, level });

export function changesBetween(base: Run, head: Run, register: Register): RequirementChanges {
  const rows = rowsOf([base, head], register).map(({ named, judged: [was, is] }) => ({ named, was, is }));
  const isReworded = ({ was, named }: (typeof rows)[number]): boolean =>
    was !== undefined && was.sentence !== named.sentence;
  const changeOf = ({ was, is, named }: (typeof rows)[number], shown: Breach | undefined): RequirementChange => {
    return { ...namesOf(named), was: stateOf(was), is: stateOf(is), shown: shownOf(head, shown) };
  };
  const compared = rows.filter((row) => !isReworded(row));
  const changes = changesAmong(compared.map((row) => changeOf(row, row.is?.breaches[0])));
  // A recording verifies nothing, so what only the other run verifies hasn't changed.
  const isBeyond = ({ recording }: Run, state: State): boolean => recording !== undefined && isVerified(state);
  return {
    ...changes,
    unjudged: changes.unjudged.filter(({ was }) => !isBeyond(head, was)),
    verified: changes.verified.filter(({ is }) => !isBeyond(base, is)),
    brokenElsewhere: compared.flatMap((row) => {
      const { was, is } = row;
      if (!isBrokenOne(was) || !isBrokenOne(is)) return [];
      const [other] = newPlaces(base, head, was, is);
      return other ? [changeOf(row, other)] : [];
    }),
    reworded: rows.filter(isReworded).map(({ named }) => named.id),
  };
}

/** Of all requirements, those whose state changed, by how it did. */
export function changesAmong(
  all: readonly RequirementChange[],
): Omit<RequirementChanges, "brokenElsewhere" | "reworded"> {
  const those = (isOne: (change: RequirementChange) => boolean): readonly RequirementChange[] => all.filter(isOne);
  return {
    broken: those(({ was, is }) => isBrokenState(is) && !isBrokenState(was)),
    fixed: those(({ was, is }) => isVerified(is) && (isBrokenState(was) || isDeviating(was))),
    known: those(({ is }) => is.kind === "deviates"),
    unjudged: those(({ was, is }) => isJudged(was) && isUndecided(is)),
    verified: those(({ was, is }) => isVerified(is) && isUndecided(was)),
    narrower: those(({ was, is }) => isNarrower(is, was)),
    wider: those(({ was, is }) => isNarrower(was, is)),
    unplanned: those(
      ({ was, is }) => [was.kind, is.kind].includes("absent") && !isBrokenState(was) && !isBrokenState(is),
    ).map(({ id }) => id),
  };
}

const exchangeOf = ({ exchanges }: Run, breach: Breach): ExchangeRecord | undefined =>
  exchanges.find(({ number }) => number === breach.exchange);

function shownOf(run: Run, breach: Breach | undefined): ShownBreach | null {
  if (!breach) return null;
  const { at, expected } = breach;
  const got = isMissing(breach) ? ({ got: "missing", isMissing: true } as const) : { got: gotText(breach) };
  return { title: exchangeOf(run, breach)?.title ?? null, at, expected, ...got };
}

/** Breaches at places where the base, sent the same request, had none; items of an array are one place. */
function newPlaces(base: Run, head: Run, was: JudgedRequirement, is: JudgedRequirement): readonly Breach[] {
  const placeOf = (run: Run, breach: Breach) => {
    const found = exchangeOf(run, breach);
    return found && { digest: found.stimulus, name: `${found.operation} ${starred(breach.at)}` };
  };
  const sent = new Set(base.exchanges.map(({ stimulus: digest }) => digest));
  const known = new Set(was.breaches.map((breach) => placeOf(base, breach)?.name));
  return is.breaches.filter((breach) => {
    const here = placeOf(head, breach);
    return here !== undefined && sent.has(here.digest) && !known.has(here.name);
  });
}

export function comparisonExitCode(base: Run, head: Run, changes: RequirementChanges): 0 | 1 | 3 {
  const judged = byId(base);
  // Laws judge recordings and verify nothing: what isn't broken there is withheld.
  const isComparable =
    base.recording || head.recording
      ? !isNothingJudged(base) && !isNothingJudged(head)
      : head.requirements.some((one) => isJudged(stateOf(one)) && isJudged(stateOf(judged.get(one.id))));
  return exitCodeFor(changes, base.complete && head.complete && isComparable);
}

/** 1 where a requirement is newly broken, 3 where that is inconclusive, else 0. */
export function exitCodeFor({ broken, unjudged }: RequirementChanges, isComparable: boolean): 0 | 1 | 3 {
  if (broken.some(({ is }) => is.kind === "broken")) return 1;
  return isComparable && !unjudged.some(({ is }) => is.kind === "inconclusive") ? 0 : 3;
}

/** The worse, the lower. */
const rank = (kind: State["kind"]): number => [...kinds, "absent"].indexOf(kind);

export function matrixOf(runs: readonly Run[], register: Register): readonly MatrixRow[] {
  const rows = rowsOf(runs, register).map(
    ({ named, judged }): MatrixRow => ({ ...namesOf(named), kinds: judged.map((one) => stateOf(one).kind) }),
  );
  const worst = ({ kinds: row }: MatrixRow): number => Math.min(...row.map(rank));
  const all = ({ kinds: row }: MatrixRow): number => sum(row.map(rank));
  return rows.sort((a, b) => worst(a) - worst(b) || all(a) - all(b));
}
