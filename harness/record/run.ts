// The record of one run at one target, of which every report is a view.
import type { Counterexample } from "../core/generation.ts";
import {
  type Interface,
  type Requirement,
  type RequirementId,
  requirementOf,
  type UnspecifiedBehaviour,
  unspecifiedBehaviour,
} from "../core/interface.ts";
import { causesOf, type Reason } from "../core/reason.ts";
import { dottedPath } from "../core/template.ts";
import type { Remedy } from "../engine/remedies.ts";
import type { Audit } from "../model/chargeAudit.ts";
import type { PreflightResult, Unjudged } from "../model/event.ts";
import { merged, type Outage } from "../model/outage.ts";
import type { SampleNote } from "../model/sampleFinder.ts";
import { type ShownObserved, type ShownVerdict, shownVerdict } from "../model/shown.ts";
import { exitCodeOf, isBeyondTarget, isFixed, isInPart, unjudgedVerdict, type Verdict } from "../model/verdict.ts";
import type { Spent } from "../targets/budget.ts";
import { type Intermittent, intermittentIn, spentIn, waitedIn, yieldOf } from "./figures.ts";
import type { ExchangeRecord, FileDigest, JournalLine, RunStart } from "./journal.ts";
import type { LoadReport } from "./load.ts";
import type { RecordingReport } from "./recording.ts";

export const runFormat = 2;

/** A verdict with its requirement, and the command that replays it. */
export interface JudgedRequirement extends ShownVerdict, Pick<Requirement, "sentence" | "clause" | "level" | "basis"> {
  readonly area: string;
  readonly replay: string;
}

export interface RunObservation extends ShownObserved, Pick<UnspecifiedBehaviour, "question" | "clause" | "kind"> {}

/** The start of its journal, the end, and what follows from both. */
export interface Run
  extends Pick<
    RunStart,
    "version" | "interface" | "id" | "command" | "call" | "startedAt" | "unchecked" | "ownRequirements"
  > {
  readonly format: typeof runFormat;
  readonly target: {
    readonly name: string;
    readonly isReference: boolean;
    /** The target file as given on the command line. */
    readonly file?: string;
    /** By feature, the line of the target file that is about it, from 1. */
    readonly lines?: { readonly [feature: string]: number };
    /** Of the target file and of its known deviations, as they were. */
    readonly digests?: readonly FileDigest[];
    /** By role, the environment variable that holds its key. */
    readonly variables?: { readonly [role: string]: string };
    readonly bases: { readonly [api: string]: string };
  };
  /** Null where the run didn't end. */
  readonly endedAt: string | null;
  /** False where it was ended, or the target's budget before all was tried. */
  readonly complete: boolean;
  /** Set where the budget left requirements out: which budget. */
  readonly cutShort?: string;
  readonly exitCode: number;
  readonly totals: Totals;
  readonly plan: RunStart["plan"] & { readonly requirements: number };
  readonly spent: Spent;
  readonly yield: ReturnType<typeof yieldOf>;
  /** Null where the run ended before it, or called nothing of known charge. */
  readonly audit: Audit | null;
  readonly requirements: readonly JudgedRequirement[];
  readonly observations: readonly RunObservation[];
  readonly exchanges: readonly ExchangeRecord[];
  /** Bases and keys that can't be used; missing where all can. */
  readonly preflight?: PreflightResult;
  /** Projects whose figures moved without calls of this run; missing where none did. */
  readonly usedByOthers?: readonly string[];
  /** Of the run as a whole, in sentences without a full stop. */
  readonly remarks?: readonly string[];
  /** Answers that probes saw and no law judged, with why; the most frequent first. Missing where there were none. */
  readonly unjudged?: readonly Unjudged[];
  /** Outages that the run met, and what was found behind; left out where there were none. */
  readonly outages?: readonly Outage[];
  /** Failures that didn't occur again, most frequent first; left out where there were none. */
  readonly intermittent?: readonly Intermittent[];
  /** Samples that the target file didn't give; left out where there are none. */
  readonly samples?: readonly SampleNote[];
  /** How long it waited for charges, sent schedules, and stayed within limits; left out where it did none. */
  readonly waited?: { readonly charges_s: number; readonly schedules_s: number; readonly limits_s?: number };
  /** What the target file could add, by how much it unlocks; left out where there is nothing. */
  readonly unlocks?: readonly Remedy[];
  /** Set in load runs only. */
  readonly load?: LoadReport;
  /** Set where it judged what others sent; nothing was sent for it. */
  readonly recording?: RecordingReport;
}

