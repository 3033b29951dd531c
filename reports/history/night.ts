// A run as one line of a history: what it found and measured, without bodies, keys and addresses
import { deflateSync, inflateSync } from "node:zlib";
import type { Interface } from "../../harness/core/interface.ts";
import { isObject, type Json } from "../../harness/core/json.ts";
import { withoutNumbers } from "../../harness/model/fingerprint.ts";
import type { Outage } from "../../harness/model/outage.ts";
import type { LatencyBound, LoadPhase, LoadReport } from "../../harness/record/load.ts";
import type { OwnRequirement } from "../../harness/record/ownRequirements.ts";
import type { Run } from "../../harness/record/run.ts";
import { exceededBounds } from "../bounds.ts";
import { answersIn, distinct } from "../compare/observations.ts";
import { isJudged, stateOf } from "../compare/requirements.ts";
import { type Kind, kindOf, kinds } from "../words.ts";
import { type LatencyLine, latencyLinesOf } from "./latencies.ts";
import { type Found, shapesIn } from "./nightShapes.ts";

/** Only ever extended from here on; see reports/README.md. */
export const nightFormat = 1;

/** A requirement's kind, or its kind with what wasn't tried of it, or with the known deviation that it is about. */
export type Judged =
  | Kind
  | { readonly is: Kind; readonly untried: readonly string[] }
  | { readonly is: Kind; readonly untried?: never; readonly reason: string };

export interface Night extends Pick<Run, "id" | "interface" | "exitCode" | "spent"> {
  readonly format: typeof nightFormat;
  readonly at: string;
  readonly target: string;
  /** From where it was sent, in the user's words. */
  readonly vantage: string | null;
  /** `run`, `recording`, or, for a run that was only a load, its shape. */
  readonly kind: string;
  readonly assay: string;
  readonly seed: number | null;
  readonly seconds: number | null;
  /** Why trends leave it out: one of `leftReasons`, or what ended the run early; null where they don't. */
  readonly left: string | null;
  /** Outages that it met, in their order; left out where there were none, and by older versions. */
  readonly outages?: readonly Outage["by"][];
  /** How many requests failed in a way that didn't recur; left out by older versions. */
  readonly intermittent?: number;
  readonly requirements: { readonly [id: string]: Judged };
  /** Of a config; left out without one, and by older versions. */
  readonly ownRequirements?: readonly OwnRequirement[];
  /** As observed, in words, e.g. `5 in 1 s`, by what was measured. */
  readonly limits: { readonly [what: string]: string };
  readonly latencies: readonly LatencyLine[];
  /** What a load asked for and what it got; left out where there was none. */
  readonly load?: Pick<LoadReport, "shape" | "dropped" | "stopped"> & {
    readonly phases: readonly Omit<LoadPhase, "p95_ms">[];
    readonly knee_perSecond: number | null;
    /** How far the generator fell behind, so that its latencies say nothing; left out where it kept up. */
    readonly lag?: string;
    /** How many generators sent it; left out for one, and by older versions. */
    readonly parts?: number;
    /** Bounds of the target file that it exceeded; left out where there are none, and by older versions. */
    readonly exceeded?: readonly LatencyBound[];
  };
  /** `Found`, each a line of JSON, deflated (zlib), in base64. */
  readonly packed: string;
}

const judgedOf = (one: Run["requirements"][number]): Judged => {
  const is = kindOf(one);
  const { untried, reason } = stateOf(one);
  if (untried) return { is, untried };
  return (is === "deviates" || is === "fixed") && reason !== null ? { is, reason } : is;
};

/** How many requirements are of each kind. */
export const countsIn = ({ requirements }: Pick<Night, "requirements">): { readonly [kind in Kind]: number } => {
  const counts = Object.fromEntries(kinds.map((kind) => [kind, 0])) as { [kind in Kind]: number };
  for (const one of Object.values(requirements)) counts[typeof one === "string" ? one : one.is] += 1;
  return counts;
};

/** Of a run that was only a load. */
const loadAlone = ({ load }: Run): Run["load"] => (load?.after === undefined ? load : undefined);

/** Why a run is left out that ended by itself. Lines of histories have these texts, so that they never change. */
export const leftReasons = {
  unreached: "nothing could be reached",
  doubtful: "the load was inconclusive",
  unjudged: "nothing was judged",
} as const;

const endedByItself: ReadonlySet<string> = new Set(Object.values(leftReasons));

/** Whether nothing cut it short, whatever it found. */
export const isEndedByItself = ({ left }: Pick<Night, "left">): boolean => left === null || endedByItself.has(left);

