// The engine: plans checks and probes, executes them, and says what follows for each requirement.
import type { Clock } from "../core/clock.ts";
import { type Generation, usualGeneration } from "../core/generation.ts";
import { type Feature, type ObservationId, operationOf, type RequirementId, requirementOf } from "../core/interface.ts";
import { Inconclusive, Withheld } from "../core/outcomes.ts";
import { KeyHider } from "../core/secret.ts";
import { calledBy, carriedBy, type Stimulus } from "../core/stimulus.ts";
import { type Check, type CheckContext, citedBy } from "../model/check.ts";
import type { EngineEvent } from "../model/event.ts";
import type { Suite } from "../model/suite.ts";
import {
  type CheckOutcome,
  countingOutcomes,
  enforcementOf,
  triedOf,
  type Verdict,
  verdictOf,
} from "../model/verdict.ts";
import { BudgetSpent, type Spent } from "../target/budget.ts";
import type { Target } from "../target/target.ts";
import { suspicion } from "../transport/answers.ts";
import type { Exchange } from "../transport/exchange.ts";
import type { Handshake } from "../transport/handshake.ts";
import type { Generator, NoGenerator } from "../transport/timedRequests.ts";
import { type Transport, type TransportOptions, transportTo } from "../transport/transport.ts";
import type { Wire } from "../transport/wire.ts";
import { Callers } from "./authSanity.ts";
import { inquiryOf } from "./inquiry.ts";
import { canIsolate, type IsolatedProjects } from "./isolatedProjects.ts";
import { Ledger } from "./ledger.ts";
import { newMemory } from "./memory.ts";
import { observe } from "./observing.ts";
import { checkPhases, probePhases, runPhases } from "./phases.ts";
import { featuresAsked, type Plan, type PlannedCheck, planFor } from "./plan.ts";
import { type Projects, projectsOf } from "./projects.ts";
import { lackOfGenerator, TimedSending } from "./timedSending.ts";

export interface EngineOptions extends TransportOptions {
  readonly suite: Suite;
  readonly target: Target;
  readonly wire: Wire;
  readonly clock: Clock;
  readonly only?: readonly RequirementId[] | null;
  /** Implied requirements fail on vendors too. */
  readonly impliedFails?: boolean;
  /** Only these are observed; all probes where this and `only` are left out. */
  readonly observe?: readonly ObservationId[];
  readonly onEvent?: (event: EngineEvent) => void;
  /** Of generated cases; as is usual for the target where it is left out. */
  readonly generation?: Generation;
  /** Bare TLS handshakes; without it no probe reports protocols. */
  readonly handshake?: Handshake;
  /** What sends at set times, or why nothing does. */
  readonly generator?: Generator | NoGenerator;
}

/** Inconclusive checks are tried this often again at the end. */
const retries = 2;

