// Runs of the engine in this process, against choices of a platform where the interface leaves it any

import { wholeSuite as everything } from "../../cli/suite.ts";
import { contractSuite as contracts } from "../../contracts/suite.ts";
import { type Clock, steppedClock, type Wait } from "../../harness/core/clock.ts";
import { canonical } from "../../harness/core/json.ts";
import { describeReason } from "../../harness/core/reason.ts";
import type { Role } from "../../harness/core/requestSpec.ts";
import { Secret } from "../../harness/core/secret.ts";
import { openEngine } from "../../harness/engine/engine.ts";
import type { EngineOptions } from "../../harness/engine/options.ts";
import type { Plan } from "../../harness/engine/plan.ts";
import type { Audit } from "../../harness/model/chargeAudit.ts";
import type { Check } from "../../harness/model/check.ts";
import type { Outage } from "../../harness/model/outage.ts";
import type { SampleNote } from "../../harness/model/sampleFinder.ts";
import { type ShownObserved, shownObserved, shownVerdict } from "../../harness/model/shown.ts";
import type { Suite } from "../../harness/model/suite.ts";
import type { OtherCommands, Target } from "../../harness/targets/target.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import type { Generator } from "../../harness/transport/timedRequests.ts";
import type { Wire } from "../../harness/transport/wire.ts";
import { loadSuite as limits } from "../../load/suite.ts";
import { type InProcessOptions, inProcess } from "../../proof/inProcess.ts";
import type { Variant } from "../../reference/platform/mutant.ts";
import type { RuleChange } from "../../reference/platform/rules.ts";
import type { JsonRpcCall, PlatformAnswer } from "../../reference/platform/wire.ts";
import { type ObservationId, observations } from "../../specs/generated/observations.ts";
import type { Feature } from "../../specs/generated/operations.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";

/** What judges, by name; where only probes do, no check has sent anything before. */
const suites = {
  contracts,
  "contracts and limits": limits,
  everything,
  "probes alone": { ...contracts, checks: [] },
} satisfies { readonly [name: string]: Suite };
type Judging = Suite | keyof typeof suites;
export const suiteOf = (judging: Judging): Suite => (typeof judging === "string" ? suites[judging] : judging);

export type OfTarget = (target: Target) => Target;

/** What a platform chooses where the interface leaves it unspecified; or a mutant. */
export interface Choice extends Partial<Omit<Variant, "rules">> {
  readonly rules?: RuleChange | undefined;
  /** Rules of the platform that it is compared with; the honest ones by default. */
  readonly base?: RuleChange | undefined;
  /** A change of the target file on both sides of the comparison. */
  readonly target?: OfTarget | undefined;
  /** A change of the target file on this side only. */
  readonly ownTarget?: OfTarget;
  /** The protocol that servers choose where h2 is offered; h2 by default. */
  readonly protocol?: string;
  readonly isSlow?: true;
  /** Observed as well, for the exchanges that it causes. */
  readonly beside?: readonly ObservationId[];
  /** Advisory requirements that the choice breaks. */
  readonly warned?: readonly string[];
  /** Requirements that can't be judged beside it. */
  readonly inconclusive?: readonly string[];
  /** Unspecified behaviours that may vary with it. */
  readonly varies?: readonly ObservationId[];
}

/** By what an observation sees, which is a test's title. */
export type Choices = { readonly [sight in `${ObservationId}: ${string}`]?: Choice };

export const withHeader = (answer: PlatformAnswer, name: string, value: string | null): PlatformAnswer => {
  const { [name]: _, ...rest } = answer.headers;
  return { ...answer, headers: value === null ? rest : { ...rest, [name]: value } };
};
export const badGateway: PlatformAnswer = {
  status: 502,
  headers: { "content-type": "text/html" },
  body: { raw: "<html><h1>Bad Gateway</h1></html>" },
};
/** Answers some requests later than the narrowest band of latencies. */
export const slow = (isSlow: (call: JsonRpcCall) => boolean): Choice => ({
  answer: (answer, call) => {
    for (const until_ms = performance.now() + 320; isSlow(call) && performance.now() < until_ms; );
    return answer;
  },
});
export const secure = "https://reference.assay.example";
export const overHttps: OfTarget = (target) => ({ ...target, bases: { admin: secure, rpc: secure } });