/** A run that was cut short, or reached nothing is kept, and left out of trends. */
function whyLeft(run: Run): string | null {
  if (!run.complete) return run.cutShort ?? "it didn't finish";
  if (run.preflight?.ended === true) return leftReasons.unreached;
  if (loadAlone(run)?.doubt != null) return leftReasons.doubtful;
  return run.requirements.some((one) => isJudged(stateOf(one))) || ((run.load ?? run.recording)?.judged ?? 0) > 0
    ? null
    : leftReasons.unjudged;
}

/** Longer texts of answers are cut. */
const longest_chars = 200;

function shownIn(value: Json): Json {
  if (typeof value === "string") return withoutNumbers(value).slice(0, longest_chars);
  if (Array.isArray(value)) return value.map((one: Json) => shownIn(one));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [withoutNumbers(name), shownIn(one ?? null)]));
}

const behavioursIn = (run: Run): readonly Found[] =>
  run.observations
    .filter(({ values }) => values.length > 0)
    .map(({ id }) => [
      id,
      Object.fromEntries([...answersIn(run, id)].map(([name, values]) => [name, distinct(values.map(shownIn))])),
    ]);

function limitsIn(behaviours: readonly Found[], { unspecified }: Pick<Interface, "unspecified">): Night["limits"] {
  const limits = new Set<string>(unspecified.flatMap(({ id, measures }) => (measures === "limits" ? [id] : [])));
  const cases = behaviours.flatMap(([id, some]) => (limits.has(id) ? Object.entries(some) : []));
  return Object.fromEntries(
    cases.flatMap(([name, [value]]) => (typeof value === "string" ? [[name, value] as const] : [])),
  );
}

function loadOf({ load }: Run): Pick<Night, "load"> {
  if (!load) return {};
  const { shape, dropped, knee, stopped, lag, parts } = load;
  const phases = load.phases.map(({ p95_ms: _, ...phase }) => phase);
  const exceeded = exceededBounds(load);
  return {
    load: {
      shape,
      phases,
      dropped,
      knee_perSecond: knee?.perSecond ?? null,
      ...(stopped && { stopped }),
      ...(lag === undefined ? {} : { lag }),
      ...(parts === undefined ? {} : { parts: parts.length }),
      ...(exceeded.length === 0 ? {} : { exceeded }),
    },
  };
}

export const pack = (found: readonly Found[]): string =>
  deflateSync(found.map((one) => JSON.stringify(one)).join("\n"), { level: 9 }).toString("base64");

/** Lines of JSON, each a `Found`. */
export const opened = ({ packed }: Pick<Night, "packed">): readonly string[] =>
  inflateSync(Buffer.from(packed, "base64")).toString().split("\n").filter(Boolean);

export const withoutHistograms = (night: Night): Night => ({
  ...night,
  latencies: night.latencies.map(({ histogram: _, ...line }) => line),
});

/** Of a line. */
const longest_bytes = 64 * 1024;

/** @param vantage from where the run was sent, in the user's words */
export function nightOf(run: Run, vantage: string | null, register: Pick<Interface, "unspecified">): Night {
  const behaviours = behavioursIn(run);
  const shapes = shapesIn(run);
  const seed = run.call?.flags["seed"];
  const judged = new Set<string>(run.requirements.map(({ id }) => id));
  const own = (run.ownRequirements ?? []).filter(({ id }) => judged.has(id)).map(({ definedAt: _, ...row }) => row);
  const night: Night = {
    format: nightFormat,
    id: run.id,
    at: run.startedAt,
    target: run.target.name,
    vantage,
    kind: run.recording ? "recording" : (loadAlone(run)?.shape ?? "run"),
    assay: run.version,
    interface: run.interface,
    seed: typeof seed === "string" ? Number(seed) : null,
    seconds: run.endedAt === null ? null : (Date.parse(run.endedAt) - Date.parse(run.startedAt)) / 1_000,
    exitCode: run.exitCode,
    left: whyLeft(run),
    ...(run.outages && { outages: [...new Set(run.outages.map(({ by }) => by))] }),
    intermittent: (run.intermittent ?? []).reduce((sum, { count }) => sum + count, 0),
    requirements: Object.fromEntries(run.requirements.map((one) => [one.id, judgedOf(one)])),
    ...(own.length > 0 && { ownRequirements: own }),
    spent: run.spent,
    limits: limitsIn(behaviours, register),
    latencies: latencyLinesOf(run),
    ...loadOf(run),
    packed: pack([...behaviours, ...shapes]),
  };
  // A whole run of this interface needs less than half; of a larger one, verdicts and figures are kept.
  const shorter = withoutHistograms(night);
  const { ownRequirements: _, ...shortest } = { ...shorter, packed: pack([]) };
  const forms = [night, shorter, { ...shorter, packed: pack(behaviours) }];
  return forms.find((form) => Buffer.byteLength(JSON.stringify(form)) < longest_bytes) ?? shortest;
}
