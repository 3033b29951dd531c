// Which open points are looked at on this target, and what do two looks show? Whatever goes wrong is a reason, and never held against the platform.
import { type ObservationId, type Observation as OpenPoint, observations } from "../../specs/generated/observations.ts";
import { operations, type Part } from "../../specs/generated/operations.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { canonical } from "../core/json.ts";
import { afresh, methodOf, nameOf, questionOf, type Stimulus } from "../core/stimulus.ts";
import { type Bench, Withheld } from "../model/check.ts";
import type { Answered } from "../model/fingerprint.ts";
import type { Observed, Probe, ProbeBench } from "../model/probe.ts";
import type { Target } from "../target/target.ts";
import { type Exchange, suspicion } from "../transport/exchange.ts";
import type { Handshake } from "../transport/handshake.ts";
import type { StandIns } from "./isolatedProjects.ts";
import { bySurface } from "./lanes.ts";
import { type Besides, lackToAsk, type Plan } from "./plan.ts";

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

/** What a stimulus is about: the part of the operation or method that it names, else any part of its surface. */
function partsOf(stimulus: Stimulus): readonly Part[] {
  const named = operations.find(({ id }) => id === (stimulus.operation ?? methodOf(stimulus)));
  return named ? [named.part] : operations.filter((one) => one.surface === stimulus.surface).map(({ part }) => part);
}

const isOffered = (stimulus: Stimulus, { offers }: Target, doubted: readonly Part[] = []): boolean =>
  partsOf(stimulus).some((part) => offers.includes(part) && !doubted.includes(part));

/** Why a probe doesn't ask; null where it does. */
const lackHere = (stimulus: Stimulus, target: Target, doubted: readonly Part[] = []): string | null =>
  isOffered(stimulus, target, doubted)
    ? lackToAsk(stimulus, target)
    : `the target doesn't offer ${partsOf(stimulus)[0] ?? `anything on ${stimulus.surface}`}`;

const offeredOf = ({ parts }: Probe, { offers }: Target): readonly Part[] =>
  parts.filter((part) => offers.includes(part));

function lackOfProbe(
  { id, isPaidFor, needs, suffices }: Probe,
  target: Target,
  withoutVolleys: string | null,
): string | null {
  const safety = isPaidFor && openPoint(id).safety === "paid" ? "safe" : openPoint(id).safety;
  const reason = needs.unless?.(target) ?? null;
  if (reason !== null) return reason;
  if (safety === "white" && !target.isReference && !target.control) return "no control over the platform";
  if (safety !== "white" && safety !== "safe" && !target.allow.includes(consents[safety]))
    return `the target doesn't allow \`${consents[safety]}\``;
  if (needs.control && !target.control) return "no control over the platform";
  if (needs.volleys && withoutVolleys !== null) return withoutVolleys;
  // What isn't offered is the last reason to be told.
  const asks = [...needs.asks].sort((a, b) => Number(isOffered(b, target)) - Number(isOffered(a, target)));
  const lacks = asks.map((stimulus) => lackHere(stimulus, target));
  const isEnough =
    suffices === "any" ? lacks.length === 0 || lacks.includes(null) : lacks.every((lack) => lack === null);
  return isEnough ? null : (lacks.find((lack) => lack !== null) ?? null);
}

/** Whether it trips a limiter. */
const disturbs = ({ id }: Probe): boolean => openPoint(id).safety === "throttle";

export interface Looking {
  /** Only these. */
  readonly named?: readonly ObservationId[] | undefined;
  /** Why nothing can be sent at set times. */
  readonly withoutVolleys?: string | null;
}

/** Which probes are looked through: those of what is offered; with `only`, those that say something of its rows. */
export function probesFor(
  target: Target,
  probes: readonly Probe[],
  only: readonly RequirementId[] | null,
  { named, withoutVolleys = null }: Looking = {},
): readonly PlannedProbe[] {
  const isWanted = ({ id, informs }: Probe): boolean =>
    named ? named.includes(id) : !only || informs.some((row) => only.includes(row));
  // What others have drawn is looked at once it is all there; what trips a limiter comes after all else.
  const rank = (one: Probe): number => (disturbs(one) ? 2 : one.isPassive ? 1 : 0);
  return probes
    .filter((one) => offeredOf(one, target).length > 0 && isWanted(one))
    .sort((a, b) => rank(a) - rank(b))
    .map((one) => ({ probe: one, lacks: lackOfProbe(one, target, withoutVolleys) }));
}

