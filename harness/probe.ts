// What does the interface leave open, and what does this platform do there? Written down, never judged.
import { type ObservationId, type Observation as OpenPoint, observations } from "../specs/generated/observations.ts";
import type { Part } from "../specs/generated/operations.ts";
import type { RequirementId } from "../specs/generated/requirements.ts";
import { type Bench, type Needs, Withheld } from "./check.ts";
import { type Exchange, suspicion } from "./exchange.ts";
import { type Answered, type Aspect, type Fingerprint, fingerprintOf } from "./fingerprint.ts";
import { canonical, type Json } from "./json.ts";
import { lackToAsk } from "./plan.ts";
import { afresh, nameOf, type Stimulus } from "./stimulus.ts";
import type { Target } from "./target.ts";

/** One look at an open point. */
export interface Reading {
  /** The answer to the question, case by case, as short as the register asks for it. */
  readonly tells: { readonly [of: string]: Json };
  /** All that could be seen. */
  readonly fingerprints: readonly Fingerprint[];
}

/** What two looks have shown. */
export interface Observed {
  readonly id: ObservationId;
  readonly part: Part;
  readonly state: "stable" | "unstable" | "withheld";
  /** One reading where both looks agree, both where they don't, none where nothing was seen. */
  readonly values: readonly Reading[];
  /** Why it was withheld. */
  readonly reason: string | null;
}

/** What a probe may do. Every exchange passes all laws. */
export interface ProbeBench extends Pick<Bench, "target" | "project"> {
  /**
   * An answer of this look's own.
   * @throws Withheld or Inconclusive where none came that can be read
   */
  ask(stimulus: Stimulus): Promise<Answered>;
  /** All at once, beyond the pace; those that can be read. */
  atOnce(stimuli: readonly Stimulus[]): Promise<readonly Answered[]>;
  /** Leaves the platform alone until a limit of so many per second has recovered. */
  rest(): Promise<void>;
  /** The first look or the second. */
  readonly look: 0 | 1;
  /** Half of the answers to questions that this run has asked more than once. */
  readonly hand: readonly Answered[];
  /** Every exchange of the run so far. */
  readonly all: readonly Exchange[];
}

export interface Probe {
  readonly id: ObservationId;
  readonly part: Part;
  /** Rows that are only noted: what is seen here is all that is said of them. */
  readonly informs: readonly RequirementId[];
  readonly needs: Needs;
  /** Whether one of its questions is enough, or all are needed. */
  readonly suffices: "any" | "all";
  /** Looks at what the whole run has drawn; its own questions make sure that there is something to see. */
  readonly isPassive: boolean;
  /** How far apart the two looks count their repetitions. */
  readonly apart: number;
  observe(bench: ProbeBench): Promise<Reading>;
}

interface Options extends Partial<Pick<Probe, "part" | "informs" | "apart">> {
  readonly unless?: Needs["unless"];
  readonly control?: Needs["control"];
}

function probe(id: ObservationId, asks: readonly Stimulus[], options: Options, how: Pick<Probe, "suffices" | "isPassive" | "observe">): Probe {
  const { part = "usage", informs = [], apart = 1, unless, control } = options;
  return { id, part, informs, apart, needs: { asks, ...(unless ? { unless } : {}), ...(control ? { control } : {}) }, ...how };
}

/** One way to ask; `wins` says by status which of two contradictions was followed. */
export interface Case {
  readonly ask: Stimulus;
  readonly wins?: { readonly [status: number]: string };
}

interface AskingOptions extends Options {
  /** What is told of an answer; its status, and what won, unless said otherwise. */
  readonly tells?: (answered: Answered, fingerprint: Fingerprint) => Json;
}

const statusAndWinner = (_: Answered, { status, winner }: Fingerprint): Json => (winner === null ? status : `${status}: ${winner}`);

/** One request per case; cases that the target has no keys for are left out. */
export function asking(id: ObservationId, cases: { readonly [name: string]: Stimulus | Case }, options: AskingOptions = {}): Probe {
  const { tells = statusAndWinner, ...rest } = options;
  const named = Object.entries(cases).map(([name, one]): readonly [string, Case] => [name, "ask" in one ? one : { ask: one }]);
  return probe(
    id,
    named.map(([, { ask }]) => ask),
    rest,
    {
      suffices: "any",
      isPassive: false,
      observe: async ({ ask, target }) => {
        const seen: Seen[] = [];
        for (const [name, { ask: stimulus, wins }] of named) {
          if (lackToAsk(stimulus, target) !== null) continue;
          const answered = await ask(stimulus);
          const fingerprint = fingerprintOf(answered, { case: name, winner: wins ? (wins[answered.answer.status] ?? "neither") : null });
          seen.push({ fingerprint, tells: tells(answered, fingerprint) });
        }
        return readingOf(seen);
      },
    },
  );
}

