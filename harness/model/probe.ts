// What does the interface leave open, and what does this platform do there? Written down, never judged.
import type { ObservationId } from "../../specs/generated/observations.ts";
import type { Feature } from "../../specs/generated/operations.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { canonical, type Json } from "../core/json.ts";
import type { Stimulus } from "../core/stimulus.ts";
import type { Exchange } from "../transport/exchange.ts";
import type { Handshake } from "../transport/handshake.ts";
import { type CheckContext, type Needs, Withheld } from "./check.ts";
import { type Answered, type Aspect, type Fingerprint, fingerprintOf } from "./fingerprint.ts";

/** One look at an open point. */
export interface Reading {
  /** The answer to the question, case by case, as short as the register asks for it. */
  readonly summary: { readonly [of: string]: Json };
  /** All that could be seen. */
  readonly fingerprints: readonly Fingerprint[];
}

/** What two looks have shown. */
export interface Observed {
  readonly id: ObservationId;
  /** Parts that the target offers and that the probe speaks of. */
  readonly features: readonly Feature[];
  readonly state: "stable" | "unstable" | "withheld";
  /** One reading where both looks agree, both where they don't, none where nothing was seen. */
  readonly values: readonly Reading[];
  /** Why it was withheld. */
  readonly reason: string | null;
}

/** What a probe may do. Every exchange passes all laws. */
export interface ProbeContext
  extends Pick<CheckContext, "target" | "generation" | "project" | "wait" | "sendSchedule"> {
  /** Whether the target has what it takes, and offers what is asked about. */
  canAsk(stimulus: Stimulus): boolean;
  /**
   * An answer of this look's own.
   * @throws Withheld or Inconclusive where none came that can be read
   */
  ask(stimulus: Stimulus): Promise<Answered>;
  /** All at once, beyond the pace; those that can be read. */
  atOnce(stimuli: readonly Stimulus[]): Promise<readonly Answered[]>;
  /** Leaves the platform alone until a limit of so many per second has recovered. */
  rest(): Promise<void>;
  /** A bare TLS handshake with a base; undefined where this run can make none. */
  readonly handshake: Handshake | undefined;
  /** The first look or the second. */
  readonly pass: 0 | 1;
  /** Half of the answers to questions that this run has asked more than once. */
  readonly sampleHalf: readonly Answered[];
  /** Every exchange of the run so far. */
  readonly all: readonly Exchange[];
}

export interface Probe {
  readonly id: ObservationId;
  /** Where its questions belong; one that the target offers is enough, and what belongs to the others is left out. */
  readonly features: readonly Feature[];
  /** Rows that are only noted: what is seen here is all that is said of them. */
  readonly informs: readonly RequirementId[];
  readonly needs: Needs;
  /** Whether one of its questions is enough, or all are needed. */
  readonly suffices: "any" | "all";
  /** Looks at what the whole run has drawn; its own questions make sure that there is something to see. */
  readonly isPassive: boolean;
  /** How far apart the two looks count their repetitions. */
  readonly apart: number;
  /** Asks nothing that checks don't ask too: nothing more is spent, and no consent is needed for what it would cost alone. */
  readonly isPaidFor: boolean;
  /** Counts calls or trips a limit: where projects can be made it has its own, and disturbs nobody. */
  readonly hasOwnProjects: boolean;
  /** Compares what is told with how time passes: nothing else takes time meanwhile. */
  readonly isTimed: boolean;
  observe(context: ProbeContext): Promise<Reading>;
}

interface Options
  extends Partial<Pick<Probe, "informs" | "apart" | "suffices" | "isPaidFor" | "hasOwnProjects" | "isTimed">> {
  readonly feature?: Feature | readonly Feature[];
  readonly unless?: Needs["unless"];
  readonly control?: Needs["control"];
  /** Bundles that one look sends. */
  readonly sends?: Needs["sends"];
  readonly schedules?: Needs["schedules"];
}

function probe(
  id: ObservationId,
  requests: readonly Stimulus[],
  options: Options,
  how: Pick<Probe, "suffices" | "isPassive" | "observe">,
): Probe {
  const {
    feature = "usage",
    informs = [],
    apart = 1,
    isPaidFor = false,
    hasOwnProjects = false,
    isTimed = false,
    unless,
    control,
    sends,
    schedules,
  } = options;
  const needs = {
    requests,
    ...(unless ? { unless } : {}),
    ...(control ? { control } : {}),
    ...(sends ? { sends } : {}),
    ...(schedules ? { schedules } : {}),
  };
  return {
    id,
    features: typeof feature === "string" ? [feature] : feature,
    informs,
    apart,
    isPaidFor,
    hasOwnProjects,
    isTimed,
    needs,
    ...how,
  };
}