/** The parts that checks or probes ask something of. */
export const partsAsked = ({ checks }: Pick<Plan, "checks">, probes: readonly PlannedProbe[]): readonly Part[] => {
  const asked = [
    ...checks.map(({ check, lacks }) => (lacks === null ? [check.part] : [])),
    ...probes.map(({ probe, lacks }) => (lacks === null ? probe.parts : [])),
  ];
  return [...new Set(asked.flat())];
};

/** What they send, in both looks. */
export const sentBy = (planned: readonly PlannedProbe[], target: Target): Besides => {
  const sends = planned.flatMap(({ lacks, probe: { needs } }) => (lacks === null && needs.sends ? [needs.sends] : []));
  const volleys = planned.flatMap(({ lacks, probe: { needs } }) => (lacks === null ? (needs.volleys ?? []) : []));
  return {
    volleys,
    stimuli: askedBy(planned, target),
    sends: sends.map((one) => ({ ...one, bundles: 2 * one.bundles, tips: 2 * one.tips })),
  };
};

const askedBy = (planned: readonly PlannedProbe[], target: Target): readonly Stimulus[] =>
  planned
    .filter(({ lacks }) => lacks === null)
    .flatMap(({ probe: { needs, apart } }) =>
      needs.asks.flatMap((stimulus) =>
        lackHere(stimulus, target) === null ? [stimulus, afresh(stimulus, apart)] : [],
      ),
    );

/** What the engine lends. */
export interface Desk extends Pick<Bench, "generation" | "target" | "project" | "ask" | "atOnce" | "wait" | "volley"> {
  exchanges(): readonly Exchange[];
  /** Why nothing can be seen in a part: its callers aren't told apart. */
  doubtOn(part: Part): Promise<string | null>;
  readonly handshake: Handshake | undefined;
  /** Projects for one probe alone; undefined where limits may count more than a project together, or none can be made. */
  readonly standIns?: () => StandIns;
}

/** Half as long again as the window of the limits that the interface states (§8). */
const recovery_ms = 1_500;

const isAnswered = (exchange: Exchange): exchange is Answered => exchange.answer !== null;
/** A server error, a page of a gateway or a fault shows nothing of the platform's choices. */
const isReadable = (exchange: Exchange): exchange is Answered => isAnswered(exchange) && suspicion(exchange) === null;

/** Surfaces side by side but for usage, whose figures any call moves; what looks at all the others or disturbs them comes last, unless it has projects of its own. */
export async function observeAll(
  planned: readonly PlannedProbe[],
  desk: Desk,
  tell: (observed: Observed) => void,
): Promise<void> {
  const inTurn = async (some: readonly PlannedProbe[]): Promise<void> => {
    for (const one of some) tell(await observe(one, desk));
  };
  const isApart = ({ probe }: PlannedProbe): boolean => probe.isPassive || disturbs(probe);
  const readsUsage = ({ probe }: PlannedProbe): boolean => probe.parts.includes("usage");
  const [own, shared] = [planned.filter((one) => hasOwn(one, desk)), planned.filter((one) => !hasOwn(one, desk))];
  const active = shared.filter((one) => !isApart(one));
  const isLater = (one: PlannedProbe): boolean => readsUsage(one) || one.probe.isTimed;
  const others = active.filter((one) => !isLater(one));
  // What is sent at set times disturbs only others of its kind.
  const timed = own.filter(({ probe }) => probe.needs.volleys);
  await Promise.all(
    [
      timed,
      ...own.filter((one) => !timed.includes(one)).map((one) => [one]),
      ...bySurface(others, ({ probe }) => probe.parts),
    ].map(inTurn),
  );
  await inTurn([...active.filter(isLater), ...shared.filter(isApart)]);
}

const hasOwn = ({ probe }: PlannedProbe, { standIns }: Desk): boolean => standIns !== undefined && probe.hasOwnProjects;

