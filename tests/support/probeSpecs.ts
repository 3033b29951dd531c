// Tests that all probe specs share: each choice is seen, two passes agree, and no check judges a choice a breach.
import { expect, test } from "@playwright/test";
import { suite as contracts } from "../../contracts/suite.ts";
import { type Clock, steppedClock, type Wait } from "../../harness/core/clock.ts";
import { canonical } from "../../harness/core/json.ts";
import type { Role } from "../../harness/core/stimulus.ts";
import { Engine } from "../../harness/engine/engine.ts";
import type { EngineOptions } from "../../harness/engine/options.ts";
import type { Plan } from "../../harness/engine/plan.ts";
import type { Audit } from "../../harness/model/chargeAudit.ts";
import type { Observed } from "../../harness/model/probe.ts";
import type { Suite } from "../../harness/model/suite.ts";
import type { Target } from "../../harness/target/target.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import type { Generator } from "../../harness/transport/timedRequests.ts";
import type { Wire } from "../../harness/transport/wire.ts";
import { type InProcessOptions, inProcess } from "../../proof/inProcess.ts";
import type { Variant } from "../../reference/platform/mutant.ts";
import type { RpcChange } from "../../reference/platform/rpcRules.ts";
import type { Choices as PlatformChoices, RuleChange } from "../../reference/platform/rules.ts";
import type { Call, WireAnswer } from "../../reference/platform/wire.ts";
import { type ObservationId, observations } from "../../specs/generated/observations.ts";
import type { Feature } from "../../specs/generated/operations.ts";
import type { RequirementId } from "../../specs/generated/requirements.ts";

type OfTarget = (target: Target) => Target;

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
  readonly warned?: readonly RequirementId[];
  /** Requirements that can't be judged beside it. */
  readonly inconclusive?: readonly RequirementId[];
  /** Unspecified behaviours that may vary with it. */
  readonly varies?: readonly ObservationId[];
}

/** By what an observation sees, which is a test's title. */
export type Choices = { readonly [sight in `${ObservationId}: ${string}`]?: Choice };

export const rpc = (change: RpcChange): Choice => ({ rules: { rpc: change } });
export const http = (choices: Partial<PlatformChoices>): Choice => ({ rules: { choices } });
export const withHeader = (answer: WireAnswer, name: string, value: string | null): WireAnswer => {
  const { [name]: _, ...rest } = answer.headers;
  return { ...answer, headers: value === null ? rest : { ...rest, [name]: value } };
};
export const badGateway: WireAnswer = {
  status: 502,
  headers: { "content-type": "text/html" },
  body: { raw: "<html><h1>Bad Gateway</h1></html>" },
};
/** Answers some requests later than the narrowest band of latencies. */
export const slow = (isSlow: (call: Call) => boolean): Choice => ({
  answer: (answer, call) => {
    for (const until_ms = performance.now() + 320; isSlow(call) && performance.now() < until_ms; );
    return answer;
  },
});
export const secure = "https://reference.assay.example";
export const overHttps: OfTarget = (target) => ({ ...target, bases: { admin: secure, rpc: secure } });

/** Without checks: no check has sent anything before. */
export const probesOnly: Suite = { ...contracts, checks: [] };

const unchanged: OfTarget = (target) => target;
export const offering =
  (...offers: readonly Feature[]): OfTarget =>
  (target) => ({ ...target, offers });
/** As a vendor's: nothing is known of the platform, and there is no control. */
export const asVendor =
  (change: Partial<Target> = {}): OfTarget =>
  ({ control: _, ...target }) => ({ ...target, isReference: false, ...change });

export const keysOf = ({ keys }: Target, ...roles: readonly Role[]): Target["keys"] =>
  new Map([...keys].filter(([role]) => roles.includes(role as Role)));

export const idsLike = (pattern: RegExp): readonly ObservationId[] =>
  observations.map(({ id }) => id).filter((id) => pattern.test(id));

/** A change of what goes over a wire. */
export type Between = (wire: Wire, clock: Clock) => Wire;

export interface Trial
  extends Pick<EngineOptions, "only" | "impliedFails" | "generation" | "most_s">,
    Pick<InProcessOptions, "clockFrom"> {
  readonly suite?: Suite | undefined;
  readonly choice?: Choice | undefined;
  /** All observations by default. */
  readonly observe?: readonly ObservationId[] | undefined;
  readonly target?: OfTarget | undefined;
  readonly hasSchedules?: boolean | undefined;
  readonly between?: Between | undefined;
  /** Replaces the generator of a trial that has schedules. */
  readonly generator?: (usual: Generator) => NonNullable<EngineOptions["generator"]>;
}

export type Outcome = Awaited<ReturnType<typeof outcomeOf>>;

