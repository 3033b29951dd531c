// Probes: record what a platform does where the interface leaves it unspecified.
import type { Feature, ObservationId, RequirementId } from "../core/interface.ts";
import { canonical, type Json } from "../core/json.ts";
import { type Defect, notSeen, Withheld } from "../core/outcomes.ts";
import { otherNeed, type Reason } from "../core/reason.ts";
import type { RequestSpec } from "../core/requestSpec.ts";
import type { Exchange } from "../transport/exchange.ts";
import type { Handshake } from "../transport/handshake.ts";
import type { CheckContext, Needs } from "./check.ts";
import { type AnsweredExchange, type Aspect, type Fingerprint, fingerprintOf } from "./fingerprint.ts";

/** One request of an experiment; times in ms after its start. */
export interface ExperimentRequest {
  readonly sent_ms: number;
  readonly answered_ms: number;
  /** Which of its bursts it belongs to. */
  readonly burst: number;
  readonly outcome: "served" | "refused" | "undocumented" | "failed";
}

/** An experiment whose answers are shown over time. */
export interface ExperimentShown {
  readonly name: string;
  readonly requests: readonly ExperimentRequest[];
}

/** What one repeat shows of an unspecified behaviour. */
export interface ProbeReading {
  /** The answer to the question by case, as short as the register wants it. */
  readonly summary: { readonly [of: string]: Json };
  readonly fingerprints: readonly Fingerprint[];
  /** Answers over time, which differ from run to run; left out where the summary says all. */
  readonly experiments?: readonly ExperimentShown[];
}

export interface Observed {
  readonly id: ObservationId;
  /** Those features of the probe that the target offers. */
  readonly features: readonly Feature[];
  readonly state: "stable" | "unstable" | "withheld";
  /** One reading where both repeats agree, two where they don't, none where it was withheld. */
  readonly values: readonly ProbeReading[];
  /** Why it was withheld. */
  readonly reasons: readonly Reason[];
  /** The error that the probe itself threw. */
  readonly defect?: Defect;
}

/** What a probe may do in one repeat. Every exchange passes all laws. */
export interface ProbeContext extends Omit<CheckContext, "ask" | "atOnce"> {
  /** Whether the target has what the request spec needs, and offers what it is about. */
  canAsk(requestSpec: RequestSpec): boolean;
  /**
   * An answer for this repeat alone.
   * @throws Withheld or Inconclusive where no readable one came
   */
  ask(requestSpec: RequestSpec): Promise<AnsweredExchange>;
  /** Sends all of them at once, regardless of the pace; returns the readable answers. */
  atOnce(requestSpecs: readonly RequestSpec[]): Promise<readonly AnsweredExchange[]>;
  /** The request spec as this repeat sends it. */
  inRepeat(requestSpec: RequestSpec): RequestSpec;
  /** Waits until limits per second have recovered. */
  rest(): Promise<void>;
  /** Makes a bare TLS handshake; undefined where this run can make none. */
  readonly handshake: Handshake | undefined;
  readonly repeat: 0 | 1;
  /** The share of this repeat in the answers to requests that the run has sent more than once. */
  readonly ownAnswers: readonly AnsweredExchange[];
  /** Every exchange of the run so far. */
  readonly all: readonly Exchange[];
}

/**
 * `any`: beside others · `beside`: the same, though it takes long · `isolated`: in its own projects where they can
 * be made, as it counts calls or trips a limit · `alone`: while nothing else is called, as it counts calls · `after`:
 * last, as it reads the answers of the whole run; its own requests make sure that there are some.
 */
export type ProbeTime = "any" | "beside" | "isolated" | "alone" | "after";

export interface Probe {
  readonly id: ObservationId;
  /** It runs where the target offers one of them; requests about the others are left out. */
  readonly features: readonly Feature[];
  /** Requirements that are only noted: this observation is all that is reported of them. */
  readonly informs: readonly RequirementId[];
  readonly needs: Needs;
  /** Whether it needs one of its requests or all. */
  readonly suffices: "any" | "all";
  readonly when: ProbeTime;
  /** Both repeats read the same answers. */
  readonly asksOnce: boolean;
  /** Set where checks send the same requests: it costs nothing more, so it needs no consent to spend. */
  readonly isPaidFor: boolean;
  observe(context: ProbeContext): Promise<ProbeReading>;
}

/** `sends` and `repeats`: in one repeat. */
type Options = Partial<Pick<Probe, "informs" | "asksOnce" | "suffices" | "isPaidFor" | "when">> &
  Pick<Needs, "unless" | "control" | "sends" | "repeats" | "schedules" | "settles">;

/** One feature, or several of which one is enough. */
type Features = Feature | readonly Feature[];

/** Several steps; all of `requests` are needed unless `suffices` is `any`. */
export function experiment(
  feature: Features,
  id: ObservationId,
  requests: readonly RequestSpec[],
  observe: Observe,
  options: Options = {},
): Probe {
  const { informs = [], asksOnce = false, isPaidFor = false, when = "any", suffices = "all", ...needs } = options;
  return {
    id,
    features: typeof feature === "string" ? [feature] : feature,
    informs,
    asksOnce,
    isPaidFor,
    when,
    suffices,
    needs: { ...needs, requests },
    observe: async (context) => readingOf(await observe(context)),
  };
}