/** The command that judges these requirements of a run again, or only the case that breaks one. */
export type ReplayOf = (start: RunStart, only: readonly RequirementId[], counterexample?: Counterexample) => string;

/**
 * The run of a journal, or null without a start. Planned requirements without a verdict are withheld.
 * @param replayOf by default the whole run is repeated
 */
export function runOf(
  lines: readonly JournalLine[],
  tables: Interface,
  replayOf: ReplayOf = ({ command }) => command,
): Run | null {
  const start = lines.find((line) => line.record === "start");
  if (!start) return null;
  const end = lines.find((line) => line.record === "end");
  const exchanges = lines.flatMap((line) => (line.record === "exchange" ? [line.exchange] : []));
  const spent = spentIn(lines);
  const load = lines.findLast((line) => line.record === "load")?.load;
  const recording = lines.find((line) => line.record === "recording")?.recording;
  const preflight = lines.find((line) => line.record === "preflight")?.preflight;
  const samples = lines.flatMap((line) => (line.record === "sample" ? [line.sample] : []));
  // Of what others sent, and of a load, only the whole can be repeated.
  const isWhole = recording !== undefined || (load !== undefined && start.planned.length === 0);
  const repeated: ReplayOf = isWhole ? ({ command }) => command : replayOf;
  const judged = verdictsIn(lines, start)
    .map((verdict) => judgedOf(tables, verdict, (only, counterexample) => repeated(start, only, counterexample)))
    .sort(byPlace(tables.requirements));
  const observations = lines.flatMap((line) => (line.record === "observation" ? [line.observation] : []));
  const usedByOthers = [...new Set(lines.flatMap((line) => (line.record === "usedByOthers" ? line.projects : [])))];
  const remarks = lines.flatMap((line) => (line.record === "remarks" ? line.sentences : []));
  const notJudged = lines.find((line) => line.record === "unjudged")?.unjudged;
  const unlocks = [...missedIn(start, samples, judged), ...(start.unlocks ?? [])].sort(
    (a, b) => b.requirements - a.requirements,
  );
  const waits = lines.flatMap((line) => (line.record === "waiting" ? [line] : []));
  const cutShort = lines.find((line) => line.record === "cutShort")?.reason;
  const intermittent = intermittentIn(lines);
  const outages = merged(lines.flatMap((line) => (line.record === "outage" ? [line.outage] : [])));
  const isOurs = [...judged, ...observations].some(({ defect }) => defect !== undefined);
  const exitCode = end?.exitCode ?? (cutShort === undefined ? exitCodeOf(judged, false) : 3);
  return {
    format: runFormat,
    version: start.version,
    interface: start.interface,
    id: start.id,
    target: targetIn(start),
    command: start.command,
    ...(start.call === undefined ? {} : { call: start.call }),
    startedAt: start.startedAt,
    endedAt: end?.endedAt ?? null,
    complete: end !== undefined && cutShort === undefined,
    ...(cutShort === undefined ? {} : { cutShort }),
    exitCode: isOurs && exitCode === 0 ? 3 : exitCode,
    totals: totalsOf(judged),
    plan: { ...start.plan, requirements: start.planned.length },
    spent,
    yield: yieldOf(lines, judged, spent),
    audit: lines.find((line) => line.record === "audit")?.audit ?? null,
    requirements: judged,
    unchecked: start.unchecked,
    ...(start.ownRequirements === undefined ? {} : { ownRequirements: start.ownRequirements }),
    observations: observations.map((one) => observedOf(tables, one)).sort(byPlace(tables.unspecified)),
    exchanges,
    ...(preflight ? { preflight } : {}),
    ...(waits.length > 0 ? { waited: waitedIn(waits) } : {}),
    ...(usedByOthers.length > 0 ? { usedByOthers } : {}),
    ...(notJudged ? { unjudged: notJudged } : {}),
    ...(outages.length > 0 ? { outages } : {}),
    ...(intermittent.length > 0 ? { intermittent } : {}),
    ...(remarks.length > 0 ? { remarks } : {}),
    ...(samples.length > 0 ? { samples } : {}),
    ...(unlocks.length > 0 ? { unlocks } : {}),
    ...(load && { load }),
    ...(recording && { recording }),
  };
}

function targetIn({ target: name, isReference, bases, ...start }: RunStart): Run["target"] {
  const { targetFile: file, targetLines: lines, targetDigests: digests, keyVariables: variables } = start;
  return {
    name,
    isReference,
    ...(file === undefined ? {} : { file }),
    ...(lines && { lines }),
    ...(digests && { digests }),
    ...(variables && { variables }),
    bases,
  };
}