/** Several steps; all of `asks` are needed. */
export const experiment = (id: ObservationId, asks: readonly Stimulus[], observe: Probe["observe"], options: Options = {}): Probe =>
  probe(id, asks, options, { suffices: "all", isPassive: false, observe });

/** What one answer shows; undefined where it isn't about the open point. */
export type Sight = (answered: Answered) => (Aspect & { readonly tells: Json }) | undefined;

/** Looks at all answers of the run; `asks` are asked twice, unless others did. */
export const watching = (id: ObservationId, asks: readonly Stimulus[], sees: Sight, options: Options = {}): Probe =>
  beholding(
    id,
    asks,
    ({ hand }) => {
      const seen = hand.flatMap((answered) => {
        const sight = sees(answered);
        return sight ? [{ fingerprint: fingerprintOf(answered, sight), tells: sight.tells }] : [];
      });
      if (seen.length === 0) throw new Withheld("no such answer was seen twice");
      return readingOf(seen);
    },
    options,
  );

/** Like `watching`, over all answers together. */
export const beholding = (id: ObservationId, asks: readonly Stimulus[], look: (bench: ProbeBench) => Reading, options: Options = {}): Probe =>
  probe(id, asks, options, { suffices: "any", isPassive: true, observe: (bench) => new Promise((seen) => seen(look(bench))) });

/** What can't be tried yet, and why. */
export const untried = (id: ObservationId, reason: string): Probe => experiment(id, [], () => Promise.reject(new Withheld(reason)), { unless: () => reason });

/** One thing seen; what is told of several under one name is told once where it is the same. */
export interface Seen {
  readonly fingerprint: Fingerprint;
  readonly tells: Json;
}

export function readingOf(seen: readonly Seen[]): Reading {
  const fingerprints = new Map(seen.map(({ fingerprint }) => [canonical(fingerprint), fingerprint]));
  const told = new Map<string, Map<string, Json>>();
  for (const { fingerprint, tells } of seen) {
    const values = told.get(fingerprint.case) ?? new Map<string, Json>();
    told.set(fingerprint.case, values.set(canonical(tells), tells));
  }
  return {
    tells: Object.fromEntries([...told].map(([name, values]) => [name, oneOrAll(inOrder(values))])),
    fingerprints: inOrder(fingerprints),
  };
}

const inOrder = <Value>(byText: ReadonlyMap<string, Value>): readonly Value[] => [...byText].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
const oneOrAll = (values: readonly Json[]): Json => (values.length === 1 && values[0] !== undefined ? values[0] : values);

export interface PlannedProbe {
  readonly probe: Probe;
  /** Null where it can be tried. */
  readonly lacks: string | null;
}

const rowOf = new Map(observations.map((row) => [row.id, row]));

/** What the register says of an open point. */
export function openPoint(id: ObservationId): OpenPoint {
  const row = rowOf.get(id);
  if (!row) throw new Error(`no observation ${id}`);
  return row;
}

/** What must be allowed before a probe of that safety class is tried. */
const consents = { throttle: "throttle", paid: "paidProbes", irreversible: "sendBundle" } as const;

function lackOfProbe({ id, needs, suffices }: Probe, target: Target): string | null {
  const { safety } = openPoint(id);
  const reason = needs.unless?.(target) ?? null;
  if (reason !== null) return reason;
  if (safety === "white" && !target.isReference && !target.control) return "no control over the platform";
  if (safety !== "white" && safety !== "safe" && !target.allow.includes(consents[safety])) return `the target doesn't allow \`${consents[safety]}\``;
  if (needs.control && !target.control) return "no control over the platform";
  const lacks = needs.asks.map((stimulus) => lackToAsk(stimulus, target));
  const isEnough = suffices === "any" ? lacks.length === 0 || lacks.includes(null) : lacks.every((lack) => lack === null);
  return isEnough ? null : (lacks.find((lack) => lack !== null) ?? null);
}

