// The state of a run: its plan and all that it learns, made in this order, each part of those before it.

import type { Feature, RequirementId } from "../core/interface.ts";
import type { Reason } from "../core/reason.ts";
import type { RequestSpec } from "../core/requestSpec.ts";
import type { Check } from "../model/check.ts";
import type { EngineEvent } from "../model/event.ts";
import type { Outage } from "../model/outage.ts";
import { isRateRefusal } from "../transport/answers.ts";
import type { Exchange } from "../transport/exchange.ts";
import { type Transport, transportTo } from "../transport/transport.ts";
import { Assumptions } from "./assumptions.ts";
import { AuthCheck } from "./authCheck.ts";
import { Deadline } from "./deadline.ts";
import { HealthChecks } from "./healthChecks.ts";
import { Ledger } from "./ledger.ts";
import { Listeners } from "./listeners.ts";
import { type EngineOptions, type OwnOptions, ownOptions } from "./options.ts";
import { callersOfPlan, type Plan, planFor } from "./plan.ts";
import { Preflight } from "./preflight.ts";
import { ProbeAnswers } from "./probeAnswers.ts";
import { canIsolate, type Isolate, projectsOf } from "./projects.ts";
import { createRetry, mayRepeat, type Retry } from "./retry.ts";
import { newRunCache, type RunCache } from "./runCache.ts";
import { SampleDiscovery } from "./sampleDiscovery.ts";
import { makeSamples } from "./samples.ts";
import { shownEvent } from "./shownEvents.ts";
import { TimedSending, unmetGenerator } from "./timedSending.ts";
import { VerdictEvents } from "./verdictEvents.ts";
import { Verdicts } from "./verdicts.ts";

export interface RunState {
  readonly options: OwnOptions;
  /** What a run tells, without keys. */
  readonly events: Listeners<EngineEvent>;
  /** Tells an event, from which keys are removed. */
  readonly publish: (event: EngineEvent) => void;
  readonly plan: Plan;
  /** Planned checks may cite further requirements, whose other checks weren't planned. */
  readonly isWanted: (id: RequirementId) => boolean;
  readonly deadline: Deadline;
  readonly runCache: RunCache;
  readonly assumptions: Assumptions;
  readonly ledger: Ledger;
  readonly transport: Transport;
  readonly preflight: Preflight;
  readonly healthChecks: HealthChecks;
  readonly retry: Retry;
  readonly authCheck: AuthCheck;
  readonly verdicts: Verdicts;
  readonly verdictEvents: VerdictEvents;
  readonly projects: ReturnType<typeof projectsOf>;
  /** For generated cases; null where limits may count more than a project, or no project can be made. */
  readonly isolate: Isolate | null;
  readonly timed: TimedSending;
  readonly sampleDiscovery: SampleDiscovery;
  readonly probeAnswers: ProbeAnswers;
  /** Those of which answers stayed odd when a probe observed again: its other probes don't. */
  readonly lastinglyOdd: Set<Feature>;
}

/** An exchange, whether laws may judge it, and the check that caused it. */
interface Exchanged {
  readonly exchange: Exchange;
  readonly counts: boolean;
  readonly causedBy: Check | null;
}

/** By which parts of a run hear of others that are made after them. */
const newSignals = () => ({
  exchanged: new Listeners<Exchanged>(),
  /** An answer of the preflight that needn't be asked for again. */
  answered: new Listeners<Exchange>(),
  /** An outage, and the numbers of the exchanges that met it. */
  outage: new Listeners<{ readonly outage: Outage; readonly numbers: readonly number[] }>(),
});

/** Why request specs are of no use, as parts of a run find out. */
function newDoubts() {
  const sources: ((requestSpec: RequestSpec) => Reason | null)[] = [];
  return {
    add: (source: (typeof sources)[number]): void => void sources.push(source),
    doubtOn: (requestSpec: RequestSpec): Reason | null => {
      for (const source of sources) {
        const doubt = source(requestSpec);
        if (doubt !== null) return doubt;
      }
      return null;
    },
  };
}

/** The plan, and what it rests on. */
function planned(options: OwnOptions) {
  const { suite, target, only = null, observe, generator, generation } = options;
  const samples = makeSamples(target, suite, generation.seed);
  const planOptions = {
    only,
    observe,
    generation,
    samples,
    // Looking for a generator takes time, so it is done only where one is needed.
    get withoutSchedules() {
      return unmetGenerator(generator);
    },
  };
  return { plan: planFor(target, suite, planOptions), planOptions };
}

