// Probes: what this platform does where the interface is unspecified; recorded, never judged.
import type { Feature, ObservationId, RequirementId } from "../core/interface.ts";
import { canonical, type Json } from "../core/json.ts";
import { Withheld } from "../core/outcomes.ts";
import type { Stimulus } from "../core/stimulus.ts";
import type { Exchange } from "../transport/exchange.ts";
import type { Handshake } from "../transport/handshake.ts";
import type { CheckContext, Needs } from "./check.ts";
import { type Answered, type Aspect, type Fingerprint, fingerprintOf } from "./fingerprint.ts";

/** What one pass shows of an unspecified behaviour. */
export interface Reading {
  /** The answer to the question, case by case, as short as the register asks for it. */
  readonly summary: { readonly [of: string]: Json };
  /** All that could be seen. */
  readonly fingerprints: readonly Fingerprint[];
}

/** What two passes show. */
export interface Observed {
  readonly id: ObservationId;
  /** Those that the target offers of the probe's. */
  readonly features: readonly Feature[];
  readonly state: "stable" | "unstable" | "withheld";
  /** One reading where both passes agree, both where they don't, none where nothing was seen. */
  readonly values: readonly Reading[];
  /** Why it was withheld. */
  readonly reason: string | null;
}

/** What a probe may do in one pass. Every exchange passes all laws. */
export interface ProbeContext extends Omit<CheckContext, "ask" | "atOnce"> {
  /** Whether the target has what it takes, and offers what is asked about. */
  canAsk(stimulus: Stimulus): boolean;
  /**
   * An answer of this pass's own.
   * @throws Withheld or Inconclusive where none came that can be read
   */
  ask(stimulus: Stimulus): Promise<Answered>;
  /** All at once, beyond the pace; those that can be read. */
  atOnce(stimuli: readonly Stimulus[]): Promise<readonly Answered[]>;
  /** A stimulus as this pass sends it. */
  inPass(stimulus: Stimulus): Stimulus;
  /** Leaves the platform alone until a limit of so many per second has recovered. */
  rest(): Promise<void>;
  /** A bare TLS handshake with a base; undefined where this run can make none. */
  readonly handshake: Handshake | undefined;
  /** The first pass or the second. */
  readonly pass: 0 | 1;
  /** Half of the answers to questions that this run has asked more than once. */
  readonly sampleHalf: readonly Answered[];
  /** Every exchange of the run so far. */
  readonly all: readonly Exchange[];
}

/**
 * `any`: beside others · `isolated`: it counts calls or trips a limit, so that it has its own projects where they can
 * be made · `alone`: it compares answers with how time passes · `after`: it reads what the whole run returned, and its
 * own requests make sure that there is something to see.
 */
export type ProbeTime = "any" | "isolated" | "alone" | "after";

export interface Probe {
  readonly id: ObservationId;
  /** Where its questions belong; one that the target offers is enough, and what belongs to the others is left out. */
  readonly features: readonly Feature[];
  /** Requirements that are only noted: what is seen here is all that is reported of them. */
  readonly informs: readonly RequirementId[];
  readonly needs: Needs;
  /** Whether one of its questions is enough, or all are needed. */
  readonly suffices: "any" | "all";
  readonly when: ProbeTime;
  /** Both passes read the same answers. */
  readonly asksOnce: boolean;
  /** Asks nothing that checks don't ask too: nothing more is spent, and no consent is needed for what it would cost alone. */
  readonly isPaidFor: boolean;
  observe(context: ProbeContext): Promise<Reading>;
}

interface Options extends Partial<Pick<Probe, "informs" | "asksOnce" | "suffices" | "isPaidFor">> {
  readonly feature: Feature | readonly Feature[];
  readonly when?: "isolated" | "alone";
  readonly unless?: Needs["unless"];
  readonly control?: Needs["control"];
  /** What one pass sends that can't be undone. */
  readonly sends?: Needs["sends"];
  readonly schedules?: Needs["schedules"];
}

function probe(
  id: ObservationId,
  requests: readonly Stimulus[],
  options: Options,
  how: Pick<Probe, "suffices" | "observe"> & { readonly when?: ProbeTime },
): Probe {
  const { feature, informs = [], asksOnce = false, isPaidFor = false, when = "any" } = options;
  const { unless, control, sends, schedules } = options;
  return {
    id,
    features: typeof feature === "string" ? [feature] : feature,
    informs,
    asksOnce,
    isPaidFor,
    when,
    needs: {
      requests,
      ...(unless ? { unless } : {}),
      ...(control ? { control } : {}),
      ...(sends ? { sends } : {}),
      ...(schedules ? { schedules } : {}),
    },
    ...how,
  };
}

/** One way to ask; `wins` says by status which of two contradictions was followed. */
export interface Case {
  readonly ask: Stimulus;
  readonly wins?: { readonly [status: number]: string };
}

interface RequestProbeOptions extends Options {
  /** How an answer is summarized: by its status, and what won, where this is left out. */
  readonly summary?: (answered: Answered, fingerprint: Fingerprint) => Json;
}

const statusAndWinner = (_: Answered, { status, winner }: Fingerprint): Json =>
  winner === null ? status : `${status}: ${winner}`;

/** One request per case; cases that the target has no keys for, or doesn't offer, are left out. */
export function requestProbe(
  id: ObservationId,
  cases: { readonly [name: string]: Stimulus | Case },
  options: RequestProbeOptions,
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
  options: Options,
): Probe => probe(id, requests, options, { suffices: options.suffices ?? "all", observe });

/** What one answer shows; undefined where it isn't about the unspecified behaviour. */
export type Sight = (answered: Answered) => (Aspect & { readonly summary: Json }) | undefined;

/** Reads each answer of the run; `requests` are sent twice, unless others sent them. */
export const observeEach = (id: ObservationId, requests: readonly Stimulus[], sees: Sight, options: Options): Probe =>
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

/** Reads all answers of the run together. */
export const observeAll = (
  id: ObservationId,
  requests: readonly Stimulus[],
  look: (context: ProbeContext) => Reading,
  options: Options,
): Probe =>
  probe(id, requests, options, {
    suffices: "any",
    when: "after",
    observe: (context) => new Promise((seen) => seen(look(context))),
  });

/** What can't be observed yet, and why. */
export const unsupported = (id: ObservationId, reason: string, feature: Feature | readonly Feature[]): Probe =>
  experiment(id, [], () => Promise.reject(new Withheld(reason)), { feature, unless: () => reason });

/** One thing seen; equal summaries under one name become one. */
export interface Seen {
  readonly fingerprint: Fingerprint;
  readonly summary: Json;
}

export function readingOf(seen: readonly Seen[]): Reading {
  const fingerprints = new Map(seen.map(({ fingerprint }) => [canonical(fingerprint), fingerprint]));
  const summaries = new Map<string, Map<string, Json>>();
  for (const { fingerprint, summary } of seen) {
    const values = summaries.get(fingerprint.case) ?? new Map<string, Json>();
    summaries.set(fingerprint.case, values.set(canonical(summary), summary));
  }
  return {
    summary: Object.fromEntries([...summaries].map(([name, values]) => [name, oneOrAll(inOrder(values))])),
    fingerprints: inOrder(fingerprints),
  };
}

const inOrder = <Value>(byText: ReadonlyMap<string, Value>): readonly Value[] =>
  [...byText].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
const oneOrAll = (values: readonly Json[]): Json =>
  values.length === 1 && values[0] !== undefined ? values[0] : values;