/** One run in-process. */
export async function outcomeOf(trial: Trial) {
  const {
    suite = probesOnly,
    choice = {},
    observe,
    target = unchanged,
    hasSchedules = false,
    between,
    generator,
    clockFrom,
    ...rest
  } = trial;
  const { id = "another choice", protocol = "h2", target: both = unchanged, ownTarget = unchanged } = choice;
  const { rules, answer, proxy } = choice;
  const changes = { ...(rules && { rules }), ...(answer && { answer }), ...(proxy && { proxy }) };
  const variant = rules || answer || proxy ? { id, ...changes } : undefined;
  const options = inProcess(suite, variant, { hasSchedules, ...(clockFrom ? { clockFrom } : {}) });
  const seen = {
    observed: [] as Observed[],
    exchanges: [] as Exchange[],
    waits: [] as Wait[],
    audit: undefined as Audit | undefined,
    usedByOthers: [] as readonly string[],
    heldAfter_s: new Map<RequirementId, number>(),
  };
  const onEvent: EngineOptions["onEvent"] = (event) => {
    if (event.event === "observation") seen.observed.push(event.observation);
    if (event.event === "exchange") seen.exchanges.push(event.exchange);
    if (event.event === "waiting") seen.waits.push(event);
    if (event.event === "audit") seen.audit = event.audit;
    if (event.event === "usedByOthers") seen.usedByOthers = event.projects;
    if (event.event === "verdict" && event.verdict.verdict === "holds" && !seen.heldAfter_s.has(event.verdict.id))
      seen.heldAfter_s.set(event.verdict.id, (options.clock.now_ms() - began_ms) / 1_000);
  };
  const { generator: usual } = options;
  const began_ms = options.clock.now_ms();
  const engine = new Engine({
    ...options,
    ...rest,
    wire: between?.(options.wire, options.clock) ?? options.wire,
    target: ownTarget(both(target(options.target))),
    onEvent,
    handshake: () => Promise.resolve({ protocol }),
    ...(observe ? { observe } : {}),
    ...(generator && usual && !("lacks" in usual) ? { generator: generator(usual) } : {}),
  });
  const verdicts = await engine.run();
  const idsOf = (wanted: string) => verdicts.filter(({ verdict }) => verdict === wanted).map(({ id }) => id);
  const [broken, held, inconclusive] = [idsOf("broken"), idsOf("holds"), idsOf("inconclusive")];
  // In virtual time.
  const took_s = Math.round((options.clock.now_ms() - began_ms) / 1000);
  return { verdicts, broken, held, inconclusive, engine, took_s, ...seen };
}

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
export function planOf({
  suite = probesOnly,
  target = unchanged,
  ...rest
}: Pick<Trial, "suite" | "target"> & Pick<EngineOptions, "only" | "observe" | "generation">): Plan {
  const options = inProcess(suite);
  return new Engine({ ...options, ...rest, target: target(options.target) }).plan;
}

/** The probes that a target lacks something for, with what. */
export const lackingOn = (target: OfTarget): readonly string[] =>
  planOf({ target }).probes.flatMap(({ probe, lacks }) => (lacks === null ? [] : [`${probe.id}: ${lacks}`]));

/** Several probes of one subject. */
export interface Subject extends Pick<Trial, "suite" | "target" | "hasSchedules"> {
  readonly name: string;
  /** Each needs a probe and a choice that the probe sees. */
  readonly ids: readonly ObservationId[];
  /** Other subjects' observations, which have choices here too. */
  readonly shared?: readonly ObservationId[];
  readonly choices: Choices;
  /** On the honest platform they are withheld, as there is nothing to see. */
  readonly unseen?: readonly ObservationId[];
  /** How the choices are judged; not at all by default. */
  readonly judged?: {
    readonly suite: Suite;
    readonly target?: OfTarget;
    readonly observe?: (id: ObservationId, choice: Choice) => readonly ObservationId[] | undefined;
    readonly isJudged?: (choice: Choice) => boolean;
  };
}

const rowsOf = ({ choices }: Subject) =>
  (Object.entries(choices) as [string, Choice][]).map(([sight, choice]) => {
    const [id = "", title = ""] = sight.split(/: (.*)/);
    return { id: id as ObservationId, title, choice };
  });
const questionOf = (id: ObservationId): string | undefined => observations.find((one) => one.id === id)?.question;
const withheldOrStable = (unseen: readonly ObservationId[], id: ObservationId): string =>
  unseen.includes(id) ? "withheld" : "stable";

const honestRuns = new Map<Subject, Map<string, Promise<Outcome>>>();