/** What is sent and what comes back, until an answer can be judged. */
function sendingOf(options: OwnOptions, keys: Parameters<typeof projectsOf>[0]["keys"], plan: Plan, publish: Publish) {
  const { suite, target, wire, clock, generator, deadline_ms } = options;
  const signals = newSignals();
  const doubts = newDoubts();
  const runCache = newRunCache();
  const assumptions = new Assumptions(target);
  const healthChecks = new HealthChecks(suite, target, runCache.fresh);
  const transport = transportTo(target, wire, clock, {
    ...(deadline_ms === undefined ? {} : { deadline_ms }),
    doubtOn: doubts.doubtOn,
    onEvent: publish,
  });
  const onExchange = (exchange: Exchange, counts: boolean, causedBy: Check | null): void =>
    signals.exchanged.emit({ exchange, counts, causedBy });
  const preflight = new Preflight({
    authSanityChecks: suite.authSanityChecks,
    ...callersOfPlan(plan, target),
    target,
    keys,
    transport,
    clock,
    isUnsettled: (exchange) => assumptions.unsettledIn(exchange) !== null,
    onExchange: (exchange, counts) => {
      onExchange(exchange, counts, null);
      if (counts && !isRateRefusal(exchange)) signals.answered.emit(exchange);
    },
    onResult: (result) => publish({ event: "preflight", preflight: result }),
  });
  const retry = createRetry({
    target,
    transport,
    clock,
    onExchange,
    healthCheck: (beside) => healthChecks.beside(beside),
    onIntermittent: ({ number }, cause) => publish({ event: "intermittent", exchange: number, cause }),
    fresh: runCache.fresh,
    mostResends: plan.resends,
    onOutage: (outage, numbers) => signals.outage.emit({ outage, numbers }),
  });
  doubts.add((requestSpec) => preflight.doubtOn(requestSpec));
  doubts.add(retry.doubtOn);
  signals.answered.on(retry.remember);
  const timed = new TimedSending({
    mayRepeat: (requestSpec) => mayRepeat(target, requestSpec),
    transport,
    generator,
    carried: (requestSpec) => healthChecks.carried(requestSpec),
    onExchange: (exchange, causedBy, counts) => onExchange(exchange, counts, causedBy),
  });
  return { signals, runCache, assumptions, healthChecks, transport, preflight, retry, timed };
}

type Publish = RunState["publish"];

/** Opens a run: plans it, and makes its parts; nothing is sent yet. */
export function openRunState(given: EngineOptions): RunState {
  const { keys, hider, ...options } = ownOptions(given);
  const { suite, target, clock, only, most_s } = options;
  const events = new Listeners<EngineEvent>();
  const publish: Publish = (event) => events.emit(shownEvent(event, target.redact));
  const isWanted = (id: RequirementId): boolean => only?.includes(id) ?? true;
  const deadline = new Deadline(clock, most_s);
  const { plan, planOptions } = planned(options);
  const ledger = new Ledger(suite.laws, target.redact);
  const { signals, ...sending } = sendingOf(options, keys, plan, publish);
  const { retry, transport, healthChecks, assumptions } = sending;
  const authCheck = new AuthCheck(suite, target, retry.ask, healthChecks);
  const verdicts = new Verdicts(plan.checks, {
    target,
    clock,
    impliedFails: options.impliedFails ?? false,
    renamedFails: options.renamedFails ?? false,
    fixedFails: options.fixedFails ?? false,
    ledger,
    isSelected: (id) => options.allFindings === true || isWanted(id),
    doubtOn: (feature) => authCheck.doubtOn(feature)?.reason ?? null,
  });
  const verdictEvents = new VerdictEvents(
    (id) => verdicts.of(id),
    (verdict) => {
      const isBroken = verdict.verdict === "broken" && verdict.enforced === "fail";
      if (isBroken && options.failFast) deadline.endAtFirstBreach();
      publish({ event: "verdict", verdict, spent: transport.spent });
    },
  );
  const projects = projectsOf({ target, keys, hider, control: suite.control, order: transport.order });
  const sampleDiscovery = new SampleDiscovery({
    target,
    suite,
    plan,
    planOptions,
    authCheck,
    onNote: (sample) => publish({ event: "sample", sample }),
  });

  signals.exchanged.on(({ exchange, counts, causedBy }) => ledger.enter(exchange, counts, causedBy));
  signals.exchanged.on(({ exchange }) => assumptions.note(exchange));
  signals.exchanged.on(({ exchange, counts }) => retry.note(exchange, counts));
  signals.exchanged.on(({ exchange }) => publish({ event: "exchange", exchange }));
  signals.exchanged.on(() => verdictEvents.emitNew(ledger.brokenIds));
  signals.outage.on(({ outage, numbers }) => verdicts.withdrawMet(outage, numbers));
  signals.outage.on(({ outage }) => publish({ event: "outage", outage }));

  return {
    ...sending,
    options,
    events,
    publish,
    plan,
    isWanted,
    deadline,
    ledger,
    authCheck,
    verdicts,
    verdictEvents,
    projects,
    isolate: canIsolate(target) ? projects.isolated({ generous: true }) : null,
    sampleDiscovery,
    probeAnswers: new ProbeAnswers({ target, laws: suite.laws, ledger }),
    lastinglyOdd: new Set(),
  };
}