/** The last verdict on each requirement that was planned or judged. */
function verdictsIn(lines: readonly JournalLine[], { planned }: RunStart): readonly ShownVerdict[] {
  const verdicts = new Map(planned.map((id) => [id, shownVerdict(unjudgedVerdict(id as RequirementId))]));
  for (const line of lines) if (line.record === "verdict") verdicts.set(line.verdict.id, line.verdict);
  return [...verdicts.values()];
}

/** Samples that no answer contained: the target file could give them. */
function missedIn(
  { samplesToAdd = {} }: RunStart,
  samples: readonly SampleNote[],
  judged: readonly ShownVerdict[],
): readonly Remedy[] {
  const missed = judged.map(({ reasons = [], narrowed }) =>
    [...reasons, ...(narrowed?.untried ?? []).flatMap((one) => one.reasons ?? [])].flatMap(causesOf),
  );
  return samples.flatMap(({ at, by }) => {
    const isMissed = (reason: Reason): boolean => reason.kind === "notFound" && reason.at === at;
    const count = by === "missing" ? missed.filter((reasons) => reasons.some(isMissed)).length : 0;
    return count > 0 ? [{ add: samplesToAdd[at] ?? dottedPath(at), requirements: count }] : [];
  });
}

type Row = Pick<Requirement | UnspecifiedBehaviour, "id">;

/** In the order of the register. */
function byPlace(rows: readonly Row[]): (a: Row, b: Row) => number {
  const places = new Map(rows.map(({ id }, place) => [id, place]));
  return (a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0);
}

function observedOf(tables: Interface, observed: ShownObserved): RunObservation {
  const { question, clause, kind } = unspecifiedBehaviour(tables, observed.id);
  return { ...observed, question, clause, kind };
}

function judgedOf(
  tables: Interface,
  verdict: ShownVerdict,
  replayOf: (only: readonly RequirementId[], counterexample?: Counterexample) => string,
): JudgedRequirement {
  const { sentence, clause, level, basis } = requirementOf(tables, verdict.id);
  // Minimal counterexamples come first: they show best what laws found in generated cases.
  const breaches = [...verdict.breaches].sort(
    (a, b) => Number(b.counterexample !== undefined) - Number(a.counterexample !== undefined),
  );
  return {
    ...verdict,
    breaches,
    sentence,
    clause,
    level,
    basis,
    area: verdict.id.slice(0, verdict.id.indexOf("-")),
    replay: replayOf(replayedWith({ ...verdict, breaches }), breaches[0]?.counterexample),
  };
}

/** The requirements to judge again for one: whose checks showed its breaches, too, unless a case does. */
export function replayedWith({ id, breaches }: Pick<ShownVerdict, "id" | "breaches">): readonly RequirementId[] {
  if (breaches[0]?.counterexample) return [id];
  return [...new Set([id, ...breaches.flatMap(({ causedBy }) => causedBy)])].slice(0, 4);
}

/** Whether it deviates by a name alone. */
export const isRenamed = ({ verdict, renamed, entry }: Pick<Verdict, "verdict" | "renamed" | "entry">): boolean =>
  verdict === "deviates" && renamed !== undefined && entry === undefined;

type Counted = Pick<ShownVerdict, "verdict" | "enforced" | "renamed" | "entry" | "unselected" | "reasons" | "narrowed">;

export type Totals = ReturnType<typeof totalsOf>;

/** Of those that the run is about. */
export function totalsOf(all: readonly Counted[]) {
  const verdicts = all.filter(({ unselected }) => !unselected);
  const count = (isOne: (verdict: Counted) => boolean): number => verdicts.filter(isOne).length;
  const broken = (enforced: Verdict["enforced"]): number =>
    count((one) => one.verdict === "broken" && one.enforced === enforced);
  const named = (name: Verdict["verdict"]): number => count(({ verdict }) => verdict === name);
  return {
    /** Those that are narrowed or fixed, too. */
    holds: named("holds"),
    narrowed: count(isInPart),
    fixed: count(isFixed),
    broken: broken("fail"),
    /** Only reported: implied on a vendor, or advisory. */
    warned: broken("warn"),
    noted: broken("note"),
    /** Those that are renamed, too. */
    deviates: named("deviates"),
    renamed: count(isRenamed),
    /** Those that are untestable, too. */
    withheld: named("withheld"),
    /** No run of this target can show them. */
    untestable: count(isBeyondTarget),
    inconclusive: named("inconclusive"),
  };
}