/** What is observed on the honest platform together or alone, once per file. */
function honestRun(subject: Subject, observe: readonly ObservationId[]): Promise<Outcome> {
  const { suite, target, hasSchedules } = subject;
  const known = honestRuns.get(subject) ?? new Map<string, Promise<Outcome>>();
  honestRuns.set(subject, known);
  const run = known.get(observe.join()) ?? outcomeOf({ suite, target, hasSchedules, observe, clockFrom: steppedClock });
  known.set(observe.join(), run);
  return run;
}

const allOf = ({ ids, shared = [] }: Subject): readonly ObservationId[] => [...new Set([...ids, ...shared])];

/** Each probe sees each of its choices, and no choice is judged a breach. */
export function testChoices(subject: Subject): void {
  const { name, ids, shared = [], unseen = [], judged, suite = probesOnly, target, hasSchedules } = subject;
  const rows = rowsOf(subject);
  const isJudged = (choice: Choice): boolean => judged !== undefined && (judged.isJudged?.(choice) ?? true);

  test(`each unspecified behaviour of ${name} has a probe and a choice that it sees`, () => {
    const probed = suite.probes.map(({ id }) => id);
    expect(ids.filter((id) => !probed.includes(id))).toEqual([]);
    const seen = new Set(rows.map(({ id }) => id));
    expect(ids.filter((id) => !seen.has(id))).toEqual([]);
    expect([...seen].filter((id) => !ids.includes(id) && !shared.includes(id))).toEqual([]);
  });

  /** The other side of a comparison: most probes read their own answers alone, whatever else is observed. */
  const comparedWith = ({ base, target: both, beside }: Choice, trial: Trial, id: ObservationId): Promise<Outcome> => {
    if (base || both) return outcomeOf({ ...trial, choice: { rules: base, target: both } });
    const reads = suite.probes.find((probe) => probe.id === id)?.when ?? "after";
    return honestRun(subject, beside || reads === "after" ? (trial.observe ?? []) : allOf(subject));
  };

  // The first choice of each behaviour in the gate, further ones with the slow tests.
  for (const [nth, { id, title, choice }] of rows.entries()) {
    const isFurther = rows.findIndex((one) => one.id === id) < nth;
    test(`${id} sees that ${title}: ${questionOf(id)}`, {
      tag: choice.isSlow || isFurther ? "@slow" : [],
    }, async () => {
      const trial = { suite, target, hasSchedules, observe: [id, ...(choice.beside ?? [])] };
      // One after the other: a choice that slows the process down would slow the other run too.
      const honest = await comparedWith(choice, trial, id);
      const other = await outcomeOf({ ...trial, choice });
      const states = [honest, other].map(({ observed }) => observed.find((one) => one.id === id)?.state);
      expect(states).toEqual([withheldOrStable(unseen, id), "stable"]);
      expect(summaryOf(other, id)).not.toBe(summaryOf(honest, id));
      const { warned = [] } = choice;
      if (isJudged(choice)) expect(other.broken.filter((broken) => !warned.includes(broken))).toEqual([]);
    });
  }

  if (!judged) return;
  for (const { id, title, choice } of rows.filter(({ choice }) => isJudged(choice)))
    test(`no requirement is broken where ${title} (${id})`, { tag: "@slow" }, async () => {
      const { broken, inconclusive, observed } = await outcomeOf({
        suite: judged.suite,
        choice,
        clockFrom: steppedClock,
        observe: judged.observe ? judged.observe(id, choice) : ids,
        target: judged.target,
      });
      const { warned = [], inconclusive: unjudged = [], varies = [] } = choice;
      expect({ broken: broken.toSorted(), inconclusive }).toEqual({
        broken: warned.toSorted(),
        inconclusive: unjudged,
      });
      const unstable = observed.flatMap(({ id: one, state }) => (state === "unstable" ? [one] : []));
      expect(varies).toEqual(expect.arrayContaining(unstable));
      expect(observed.filter(({ reason }) => reason?.startsWith("the probe itself"))).toEqual([]);
    });
}

/** On the honest platform both passes agree, two runs agree, and nothing is broken. */
function testHonest(subject: Subject): void {
  const { unseen = [], suite, target, hasSchedules } = subject;
  test("on the honest platform two passes and two runs observe the same", async () => {
    const observe = allOf(subject);
    const first = await honestRun(subject, observe);
    const second = await outcomeOf({ observe, suite, target, hasSchedules, clockFrom: steppedClock });
    const byId = ({ observed }: Outcome) => new Map(observed.map((one) => [one.id, one]));
    expect(first.observed.map(({ id, state }) => [id, state])).toEqual(
      first.observed.map(({ id }) => [id, withheldOrStable(unseen, id)]),
    );
    expect(first.observed).toHaveLength(observe.length);
    expect(byId(second)).toEqual(byId(first));
    expect(first.broken).toEqual([]);
  });
}

export function testProbes(subject: Subject): void {
  testChoices(subject);
  testHonest(subject);
}