export class Engine {
  readonly plan: Plan;
  readonly #options: EngineOptions & { readonly generation: Generation };
  readonly #ledger: Ledger;
  readonly #transport: Transport;
  readonly #inquiry: ReturnType<typeof inquiryOf>;
  /** The planned checks that speak of each requirement. */
  readonly #checksOf = new Map<RequirementId, Check[]>();
  readonly #outcomes = new Map<Check, ReadonlyMap<RequirementId, CheckOutcome>>();
  readonly #projects: Projects;
  readonly #callers: Callers;
  /** They ask generated cases; null where limits may count by address, or nothing can be made. */
  readonly #isolatedProjects: IsolatedProjects | null;
  readonly #timed: TimedSending;
  readonly #memory = newMemory();
  /** What else a check speaks of has checks of its own, which weren't planned. */
  readonly #isAsked = (id: RequirementId): boolean => this.#options.only?.includes(id) ?? true;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(options: EngineOptions) {
    // A copy: projects that control makes are the engine's own.
    const [keys, hider] = [new Map(options.target.keys), new KeyHider()];
    const target = { ...options.target, keys, redact: (text: string) => hider.hide(options.target.redact(text)) };
    const generation = options.generation ?? usualGeneration(target);
    this.#options = { ...options, target, generation };
    const { suite, wire, clock, only = null, observe: named, generator } = options;
    const withoutSchedules = lackOfGenerator(generator);
    this.plan = planFor(target, suite, { only, observe: named, withoutSchedules, generation });
    for (const { check } of this.plan.checks)
      for (const id of citedBy(check)) this.#checksOf.set(id, [...(this.#checksOf.get(id) ?? []), check]);
    this.#ledger = new Ledger(suite.laws);
    this.#transport = transportTo(target, wire, clock, options);
    this.#inquiry = inquiryOf({
      transport: this.#transport,
      clock,
      onExchange: (exchange, counts, causedBy) => this.#enter(exchange, causedBy, counts),
      healthCheck: (beside) => this.#callers.healthyBeside(beside),
      mayRepeat: (stimulus) => target.isReference || !this.#isIrreversible(stimulus),
    });
    const { order } = this.#transport;
    this.#projects = projectsOf({ target, keys, hider, control: suite.control, order });
    this.#isolatedProjects = canIsolate(target) ? this.#projects.isolated({ generous: true }) : null;
    const { ask } = this.#inquiry;
    this.#callers = new Callers(suite.authSanityChecks, target, { ask, fresh: this.#memory.fresh });
    this.#timed = new TimedSending({
      transport: this.#transport,
      generator,
      carried: (stimulus) => this.#carried(stimulus),
      onExchange: (exchange, causedBy) => this.#enter(exchange, causedBy),
    });
  }

  get spent(): Spent {
    return this.#transport.spent;
  }

  /** Every requirement that a planned check speaks of, in the order of the plan. */
  get ids(): readonly RequirementId[] {
    return [...this.#checksOf.keys()].filter((id) => this.#isAsked(id));
  }

  /** Requirements that no check of the suite speaks of, whatever is planned. */
  get uncheckedIds(): readonly RequirementId[] {
    const checked = new Set(this.#options.suite.checks.flatMap(citedBy));
    const { requirements } = this.#options.target.interface;
    return requirements.map(({ id }) => id).filter((id) => !checked.has(id));
  }

  /** Runs the checks of one requirement that have not run yet. Calls are served one after another. */
  judge(id: RequirementId): Promise<Verdict> {
    return this.#inTurn(async () => {
      for (const planned of this.plan.checks) {
        if (citedBy(planned.check).includes(id) && !this.#outcomes.has(planned.check)) await this.#execute(planned);
      }
      return this.verdict(id);
    });
  }

  /** Runs the whole plan; verdicts are announced as they fall, again where they change. */
  async run(): Promise<readonly Verdict[]> {
    const announced = new Map<RequirementId, string>();
    const announce = (id: RequirementId): void => {
      const verdict = this.verdict(id);
      const name = `${verdict.verdict} ${verdict.breaches.length}`;
      if (announced.get(id) === name) return;
      announced.set(id, name);
      this.#options.onEvent?.({ event: "verdict", verdict, spent: this.spent });
    };
    const executeAndAnnounce = async (planned: PlannedCheck): Promise<void> => {
      await this.#execute(planned);
      for (const id of citedBy(planned.check)) if (this.#isAsked(id) && this.#isDone(id)) announce(id);
    };
    await this.#inTurn(async () => {
      const { suite, target } = this.#options;
      const audit = await suite.auditor?.(this.#context(null), featuresAsked(this.plan));
      await runPhases(checkPhases(this.plan.checks, target), executeAndAnnounce);
      for (let round = 0; round < retries; round += 1) await this.#retryInconclusive();
      await this.#observe();
      if (!audit) return;
      const closed = await audit.close(this.#ledger.exchanges);
      for (const { id, shown } of closed.differences) this.#ledger.find(id, shown);
      this.#options.onEvent?.({ event: "audit", audit: closed.audit });
    });
    const ids = [...new Set([...this.ids, ...this.#ledger.brokenIds])];
    for (const id of ids) announce(id);
    return ids.map((id) => this.verdict(id));
  }

  /** What is known of one requirement so far; laws may break it later, in somebody else's exchange. */
  verdict(id: RequirementId): Verdict {
    const { target, impliedFails = false, clock } = this.#options;
    const [requirement, checks] = [requirementOf(target.interface, id), this.#checksOf.get(id) ?? []];
    const verdict = verdictOf({
      requirement,
      enforced: enforcementOf(requirement, target, impliedFails),
      outcomes: countingOutcomes(id, checks, this.#outcomes),
      breaches: this.#ledger.breachesOf(id),
      exchanges: [...new Set(checks.flatMap((check) => this.#ledger.exchangesOf(check)))],
      deviation: target.deviations.find((deviation) => deviation.requirement === id),
      ran: (other) =>
        (this.#checksOf.get(other) ?? []).some((check) =>
          ["held", "broken"].includes(this.#outcomes.get(check)?.get(other)?.is ?? ""),
        ),
      today: new Date(clock.now_ms()).toISOString().slice(0, 10),
      doubt: checks.map(({ feature }) => this.#callers.doubtOn(feature)?.reason).find((doubt) => doubt) ?? null,
    });
    return { ...verdict, checks: triedOf(id, checks, this.#outcomes, target.interface) };
  }

  /** Requirements all of whose checks have run. */
  get judgedIds(): readonly RequirementId[] {
    return this.ids.filter((id) => this.#isDone(id));
  }

  /** Ids that laws found broken in any exchange so far, whoever asked. */
  get brokenIds(): readonly RequirementId[] {
    return this.#ledger.brokenIds;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => undefined);
    return result;
  }

  #isDone(id: RequirementId): boolean {
    return (this.#checksOf.get(id) ?? []).every((check) => this.#outcomes.has(check));
  }

  async #retryInconclusive(): Promise<void> {
    // What can't be undone is paid for: on a vendor it isn't sent once more for a better answer.
    const mayRepeat = ({ needs }: Check): boolean => !needs.sends || this.#options.target.isReference;
    const again = this.plan.checks.filter(
      ({ check }) =>
        mayRepeat(check) && [...(this.#outcomes.get(check)?.values() ?? [])].some(({ is }) => is === "inconclusive"),
    );
    if (again.length === 0) return;
    this.#inquiry.forgetFailures();
    this.#timed.forget();
    this.#callers.forgetUnreachable();
    await runPhases(checkPhases(again, this.#options.target), (planned) => this.#execute(planned));
  }

  async #execute({ check, lacks }: PlannedCheck): Promise<void> {
    this.#outcomes.set(check, await this.#outcomesOf(check, lacks));
  }

  async #outcomesOf(check: Check, lacks: string | null): Promise<ReadonlyMap<RequirementId, CheckOutcome>> {
    const { target } = this.#options;
    const forAll = (outcome: CheckOutcome) => new Map(citedBy(check).map((id) => [id, outcome] as const));
    if (lacks !== null) return forAll({ is: "withheld", reason: lacks });
    try {
      const doubt = await this.#callers.tellApart(check.feature);
      if (doubt?.kind === "unreachable") return forAll({ is: "inconclusive", reason: doubt.reason });
      // Where nothing could count, nothing is paid for.
      if (doubt && check.needs.sends) return forAll({ is: "withheld", reason: doubt.reason });
      this.#ledger.begin(check);
      return this.#ledger.conclude(check, await check.run(this.#context(check)));
    } catch (error) {
      // What couldn't be tried again for want of budget stays what it was.
      if (error instanceof BudgetSpent && this.#outcomes.has(check)) return this.#outcomes.get(check) ?? new Map();
      if (error instanceof Withheld || error instanceof BudgetSpent)
        return forAll({ is: "withheld", reason: error.message });
      if (error instanceof Inconclusive) return forAll({ is: "inconclusive", reason: error.message });
      // A defect of ours, perhaps drawn out by an odd answer: told, and never held against the platform.
      return forAll({
        is: "inconclusive",
        reason: `the check itself failed: ${target.redact((error as Error).message)}`,
      });
    }
  }

  /** Probes, once all checks have run; where callers aren't told apart there is nothing to see. */
  async #observe(): Promise<void> {
    const { target, handshake, onEvent } = this.#options;
    const host = {
      ...this.#context(null),
      exchanges: () => this.#ledger.exchanges,
      doubtOn: async (feature: Feature) => (await this.#callers.tellApart(feature))?.reason ?? null,
      handshake,
      ...(this.#isolatedProjects ? { isolated: () => this.#projects.isolated() } : {}),
    };
    await runPhases(probePhases(this.plan.probes, target), async (planned) =>
      onEvent?.({ event: "observation", observation: await observe(planned, host) }),
    );
  }

  /** It may have been taken, and paid for. */
  #isIrreversible(stimulus: Stimulus): boolean {
    const { interface: tables } = this.#options.target;
    return operationOf(tables, calledBy(stimulus, tables))?.irreversible !== undefined;
  }

  #carried(stimulus: Stimulus): Stimulus {
    return carriedBy(stimulus, this.#callers.carrierOf(stimulus.api));
  }

  /** @param counts whether laws may judge it; what is asked once and not again counts unless it is suspicious */
  #enter(exchange: Exchange, causedBy: Check | null, counts = suspicion(exchange) === null): void {
    this.#ledger.enter(exchange, counts, causedBy);
    this.#options.onEvent?.({ event: "exchange", exchange });
  }

  #context(check: Check | null): CheckContext {
    const { target, generation } = this.#options;
    const isolatedProjects = check?.needs.generates ? this.#isolatedProjects : null;
    const askedBy = (stimulus: Stimulus): Promise<Stimulus> =>
      isolatedProjects?.in(stimulus) ?? Promise.resolve(stimulus);
    const note = (exchange: Exchange): Exchange => {
      if (check) this.#ledger.note(check, exchange);
      return exchange;
    };
    return {
      ...this.#memory,
      target,
      generation,
      project: (wish = {}) => this.#projects.make(wish),
      ask: async (stimulus) => note(await this.#inquiry.ask(this.#carried(await askedBy(stimulus)), check)),
      sendSchedule: async (name, timedRequests) => {
        const timedResults = await this.#timed.timedResults(name, timedRequests, check);
        for (const { exchange } of timedResults) note(exchange);
        return timedResults;
      },
      wait: (duration_ms) => this.#options.clock.sleep(duration_ms),
      atOnce: async (stimuli) => this.#timed.atOnce(await Promise.all(stimuli.map(askedBy)), check, note),
    };
  }
}