const unchanged: OfTarget = (target) => target;
export const offering =
  (...offers: readonly Feature[]): OfTarget =>
  (target) => ({ ...target, offers });
/** What a target file says otherwise, perhaps by what it said. */
export type TargetChange = Partial<Target> | ((given: Target) => Partial<Target>);
export const changeIn = (given: Target, change: TargetChange): Partial<Target> =>
  typeof change === "function" ? change(given) : change;

/** As a vendor's: nothing is known of the platform, and there is no control. */
export const asVendor =
  (change: TargetChange = {}): OfTarget =>
  (given) => {
    const { control: _, ...target } = given;
    return { ...target, isReference: false, ...changeIn(given, change) };
  };

export const keysOf = ({ keys }: Target, ...roles: readonly Role[]): Target["keys"] =>
  new Map([...keys].filter(([role]) => roles.includes(role as Role)));

export const samplesOf = ({ samples }: Target, ...names: readonly string[]): Target["samples"] =>
  Object.fromEntries(Object.entries(samples).filter(([name]) => names.includes(name)));

/** Other commands of this machine, which use these projects. */
export const othersUsing = (...projects: readonly string[]): OtherCommands => ({
  sentences: () => [],
  projects: () => projects,
  publish: () => undefined,
});

/** The keys of a target, one of them another text. */
export function keysWith({ keys }: Target, role: Role, text: string): Target["keys"] {
  const key = keys.get(role);
  if (!key) throw new Error(`the target has no key ${role}`);
  return new Map([...keys, [role, { ...key, secret: new Secret(role, text) }]]);
}

export const idsLike = (pattern: RegExp): readonly ObservationId[] =>
  observations.map(({ id }) => id).filter((id) => pattern.test(id));

/** A change of what goes over a wire. */
export type Between = (wire: Wire, clock: Clock) => Wire;

export interface Trial extends Pick<EngineOptions, "impliedFails" | "generation" | "most_s" | "deadline_ms"> {
  /** The contracts by default. */
  readonly suite?: Judging | undefined;
  /** Which of its checks judge. */
  readonly checks?: ((check: Check) => boolean) | undefined;
  readonly isAudited?: boolean;
  /** Ids of requirements; all by default. */
  readonly only?: readonly string[] | null | undefined;
  /** Stepped: requests of several limit scopes overlap. */
  readonly clockFrom?: InProcessOptions["clockFrom"] | "stepped" | undefined;
  readonly choice?: Choice | undefined;
  /** All observations by default. */
  readonly observe?: readonly ObservationId[] | undefined;
  readonly target?: OfTarget | undefined;
  readonly hasSchedules?: boolean | undefined;
  readonly between?: Between | undefined;
  /** What bundles run on, instead of the platform's own. */
  readonly bank?: InProcessOptions["bank"] | undefined;
  /** Replaces the generator of a trial that has schedules. */
  readonly generator?: (usual: Generator) => NonNullable<EngineOptions["generator"]>;
}

export type Outcome = Awaited<ReturnType<typeof outcomeOf>>;

const judging = ({ suite = "contracts", checks = () => true, isAudited = true }: Trial): Suite => {
  const { auditor, ...rest } = suiteOf(suite);
  return { ...rest, checks: rest.checks.filter(checks), ...(isAudited && auditor ? { auditor } : {}) };
};
// Ids of tests are texts: one that there isn't is refused by the engine, or judges nothing.
const idsOf = (only: Trial["only"]) => (only ? { only: only as readonly RequirementId[] } : {});