/** One way to ask; `wins` says by status which of two contradictions was followed. */
export interface Case {
  readonly ask: Stimulus;
  readonly wins?: { readonly [status: number]: string };
}

interface RequestProbeOptions extends Options {
  /** What is told of an answer; its status, and what won, unless said otherwise. */
  readonly summary?: (answered: Answered, fingerprint: Fingerprint) => Json;
}

const statusAndWinner = (_: Answered, { status, winner }: Fingerprint): Json =>
  winner === null ? status : `${status}: ${winner}`;

/** One request per case; cases that the target has no keys for, or doesn't offer, are left out. */
export function requestProbe(
  id: ObservationId,
  cases: { readonly [name: string]: Stimulus | Case },
  options: RequestProbeOptions = {},
): Probe {
  const { summary = statusAndWinner, ...rest } = options;
  const named = Object.entries(cases).map(([name, one]): readonly [string, Case] => [
    name,
    "ask" in one ? one : { ask: one },
  ]);
  return probe(
    id,
    named.map(([, { ask }]) => ask),
    rest,
    {
      suffices: "any",
      isPassive: false,
      observe: async ({ ask, canAsk }) => {
        const seen: Seen[] = [];
        for (const [name, { ask: stimulus, wins }] of named) {
          if (!canAsk(stimulus)) continue;
          const answered = await ask(stimulus);
          const fingerprint = fingerprintOf(answered, {
            case: name,
            winner: wins ? (wins[answered.answer.status] ?? "neither") : null,
          });
          seen.push({ fingerprint, summary: summary(answered, fingerprint) });
        }
        return readingOf(seen);
      },
    },
  );
}

/** Several steps; all of `asks` are needed, unless any suffices. */
export const experiment = (
  id: ObservationId,
  requests: readonly Stimulus[],
  observe: Probe["observe"],
  options: Options = {},
): Probe => probe(id, requests, options, { suffices: options.suffices ?? "all", isPassive: false, observe });

/** What one answer shows; undefined where it isn't about the open point. */
export type Sight = (answered: Answered) => (Aspect & { readonly summary: Json }) | undefined;

/** Looks at all answers of the run; `asks` are asked twice, unless others did. */
export const observeEach = (
  id: ObservationId,
  requests: readonly Stimulus[],
  sees: Sight,
  options: Options = {},
): Probe =>
  observeAll(
    id,
    requests,
    ({ sampleHalf }) => {
      const seen = sampleHalf.flatMap((answered) => {
        const sight = sees(answered);
        return sight ? [{ fingerprint: fingerprintOf(answered, sight), summary: sight.summary }] : [];
      });
      if (seen.length === 0) throw new Withheld("no such answer was seen twice");
      return readingOf(seen);
    },
    options,
  );

/** Like `watching`, over all answers together. */
export const observeAll = (
  id: ObservationId,
  requests: readonly Stimulus[],
  look: (context: ProbeContext) => Reading,
  options: Options = {},
): Probe =>
  probe(id, requests, options, {
    suffices: "any",
    isPassive: true,
    observe: (context) => new Promise((seen) => seen(look(context))),
  });

/** What can't be tried yet, and why. */
export const unsupported = (id: ObservationId, reason: string): Probe =>
  experiment(id, [], () => Promise.reject(new Withheld(reason)), { unless: () => reason });

/** One thing seen; what is told of several under one name is told once where it is the same. */
export interface Seen {
  readonly fingerprint: Fingerprint;
  readonly summary: Json;
}

export function readingOf(seen: readonly Seen[]): Reading {
  const fingerprints = new Map(seen.map(({ fingerprint }) => [canonical(fingerprint), fingerprint]));
  const told = new Map<string, Map<string, Json>>();
  for (const { fingerprint, summary } of seen) {
    const values = told.get(fingerprint.case) ?? new Map<string, Json>();
    told.set(fingerprint.case, values.set(canonical(summary), summary));
  }
  return {
    summary: Object.fromEntries([...told].map(([name, values]) => [name, oneOrAll(inOrder(values))])),
    fingerprints: inOrder(fingerprints),
  };
}

const inOrder = <Value>(byText: ReadonlyMap<string, Value>): readonly Value[] =>
  [...byText].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
const oneOrAll = (values: readonly Json[]): Json =>
  values.length === 1 && values[0] !== undefined ? values[0] : values;
