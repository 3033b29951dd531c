// Which open points are looked at on this target, and what do two looks show? Whatever goes wrong is a reason, and never held against the platform.
import {
  type ObservationId,
  observations,
  type Observation as UnspecifiedBehaviour,
} from "../../specs/generated/observations.ts";
import { type Feature, operations } from "../../specs/generated/operations.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { canonical } from "../core/json.ts";
import { afresh, methodOf, nameOf, questionOf, type Stimulus } from "../core/stimulus.ts";
import { type CheckContext, Withheld } from "../model/check.ts";
import type { Answered } from "../model/fingerprint.ts";
import type { Observed, Probe, ProbeContext } from "../model/probe.ts";
import type { Target } from "../target/target.ts";
import { type Exchange, suspicion } from "../transport/exchange.ts";
import type { Handshake } from "../transport/handshake.ts";
import type { IsolatedProjects } from "./isolatedProjects.ts";
import { byApi } from "./lanes.ts";
import { type Besides, lackToAsk, type Plan } from "./plan.ts";

export interface PlannedProbe {
  readonly probe: Probe;
  /** Null where it can be tried. */
  readonly lacks: string | null;
}

const rowOf = new Map(observations.map((row) => [row.id, row]));

/** What the register says of an open point. */
export function unspecifiedBehaviour(id: ObservationId): UnspecifiedBehaviour {
  const row = rowOf.get(id);
  if (!row) throw new Error(`no observation ${id}`);
  return row;
}

/** What must be allowed before a probe of that safety class is tried. */
const consents = { throttle: "throttle", paid: "paidProbes", irreversible: "sendBundle" } as const;

/** What a stimulus is about: the part of the operation or method that it names, else any part of its surface. */
function featuresOf(stimulus: Stimulus): readonly Feature[] {
  const named = operations.find(({ id }) => id === (stimulus.operation ?? methodOf(stimulus)));
  return named ? [named.feature] : operations.filter((one) => one.api === stimulus.api).map(({ feature }) => feature);
}

const isOffered = (stimulus: Stimulus, { offers }: Target, doubted: readonly Feature[] = []): boolean =>
  featuresOf(stimulus).some((feature) => offers.includes(feature) && !doubted.includes(feature));

/** Why a probe doesn't ask; null where it does. */
const lackHere = (stimulus: Stimulus, target: Target, doubted: readonly Feature[] = []): string | null =>
  isOffered(stimulus, target, doubted)
    ? lackToAsk(stimulus, target)
    : `the target doesn't offer ${featuresOf(stimulus)[0] ?? `anything on ${stimulus.api}`}`;

const offeredOf = ({ features }: Probe, { offers }: Target): readonly Feature[] =>
  features.filter((feature) => offers.includes(feature));

function lackOfProbe(
  { id, isPaidFor, needs, suffices }: Probe,
  target: Target,
  withoutSchedules: string | null,
): string | null {
  const safety = isPaidFor && unspecifiedBehaviour(id).safety === "paid" ? "safe" : unspecifiedBehaviour(id).safety;
  const reason = needs.unless?.(target) ?? null;
  if (reason !== null) return reason;
  if (safety === "white" && !target.isReference && !target.control) return "no control over the platform";
  if (safety !== "white" && safety !== "safe" && !target.allow.includes(consents[safety]))
    return `the target doesn't allow \`${consents[safety]}\``;
  if (needs.control && !target.control) return "no control over the platform";
  if (needs.schedules && withoutSchedules !== null) return withoutSchedules;
  // What isn't offered is the last reason to be told.
  const requests = [...needs.requests].sort((a, b) => Number(isOffered(b, target)) - Number(isOffered(a, target)));
  const lacks = requests.map((stimulus) => lackHere(stimulus, target));
  const isEnough =
    suffices === "any" ? lacks.length === 0 || lacks.includes(null) : lacks.every((lack) => lack === null);
  return isEnough ? null : (lacks.find((lack) => lack !== null) ?? null);
}

/** Whether it trips a limiter. */
const disturbs = ({ id }: Probe): boolean => unspecifiedBehaviour(id).safety === "throttle";

export interface Looking {
  /** Only these. */
  readonly named?: readonly ObservationId[] | undefined;
  /** Why nothing can be sent at set times. */
  readonly withoutSchedules?: string | null;
}