/** An engine in this process, with its clock. */
function prepared(trial: Trial) {
  const {
    suite: _suite,
    checks: _checks,
    isAudited: _isAudited,
    only,
    choice = {},
    observe,
    target = unchanged,
    hasSchedules = false,
    between,
    bank,
    generator,
    clockFrom,
    ...rest
  } = trial;
  const { id = "another choice", protocol = "h2", target: both = unchanged, ownTarget = unchanged } = choice;
  const { rules, answer, proxy } = choice;
  const changes = { ...(rules && { rules }), ...(answer && { answer }), ...(proxy && { proxy }) };
  const variant = rules || answer || proxy ? { id, ...changes } : undefined;
  const ofClock = clockFrom === "stepped" ? steppedClock : clockFrom;
  const options = inProcess(judging(trial), variant, {
    hasSchedules,
    ...(ofClock && { clockFrom: ofClock }),
    ...(bank && { bank }),
  });
  const { generator: usual, clock } = options;
  const engine = openEngine({
    ...options,
    ...rest,
    ...idsOf(only),
    wire: between?.(options.wire, clock) ?? options.wire,
    target: ownTarget(both(target(options.target))),
    handshake: () => Promise.resolve({ protocol }),
    ...(observe ? { observe } : {}),
    ...(generator && usual && !("lacks" in usual) ? { generator: generator(usual) } : {}),
  });
  return { engine, clock };
}

/** One run in-process. */
export async function outcomeOf(trial: Trial) {
  const seen = {
    observed: [] as ShownObserved[],
    exchanges: [] as Exchange[],
    waits: [] as Wait[],
    audit: undefined as Audit | undefined,
    usedByOthers: [] as readonly string[],
    remarks: [] as readonly string[],
    outages: [] as Outage[],
    samples: [] as SampleNote[],
    unjudged: [] as readonly string[],
    heldAfter_s: new Map<string, number>(),
  };
  const { engine, clock } = prepared(trial);
  const began_ms = clock.now_ms();
  engine.events.on((event) => {
    if (event.event === "observation") seen.observed.push(shownObserved(event.observation));
    if (event.event === "exchange") seen.exchanges.push(event.exchange);
    if (event.event === "waiting") seen.waits.push(event);
    if (event.event === "unjudged") seen.unjudged = event.unjudged.map((one) => `${one.exchanges} ${one.reason}`);
    if (event.event === "outage") seen.outages.push(event.outage);
    if (event.event === "sample") seen.samples.push(event.sample);
    if (event.event === "audit") seen.audit = event.audit;
    if (event.event === "usedByOthers") seen.usedByOthers = event.projects;
    if (event.event === "remarks") seen.remarks = event.sentences;
    if (event.event === "verdict" && event.verdict.verdict === "holds" && !seen.heldAfter_s.has(event.verdict.id))
      seen.heldAfter_s.set(event.verdict.id, (clock.now_ms() - began_ms) / 1_000);
  });
  const verdicts = (await engine.run()).map(shownVerdict);
  const those = (wanted: string): readonly string[] =>
    verdicts.filter(({ verdict }) => verdict === wanted).map(({ id }) => id);
  const [broken, held, inconclusive] = [those("broken"), those("holds"), those("inconclusive")];
  // In virtual time.
  const took_s = Math.round((clock.now_ms() - began_ms) / 1000);
  return { verdicts, broken, held, inconclusive, engine, took_s, ...seen };
}

/** One requirement, asked for by itself. */
export const verdictOn = async (id: string, trial: Trial) =>
  shownVerdict(await prepared(trial).engine.judge(id as RequirementId));

/** What was observed, with its state, as canonical JSON. */
export const summaryOf = ({ observed }: Outcome, id?: ObservationId): string =>
  canonical(
    observed
      .filter((one) => id === undefined || one.id === id)
      .map(({ state, values }) => ({ state, values: values.map(({ summary }) => summary) })),
  );

/** What the first pass saw. */
export const valueOf = ({ observed }: Outcome, id: ObservationId): unknown =>
  observed.find((one) => one.id === id)?.values[0]?.summary;

/** What would be run. */
export const planOf = (trial: Trial): Plan => prepared(trial).engine.plan;

/** The probes that a target lacks something for, with what. */
export const lackingOn = (target: OfTarget): readonly string[] =>
  planOf({ target }).probes.flatMap(({ probe, unmetNeed: lacks }) =>
    lacks === null ? [] : [`${probe.id}: ${describeReason(lacks)}`],
  );
