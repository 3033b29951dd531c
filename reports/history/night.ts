// A run as one line of a history: what it found and measured, without bodies, keys and addresses
import { deflateSync, inflateSync } from "node:zlib";
import type { Interface } from "../../harness/core/interface.ts";
import { isObject, type Json } from "../../harness/core/json.ts";
import { masked } from "../../harness/model/fingerprint.ts";
import type { LoadPhase } from "../../harness/record/load.ts";
import type { JudgedRequirement, Run } from "../../harness/record/run.ts";
import { distinct } from "../compare/observations.ts";
import { groupedBy } from "../lists.ts";
import { type Kind, kindOf } from "../words.ts";
import { type LatencyLine, latencyLinesOf } from "./latencies.ts";
import { type GroupShape, shapesIn } from "./nightShapes.ts";

/** Only ever extended from here on; see reports/README.md. */
export const nightFormat = 1;

/** A requirement's kind, or its kind with what wasn't tried of it. */
export type Judged = Kind | { readonly is: Kind; readonly untried: readonly string[] };

/** Values of an unspecified behaviour, case by case; several where it varied. */
export type Behaviour = { readonly [name: string]: readonly Json[] };

/** What a history unpacks for comparisons. */
export interface Packed {
  readonly behaviours: { readonly [id: string]: Behaviour };
  readonly shapes: readonly GroupShape[];
}

export interface Night {
  readonly format: typeof nightFormat;
  /** Of the run. */
  readonly id: string;
  readonly at: string;
  readonly target: string;
  /** From where it was sent, in the user's words. */
  readonly vantage: string | null;
  /** `run`, or the shape of what was nothing but a load. */
  readonly kind: string;
  readonly assay: string;
  readonly interface: Run["interface"];
  readonly seed: number | null;
  readonly seconds: number | null;
  readonly exitCode: number;
  /** Why trends leave it out; null where they don't. */
  readonly left: string | null;
  readonly requirements: { readonly [id: string]: Judged };
  readonly spent: Run["spent"];
  /** As observed, in words, e.g. `5 in 1 s`, by what was measured. */
  readonly limits: { readonly [what: string]: string };
  readonly latencies: readonly LatencyLine[];
  /** What a load asked for and what it got; left out where there was none. */
  readonly load?: NightLoad;
  /** `Packed`, as JSON that is deflated (zlib), in base64. */
  readonly packed: string;
}

interface NightLoad {
  readonly shape: string;
  readonly phases: readonly Omit<LoadPhase, "p95_ms">[];
  readonly dropped: number;
  readonly knee_perSecond: number | null;
  /** Why it ended early; left out where it didn't. */
  readonly stopped?: string;
}

const judgedOf = (one: JudgedRequirement): Judged => {
  const is = kindOf(one);
  if (!one.narrowed) return is;
  return { is, untried: one.narrowed.untried.map(({ member, inPart }) => (inPart ? `${member} in part` : member)) };
};

/** Nothing but a load. */
const isLoad = ({ load }: Run): boolean => load !== undefined && load.after === undefined;

/** A run that was cut short or reached nothing is kept, and left out of trends. */
function whyLeft(run: Run): string | null {
  if (!run.complete) return run.cutShort ?? "it was ended";
  if (run.preflight?.ended === true) return "nothing could be reached";
  if (isLoad(run) && run.load?.doubt != null) return "the load was inconclusive";
  const isJudged = run.requirements.some(({ verdict }) => verdict === "holds" || verdict === "broken");
  return isJudged || (run.load?.judged ?? 0) > 0 ? null : "nothing was judged";
}

const seedIn = (command: string): number | null => {
  const [, seed] = / --seed (\d+)/.exec(command) ?? [];
  return seed === undefined ? null : Number(seed);
};

/** Longer texts of answers are cut. */
const longest_chars = 200;

function shownIn(value: Json): Json {
  if (typeof value === "string") return masked(value).slice(0, longest_chars);
  if (Array.isArray(value)) return value.map((one: Json) => shownIn(one));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [masked(name), shownIn(one ?? null)]));
}

function behavioursOf({ observations }: Run): Packed["behaviours"] {
  return Object.fromEntries(
    observations
      .filter(({ values }) => values.length > 0)
      .map(({ id, values }) => {
        const cases = groupedBy(
          values.flatMap(({ summary }) => Object.entries(summary)),
          ([name]) => name,
        );
        return [
          id,
          Object.fromEntries(
            [...cases].map(([name, seen]) => [name, distinct(seen.map(([, value]) => shownIn(value)))]),
          ),
        ];
      }),
  );
}

type Register = Pick<Interface, "unspecified">;

function limitsOf({ observations }: Run, { unspecified }: Register): Night["limits"] {
  const limits = new Set<string>(unspecified.flatMap(({ id, measures }) => (measures === "limits" ? [id] : [])));
  const summaries = observations.flatMap(({ id, values: [first] }) => (limits.has(id) && first ? [first.summary] : []));
  return Object.fromEntries(
    summaries.flatMap((summary) =>
      Object.entries(summary).flatMap(([name, value]) => (typeof value === "string" ? [[name, value] as const] : [])),
    ),
  );
}

function loadOf({ load }: Run): Pick<Night, "load"> {
  if (!load) return {};
  const { shape, dropped, knee, stopped } = load;
  const phases = load.phases.map(({ p95_ms: _, ...phase }) => phase);
  return { load: { shape, phases, dropped, knee_perSecond: knee?.perSecond ?? null, ...(stopped && { stopped }) } };
}

const pack = (packed: Packed): string => deflateSync(JSON.stringify(packed), { level: 9 }).toString("base64");

export const opened = ({ packed }: Night): Packed =>
  JSON.parse(inflateSync(Buffer.from(packed, "base64")).toString()) as Packed; // By its format.

/** @param vantage from where the run was sent, in the user's words */
export function nightOf(run: Run, vantage: string | null, register: Register): Night {
  return {
    format: nightFormat,
    id: run.id,
    at: run.startedAt,
    target: run.target.name,
    vantage,
    kind: isLoad(run) ? (run.load?.shape ?? "") : "run",
    assay: run.version,
    interface: run.interface,
    seed: seedIn(run.command),
    seconds: run.endedAt === null ? null : (Date.parse(run.endedAt) - Date.parse(run.startedAt)) / 1_000,
    exitCode: run.exitCode,
    left: whyLeft(run),
    requirements: Object.fromEntries(run.requirements.map((one) => [one.id, judgedOf(one)])),
    spent: run.spent,
    limits: limitsOf(run, register),
    latencies: latencyLinesOf(run),
    ...loadOf(run),
    packed: pack({ behaviours: behavioursOf(run), shapes: shapesIn(run) }),
  };
}