/** Which probes are looked through: those of what is offered; with `only`, those that say something of its rows. */
export function probesFor(
  target: Target,
  probes: readonly Probe[],
  only: readonly RequirementId[] | null,
  { named, withoutSchedules = null }: Looking = {},
): readonly PlannedProbe[] {
  const isWanted = ({ id, informs }: Probe): boolean =>
    named ? named.includes(id) : !only || informs.some((row) => only.includes(row));
  // What others have drawn is looked at once it is all there; what trips a limiter comes after all else.
  const rank = (one: Probe): number => (disturbs(one) ? 2 : one.isPassive ? 1 : 0);
  return probes
    .filter((one) => offeredOf(one, target).length > 0 && isWanted(one))
    .sort((a, b) => rank(a) - rank(b))
    .map((one) => ({ probe: one, lacks: lackOfProbe(one, target, withoutSchedules) }));
}

/** The parts that checks or probes ask something of. */
export const featuresAsked = (
  { checks }: Pick<Plan, "checks">,
  probes: readonly PlannedProbe[],
): readonly Feature[] => {
  const asked = [
    ...checks.map(({ check, lacks }) => (lacks === null ? [check.feature] : [])),
    ...probes.map(({ probe, lacks }) => (lacks === null ? probe.features : [])),
  ];
  return [...new Set(asked.flat())];
};

/** What they send, in both looks. */
export const sentBy = (planned: readonly PlannedProbe[], target: Target): Besides => {
  const sends = planned.flatMap(({ lacks, probe: { needs } }) => (lacks === null && needs.sends ? [needs.sends] : []));
  const schedules = planned.flatMap(({ lacks, probe: { needs } }) => (lacks === null ? (needs.schedules ?? []) : []));
  return {
    schedules,
    stimuli: askedBy(planned, target),
    sends: sends.map((one) => ({ ...one, bundles: 2 * one.bundles, tips: 2 * one.tips })),
  };
};

const askedBy = (planned: readonly PlannedProbe[], target: Target): readonly Stimulus[] =>
  planned
    .filter(({ lacks }) => lacks === null)
    .flatMap(({ probe: { needs, apart } }) =>
      needs.requests.flatMap((stimulus) =>
        lackHere(stimulus, target) === null ? [stimulus, afresh(stimulus, apart)] : [],
      ),
    );

/** What the engine lends. */
export interface ProbeHost
  extends Pick<CheckContext, "generation" | "target" | "project" | "ask" | "atOnce" | "wait" | "sendSchedule"> {
  exchanges(): readonly Exchange[];
  /** Why nothing can be seen in a part: its callers aren't told apart. */
  doubtOn(feature: Feature): Promise<string | null>;
  readonly handshake: Handshake | undefined;
  /** Projects for one probe alone; undefined where limits may count more than a project together, or none can be made. */
  readonly isolatedProjects?: () => IsolatedProjects;
}

/** Half as long again as the window of the limits that the interface states (§8). */
const recovery_ms = 1_500;

const isAnswered = (exchange: Exchange): exchange is Answered => exchange.answer !== null;
/** A server error, a page of a gateway or a fault shows nothing of the platform's choices. */
const isReadable = (exchange: Exchange): exchange is Answered => isAnswered(exchange) && suspicion(exchange) === null;

/** Surfaces side by side but for usage, whose figures any call moves; what looks at all the others or disturbs them comes last, unless it has projects of its own. */
export async function runProbes(
  planned: readonly PlannedProbe[],
  host: ProbeHost,
  tell: (observed: Observed) => void,
): Promise<void> {
  const inTurn = async (some: readonly PlannedProbe[]): Promise<void> => {
    for (const one of some) tell(await observe(one, host));
  };
  const isApart = ({ probe }: PlannedProbe): boolean => probe.isPassive || disturbs(probe);
  const readsUsage = ({ probe }: PlannedProbe): boolean => probe.features.includes("usage");
  const [own, shared] = [planned.filter((one) => hasOwn(one, host)), planned.filter((one) => !hasOwn(one, host))];
  const active = shared.filter((one) => !isApart(one));
  const isLater = (one: PlannedProbe): boolean => readsUsage(one) || one.probe.isTimed;
  const others = active.filter((one) => !isLater(one));
  // What is sent at set times disturbs only others of its kind.
  const timed = own.filter(({ probe }) => probe.needs.schedules);
  await Promise.all(
    [
      timed,
      ...own.filter((one) => !timed.includes(one)).map((one) => [one]),
      ...byApi(others, ({ probe }) => probe.features),
    ].map(inTurn),
  );
  await inTurn([...active.filter(isLater), ...shared.filter(isApart)]);
}

const hasOwn = ({ probe }: PlannedProbe, { isolatedProjects }: ProbeHost): boolean =>
  isolatedProjects !== undefined && probe.hasOwnProjects;