/** One request; `wins` names by status which of two contradicting rules the platform followed. */
export interface ProbeCase {
  readonly ask: RequestSpec;
  readonly wins?: { readonly [status: number]: string };
}

export type AnswerSummary = (answered: AnsweredExchange, fingerprint: Fingerprint) => Json;
interface RequestProbeOptions extends Options {
  /** By default the status of an answer, and which rule was followed. */
  readonly summary?: AnswerSummary;
}

const statusAndWinner: AnswerSummary = (_, { status, winner }) => (winner === null ? status : `${status}: ${winner}`);

/** One request per case; cases that the target can't serve are left out. */
export function requestProbe(
  feature: Features,
  id: ObservationId,
  cases: { readonly [name: string]: RequestSpec | ProbeCase },
  options: RequestProbeOptions = {},
): Probe {
  const { summary = statusAndWinner, ...rest } = options;
  const named = Object.entries(cases).map(([name, one]): readonly [string, ProbeCase] => [
    name,
    "ask" in one ? one : { ask: one },
  ]);
  const observe: Observe = async ({ ask, canAsk }) => {
    const seen: Seen[] = [];
    for (const [name, { ask: requestSpec, wins }] of named) {
      if (!canAsk(requestSpec)) continue;
      const answered = await ask(requestSpec);
      const winner = wins ? (wins[answered.answer.status] ?? "neither") : null;
      const fingerprint = fingerprintOf(answered, { case: name, winner });
      seen.push({ fingerprint, summary: summary(answered, fingerprint) });
    }
    return seen;
  };
  const requests = named.map(([, { ask }]) => ask);
  return experiment(feature, id, requests, observe, { ...rest, suffices: "any" });
}

/** What one answer shows of the unspecified behaviour; undefined where it shows nothing. */
export type Sight = (answered: AnsweredExchange) => (Aspect & { readonly summary: Json }) | undefined;

/** Reads the answers of the run one by one; `requests` are sent twice, unless others sent them. */
export const observeEach = (
  feature: Features,
  id: ObservationId,
  requests: readonly RequestSpec[],
  sees: Sight,
  options: Options = {},
): Probe => {
  const read = ({ ownAnswers }: ProbeContext): readonly Seen[] => {
    const seen = ownAnswers.flatMap((answered) => {
      const sight = sees(answered);
      return sight ? [{ fingerprint: fingerprintOf(answered, sight), summary: sight.summary }] : [];
    });
    if (seen.length === 0) throw notSeen("no such answer came twice");
    return seen;
  };
  return observeAll(feature, id, requests, read, options);
};

/** Reads the answers of the run together. */
export const observeAll = (
  feature: Features,
  id: ObservationId,
  requests: readonly RequestSpec[],
  read: (context: ProbeContext) => readonly Seen[],
  options: Options = {},
): Probe => {
  const observe: Observe = (context) => new Promise((seen) => seen(read(context)));
  return experiment(feature, id, requests, observe, { ...options, suffices: "any", when: "after" });
};

/** A probe that can't be run yet. @param detail why, e.g. `the target gives no address of an OpenAPI document` */
export function unsupported(feature: Features, id: ObservationId, detail: string): Probe {
  const need = otherNeed(detail);
  return experiment(feature, id, [], () => Promise.reject(new Withheld(need)), { unless: () => need });
}

/** What one answer shows, or under a case what no single answer does; equal summaries of one case are merged. */
export type Seen = ({ readonly fingerprint: Fingerprint } | { readonly case: string }) & {
  readonly summary: Json;
  readonly experiment?: ExperimentShown;
};

/** What all answers show together, by case. */
export const seenTogether = (summary: ProbeReading["summary"]): readonly Seen[] =>
  Object.entries(summary).map(([name, value]) => ({ case: name, summary: value }));

export type Observe = (context: ProbeContext) => Promise<readonly Seen[]>;

function readingOf(seen: readonly Seen[]): ProbeReading {
  const fingerprints = new Map<string, Fingerprint>();
  const summaries = new Map<string, Map<string, Json>>();
  for (const sight of seen) {
    if ("fingerprint" in sight) fingerprints.set(canonical(sight.fingerprint), sight.fingerprint);
    const name = "case" in sight ? sight.case : sight.fingerprint.case;
    const values = summaries.get(name) ?? new Map<string, Json>();
    summaries.set(name, values.set(canonical(sight.summary), sight.summary));
  }
  const experiments = seen.flatMap(({ experiment: one }) => one ?? []);
  return {
    summary: Object.fromEntries([...summaries].map(([name, values]) => [name, oneOrAll(inOrder(values))])),
    fingerprints: inOrder(fingerprints),
    ...(experiments.length > 0 ? { experiments } : {}),
  };
}

/** What both repeats show. */
export function inBothRepeats(
  first: ProbeReading,
  second: ProbeReading,
): Pick<Observed, "state" | "values" | "reasons"> {
  const isStable = canonical(first) === canonical(second);
  return { state: isStable ? "stable" : "unstable", values: isStable ? [first] : [first, second], reasons: [] };
}

const inOrder = <Value>(byText: ReadonlyMap<string, Value>): readonly Value[] =>
  [...byText].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
const oneOrAll = (values: readonly Json[]): Json =>
  values.length === 1 && values[0] !== undefined ? values[0] : values;