/** Which probes are looked through: those of what is offered; with `only`, those that say something of its rows. */
export function probesFor(target: Target, probes: readonly Probe[], only: readonly RequirementId[] | null, named?: readonly ObservationId[]): readonly PlannedProbe[] {
  const isWanted = ({ id, informs }: Probe): boolean => (named ? named.includes(id) : !only || informs.some((row) => only.includes(row)));
  const disturbs = ({ id }: Probe): boolean => openPoint(id).safety === "throttle";
  // What others have drawn is looked at once it is all there; what trips a limiter comes after all else.
  const rank = (one: Probe): number => (disturbs(one) ? 2 : one.isPassive ? 1 : 0);
  return probes
    .filter((one) => target.offers.includes(one.part) && isWanted(one))
    .sort((a, b) => rank(a) - rank(b))
    .map((one) => ({ probe: one, lacks: lackOfProbe(one, target) }));
}

/** What they send, in both looks. */
export const sentBy = (planned: readonly PlannedProbe[], target: Target): readonly Stimulus[] =>
  planned
    .filter(({ lacks }) => lacks === null)
    .flatMap(({ probe: { needs, apart } }) => needs.asks.flatMap((stimulus) => (lackToAsk(stimulus, target) === null ? [stimulus, afresh(stimulus, apart)] : [])));

/** What the engine lends. */
export interface Desk extends Pick<Bench, "target" | "project" | "ask" | "atOnce"> {
  exchanges(): readonly Exchange[];
  /** Why nothing can be seen where this probe looks: its callers aren't told apart. */
  doubtOn(probe: Probe): Promise<string | null>;
  sleep(duration_ms: number): Promise<void>;
}

/** Half as long again as the window of the limits that the interface states (§8). */
const recovery_ms = 1_500;

const isAnswered = (exchange: Exchange): exchange is Answered => exchange.answer !== null;
/** A server error, a page of a gateway or a fault shows nothing of the platform's choices. */
const isReadable = (exchange: Exchange): exchange is Answered => isAnswered(exchange) && suspicion(exchange) === null;

/** Looks twice. Whatever goes wrong is a reason, and never held against the platform. */
export async function observe({ probe: one, lacks }: PlannedProbe, desk: Desk): Promise<Observed> {
  const { id, part } = one;
  const withheld = (reason: string): Observed => ({ id, part, state: "withheld", values: [], reason });
  if (lacks !== null) return withheld(lacks);
  const benches = [benchOf(one, desk, 0), benchOf(one, desk, 1)] as const;
  try {
    const doubt = await desk.doubtOn(one);
    if (doubt !== null) return withheld(doubt);
    if (one.isPassive) {
      const possible = one.needs.asks.filter((stimulus) => lackToAsk(stimulus, desk.target) === null);
      // One question without an answer leaves the others' answers to be looked at.
      for (const stimulus of possible) for (const { ask } of benches) await ask(stimulus).catch(() => undefined);
    }
    const first = await one.observe(benches[0]);
    const second = await one.observe(benches[1]);
    const isStable = canonical(first) === canonical(second);
    return { id, part, state: isStable ? "stable" : "unstable", values: isStable ? [first] : [first, second], reason: null };
  } catch (error) {
    return withheld(error instanceof Error ? desk.target.redact(error.message) : "the probe itself failed");
  }
}

const benchOf = (one: Probe, desk: Desk, look: 0 | 1): ProbeBench => ({
  target: desk.target,
  project: desk.project,
  ask: async (stimulus) => {
    const exchange = await desk.ask(afresh(stimulus, look * one.apart));
    if (!isAnswered(exchange)) throw new Withheld(`no answer that can be read (${suspicion(exchange)})`);
    return exchange;
  },
  atOnce: async (stimuli) => (await desk.atOnce(stimuli.map((stimulus) => afresh(stimulus, look * one.apart)))).filter(isReadable),
  rest: () => desk.sleep(recovery_ms),
  look,
  get hand() {
    return handsOf(desk.exchanges())[look];
  },
  get all() {
    return desk.exchanges();
  },
});

/** Answers to one question are dealt in turn, so that both hands hold the same questions; what was asked once is left out. */
function handsOf(exchanges: readonly Exchange[]): readonly [readonly Answered[], readonly Answered[]] {
  const decks = new Map<string, Answered[]>();
  for (const exchange of exchanges.filter(isReadable)) {
    // What a made project shows is the doing of its scenario.
    if (exchange.asker?.role.startsWith("made-")) continue;
    const { again: _, ...question } = exchange.stimulus;
    const name = `${exchange.answer.status} ${nameOf(question)}`;
    decks.set(name, [...(decks.get(name) ?? []), exchange]);
  }
  const repeated = [...decks.values()].filter(({ length }) => length > 1);
  const deal = (look: 0 | 1): readonly Answered[] => repeated.flatMap((deck) => deck.filter((_, turn) => turn % 2 === look));
  return [deal(0), deal(1)];
}