/** Looks twice. Whatever goes wrong is a reason, and never held against the platform. */
async function observe(planned: PlannedProbe, commonHost: ProbeHost): Promise<Observed> {
  const { probe: one, lacks } = planned;
  const { id } = one;
  const host = hasOwn(planned, commonHost) ? isolatedHost(commonHost) : commonHost;
  const features = offeredOf(one, host.target);
  const withheld = (reason: string): Observed => ({ id, features, state: "withheld", values: [], reason });
  if (lacks !== null) return withheld(lacks);
  try {
    const doubts = new Map<Feature, string>();
    for (const feature of features) {
      const doubt = await host.doubtOn(feature);
      if (doubt !== null) doubts.set(feature, doubt);
    }
    const [doubt] = doubts.values();
    if (doubt !== undefined && doubts.size === features.length) return withheld(doubt);
    const contexts = [
      contextOf(one, host, 0, [...doubts.keys()]),
      contextOf(one, host, 1, [...doubts.keys()]),
    ] as const;
    if (one.isPassive) {
      const possible = one.needs.requests.filter((stimulus) => contexts[0].canAsk(stimulus));
      // One question without an answer leaves the others' answers to be looked at.
      for (const stimulus of possible) for (const { ask } of contexts) await ask(stimulus).catch(() => undefined);
    }
    const first = await one.observe(contexts[0]);
    const second = await one.observe(contexts[1]);
    const isStable = canonical(first) === canonical(second);
    return {
      id,
      features,
      state: isStable ? "stable" : "unstable",
      values: isStable ? [first] : [first, second],
      reason: null,
    };
  } catch (error) {
    return withheld(error instanceof Error ? host.target.redact(error.message) : "the probe itself failed");
  }
}

/** Where others stand in for everybody whose project could be another one; what they drew is told under the question as it was put. */
function isolatedHost(host: ProbeHost): ProbeHost {
  const isolatedProjects = host.isolatedProjects?.();
  if (!isolatedProjects) return host;
  const put = new Map<string, Stimulus>();
  const substituted = async (stimulus: Stimulus): Promise<Stimulus> => {
    const asked = await isolatedProjects.in(stimulus);
    put.set(nameOf(asked), stimulus);
    return asked;
  };
  return {
    ...host,
    ask: async (stimulus) => host.ask(await substituted(stimulus)),
    atOnce: async (stimuli) => host.atOnce(await Promise.all(stimuli.map(substituted))),
    exchanges: () =>
      host.exchanges().map((exchange) => {
        const stimulus = put.get(nameOf(exchange.stimulus));
        return stimulus ? { ...exchange, stimulus } : exchange;
      }),
  };
}

const contextOf = (one: Probe, host: ProbeHost, pass: 0 | 1, doubted: readonly Feature[]): ProbeContext => ({
  target: host.target,
  generation: host.generation,
  project: host.project,
  handshake: host.handshake,
  canAsk: (stimulus) => lackHere(stimulus, host.target, doubted) === null,
  ask: async (stimulus) => {
    const exchange = await host.ask(afresh(stimulus, pass * one.apart));
    if (!isAnswered(exchange)) throw new Withheld(`no answer that can be read (${suspicion(exchange)})`);
    return exchange;
  },
  atOnce: async (stimuli) =>
    (await host.atOnce(stimuli.map((stimulus) => afresh(stimulus, pass * one.apart)))).filter(isReadable),
  rest: () => host.wait(recovery_ms),
  wait: host.wait,
  sendSchedule: host.sendSchedule,
  pass,
  get sampleHalf() {
    return sampleHalvesOf(host)[pass];
  },
  get all() {
    return host.exchanges();
  },
});

type SampleHalves = readonly [readonly Answered[], readonly Answered[]];

/** Exchanges only become more, and passive probes look at the same ones. */
const split = new WeakMap<ProbeHost, { readonly count: number; readonly halves: SampleHalves }>();

/** Answers to one question are dealt in turn, so that both hands hold the same questions; what was asked once is left out. */
function sampleHalvesOf(host: ProbeHost): SampleHalves {
  const exchanges = host.exchanges();
  const known = split.get(host);
  if (known?.count === exchanges.length) return known.halves;
  const halves = splitInHalves(exchanges);
  split.set(host, { count: exchanges.length, halves });
  return halves;
}

function splitInHalves(exchanges: readonly Exchange[]): SampleHalves {
  const groups = new Map<string, Answered[]>();
  for (const exchange of exchanges.filter(isReadable)) {
    // What a made project shows is the doing of its scenario.
    if (exchange.asker?.role.startsWith("made-")) continue;
    const name = `${exchange.answer.status} ${questionOf(exchange.stimulus)}`;
    groups.set(name, [...(groups.get(name) ?? []), exchange]);
  }
  const repeated = [...groups.values()].filter(({ length }) => length > 1);
  const half = (pass: 0 | 1): readonly Answered[] =>
    repeated.flatMap((group) => group.filter((_, turn) => turn % 2 === pass));
  return [half(0), half(1)];
}