/** Looks twice. Whatever goes wrong is a reason, and never held against the platform. */
async function observe(planned: PlannedProbe, commonDesk: Desk): Promise<Observed> {
  const { probe: one, lacks } = planned;
  const { id } = one;
  const desk = hasOwn(planned, commonDesk) ? ownDesk(commonDesk) : commonDesk;
  const parts = offeredOf(one, desk.target);
  const withheld = (reason: string): Observed => ({ id, parts, state: "withheld", values: [], reason });
  if (lacks !== null) return withheld(lacks);
  try {
    const doubts = new Map<Part, string>();
    for (const part of parts) {
      const doubt = await desk.doubtOn(part);
      if (doubt !== null) doubts.set(part, doubt);
    }
    const [doubt] = doubts.values();
    if (doubt !== undefined && doubts.size === parts.length) return withheld(doubt);
    const benches = [benchOf(one, desk, 0, [...doubts.keys()]), benchOf(one, desk, 1, [...doubts.keys()])] as const;
    if (one.isPassive) {
      const possible = one.needs.asks.filter((stimulus) => benches[0].canAsk(stimulus));
      // One question without an answer leaves the others' answers to be looked at.
      for (const stimulus of possible) for (const { ask } of benches) await ask(stimulus).catch(() => undefined);
    }
    const first = await one.observe(benches[0]);
    const second = await one.observe(benches[1]);
    const isStable = canonical(first) === canonical(second);
    return {
      id,
      parts,
      state: isStable ? "stable" : "unstable",
      values: isStable ? [first] : [first, second],
      reason: null,
    };
  } catch (error) {
    return withheld(error instanceof Error ? desk.target.redact(error.message) : "the probe itself failed");
  }
}

/** Where others stand in for everybody whose project could be another one; what they drew is told under the question as it was put. */
function ownDesk(desk: Desk): Desk {
  const standIns = desk.standIns?.();
  if (!standIns) return desk;
  const put = new Map<string, Stimulus>();
  const substituted = async (stimulus: Stimulus): Promise<Stimulus> => {
    const asked = await standIns.in(stimulus);
    put.set(nameOf(asked), stimulus);
    return asked;
  };
  return {
    ...desk,
    ask: async (stimulus) => desk.ask(await substituted(stimulus)),
    atOnce: async (stimuli) => desk.atOnce(await Promise.all(stimuli.map(substituted))),
    exchanges: () =>
      desk.exchanges().map((exchange) => {
        const stimulus = put.get(nameOf(exchange.stimulus));
        return stimulus ? { ...exchange, stimulus } : exchange;
      }),
  };
}

const benchOf = (one: Probe, desk: Desk, look: 0 | 1, doubted: readonly Part[]): ProbeBench => ({
  target: desk.target,
  generation: desk.generation,
  project: desk.project,
  handshake: desk.handshake,
  canAsk: (stimulus) => lackHere(stimulus, desk.target, doubted) === null,
  ask: async (stimulus) => {
    const exchange = await desk.ask(afresh(stimulus, look * one.apart));
    if (!isAnswered(exchange)) throw new Withheld(`no answer that can be read (${suspicion(exchange)})`);
    return exchange;
  },
  atOnce: async (stimuli) =>
    (await desk.atOnce(stimuli.map((stimulus) => afresh(stimulus, look * one.apart)))).filter(isReadable),
  rest: () => desk.wait(recovery_ms),
  wait: desk.wait,
  volley: desk.volley,
  look,
  get hand() {
    return handsOf(desk)[look];
  },
  get all() {
    return desk.exchanges();
  },
});

type Hands = readonly [readonly Answered[], readonly Answered[]];

/** Exchanges only become more, and passive probes look at the same ones. */
const dealt = new WeakMap<Desk, { readonly count: number; readonly hands: Hands }>();

/** Answers to one question are dealt in turn, so that both hands hold the same questions; what was asked once is left out. */
function handsOf(desk: Desk): Hands {
  const exchanges = desk.exchanges();
  const known = dealt.get(desk);
  if (known?.count === exchanges.length) return known.hands;
  const hands = dealtFrom(exchanges);
  dealt.set(desk, { count: exchanges.length, hands });
  return hands;
}

function dealtFrom(exchanges: readonly Exchange[]): Hands {
  const decks = new Map<string, Answered[]>();
  for (const exchange of exchanges.filter(isReadable)) {
    // What a made project shows is the doing of its scenario.
    if (exchange.asker?.role.startsWith("made-")) continue;
    const name = `${exchange.answer.status} ${questionOf(exchange.stimulus)}`;
    decks.set(name, [...(decks.get(name) ?? []), exchange]);
  }
  const repeated = [...decks.values()].filter(({ length }) => length > 1);
  const deal = (look: 0 | 1): readonly Answered[] =>
    repeated.flatMap((deck) => deck.filter((_, turn) => turn % 2 === look));
  return [deal(0), deal(1)];
}
