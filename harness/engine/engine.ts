// Plans checks, executes them, and says what follows for each requirement. One engine, three doors.
import type { ObservationId } from "../../specs/generated/observations.ts";
import type { Feature } from "../../specs/generated/operations.ts";
import { type RequirementId, requirements } from "../../specs/generated/requirements.ts";
import type { Clock } from "../core/clock.ts";
import { type Generation, usualGeneration } from "../core/generation.ts";
import { requirementOf } from "../core/requirement.ts";
import { KeyHider } from "../core/secret.ts";
import { carriedBy, type Made, methodOf, type Role, type Stimulus } from "../core/stimulus.ts";
import { type Check, type CheckContext, citedBy, Inconclusive, Withheld } from "../model/check.ts";
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
import type { HeldKey, Target } from "../target/target.ts";
import { type MadeProject, makeProject, type ProjectWish } from "../transport/control.ts";
import { type Exchange, suspicion } from "../transport/exchange.ts";
import type { Handshake } from "../transport/handshake.ts";
import type { Generator, NoGenerator } from "../transport/timedRequests.ts";
import { type Transport, type TransportOptions, transportTo } from "../transport/transport.ts";
import type { Wire } from "../transport/wire.ts";
import { Callers, unreachable } from "./authSanity.ts";
import { inquiryOf } from "./inquiry.ts";
import { canIsolate, IsolatedProjects } from "./isolatedProjects.ts";
import { Ledger } from "./ledger.ts";
import { featuresAsked, type PlannedProbe, probesFor, runProbes, sentBy } from "./observing.ts";
import { inPhases } from "./order.ts";
import { type Plan, planFor } from "./plan.ts";
import { lackOfGenerator, Schedules } from "./schedules.ts";

export interface EngineOptions extends TransportOptions {
  readonly suite: Suite;
  readonly target: Target;
  readonly wire: Wire;
  readonly clock: Clock;
  readonly only?: readonly RequirementId[] | null;
  /** Implied requirements fail on vendors too. */
  readonly impliedFails?: boolean;
  /** Only these open points are looked at; all of them where this and `only` are left out. */
  readonly observe?: readonly ObservationId[];
  readonly onEvent?: (event: EngineEvent) => void;
  /** Of generated cases; as is usual for the target where it is left out. */
  readonly generation?: Generation;
  /** Bare TLS handshakes; without it no probe tells of protocols. */
  readonly handshake?: Handshake;
  /** What sends at set times, or why nothing does. */
  readonly generator?: Generator | NoGenerator;
}

/** Inconclusive checks are tried this often again at the end. */
const retries = 2;

/** Calls that those who ask in generated cases are served: nobody waits for a limit that isn't tried. */
const manyPerSecond = 1_000;

export class Engine {
  readonly plan: Plan;
  readonly probes: readonly PlannedProbe[];
  readonly #options: EngineOptions & { readonly generation: Generation };
  readonly #ledger: Ledger;
  readonly #transport: Transport;
  readonly #inquiry: ReturnType<typeof inquiryOf>;
  /** The planned checks that speak of each requirement. */
  readonly #checksOf = new Map<RequirementId, Check[]>();
  readonly #outcomes = new Map<Check, ReadonlyMap<RequirementId, CheckOutcome>>();
  readonly #keys: Map<Role | Made, HeldKey>;
  readonly #made = new KeyHider();
  readonly #callers: Callers;
  /** Whoever asks generated cases; null where limits may count by address, or nothing can be made. */
  readonly #isolatedProjects: IsolatedProjects | null;
  readonly #schedules: Schedules;
  /** What else a check speaks of has checks of its own, which weren't planned. */
  readonly #isAsked = (id: RequirementId): boolean => this.#options.only?.includes(id) ?? true;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(options: EngineOptions) {
    // A copy: projects that control makes are the engine's own.
    const keys = new Map(options.target.keys);
    const target = { ...options.target, keys, redact: (text: string) => this.#made.hide(options.target.redact(text)) };
    const generation = options.generation ?? usualGeneration(target);
    this.#options = { ...options, target, generation };
    this.#keys = keys;
    const { suite, wire, clock, only = null } = options;
    const withoutSchedules = lackOfGenerator(options.generator);
    this.probes = probesFor(target, suite.probes, only, { named: options.observe, withoutSchedules });
    this.plan = planFor(target, suite.checks, only, { ...sentBy(this.probes, target), generation, withoutSchedules });
    for (const { check } of this.plan.checks)
      for (const id of citedBy(check)) this.#checksOf.set(id, [...(this.#checksOf.get(id) ?? []), check]);
    this.#ledger = new Ledger(suite.laws);
    this.#transport = transportTo(target, wire, clock, options);
    this.#inquiry = inquiryOf({
      transport: this.#transport,
      clock,
      onExchange: (exchange, counts, causedBy) => {
        this.#ledger.enter(exchange, counts, causedBy);
        options.onEvent?.({ event: "exchange", exchange });
      },
      healthCheck: (beside, nth) => this.#callers.healthyBeside(beside, nth),
      // It may have been taken, and paid for.
      mayRepeat: (stimulus) => target.isReference || methodOf(stimulus) !== "sendBundle",
    });
    this.#isolatedProjects = canIsolate(target) ? this.#newIsolatedProjects({ generously: manyPerSecond }) : null;
    this.#callers = new Callers(suite.authSanityChecks, target, this.#inquiry.ask);
    const { generator } = options;
    this.#schedules = new Schedules({
      transport: this.#transport,
      generator,
      carried: (stimulus) => this.#carried(stimulus),
      onExchange: (...drawn) => this.#enter(...drawn),
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
    return requirements.map(({ id }) => id).filter((id) => !checked.has(id));
  }

  /** Runs the checks of one requirement that have not run yet. Calls are served one after another. */
  judge(id: RequirementId): Promise<Verdict> {
    return this.#inTurn(async () => {
      for (const { check, lacks } of this.plan.checks) {
        if (citedBy(check).includes(id) && !this.#outcomes.has(check)) await this.#execute(check, lacks);
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
    const executeAll = async (planned: Plan["checks"]): Promise<void> => {
      for (const { check, lacks } of planned) {
        await this.#execute(check, lacks);
        for (const id of citedBy(check)) if (this.#isAsked(id) && this.#isDone(id)) announce(id);
      }
    };
    await this.#inTurn(async () => {
      const books = await this.#options.suite.auditor?.(this.#context(null), featuresAsked(this.plan, this.probes));
      await inPhases(this.plan.checks, this.#options.target, executeAll);
      for (let round = 0; round < retries; round += 1) await this.#retryInconclusive();
      await this.#observe();
      if (!books) return;
      const { audit, differences } = await books.close(this.#ledger.exchanges);
      for (const { id, shown } of differences) this.#ledger.find(id, shown);
      this.#options.onEvent?.({ event: "audit", audit });
    });
    const ids = [...new Set([...this.ids, ...this.#ledger.brokenIds])];
    for (const id of ids) announce(id);
    return ids.map((id) => this.verdict(id));
  }

  /** What is known of one requirement so far; laws may break it later, in somebody else's exchange. */
  verdict(id: RequirementId): Verdict {
    const { target, impliedFails = false, clock } = this.#options;
    const [requirement, checks] = [requirementOf(id), this.#checksOf.get(id) ?? []];
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
      doubt: checks.map((check) => this.#callers.doubtOn(check.feature)).find((doubt) => doubt !== null) ?? null,
    });
    return { ...verdict, checks: triedOf(id, checks, this.#outcomes) };
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
    // What was sent in bundles is paid for: on a vendor it isn't sent once more for a better answer.
    const mayRepeat = ({ needs }: Check): boolean => !needs.sends || this.#options.target.isReference;
    const again = this.plan.checks.filter(
      ({ check }) =>
        mayRepeat(check) && [...(this.#outcomes.get(check)?.values() ?? [])].some(({ is }) => is === "inconclusive"),
    );
    if (again.length === 0) return;
    this.#inquiry.forgetFailures();
    this.#schedules.forget();
    this.#callers.forgetUnreachable();
    await inPhases(again, this.#options.target, async (lane) => {
      for (const { check, lacks } of lane) await this.#execute(check, lacks);
    });
  }

  async #execute(check: Check, lacks: string | null): Promise<void> {
    this.#outcomes.set(check, await this.#outcomesOf(check, lacks));
  }

  async #outcomesOf(check: Check, lacks: string | null): Promise<ReadonlyMap<RequirementId, CheckOutcome>> {
    const { target } = this.#options;
    const forAll = (outcome: CheckOutcome) => new Map(citedBy(check).map((id) => [id, outcome] as const));
    if (lacks !== null) return forAll({ is: "withheld", reason: lacks });
    try {
      const doubt = await this.#callers.tellApart(check.feature);
      if (doubt?.startsWith(unreachable)) return forAll({ is: "inconclusive", reason: doubt });
      // Where nothing could count, nothing is paid for.
      if (doubt !== null && check.needs.sends) return forAll({ is: "withheld", reason: doubt });
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

  /** Looks at what the interface leaves open; where callers aren't told apart there is nothing to see. */
  async #observe(): Promise<void> {
    const host = {
      ...this.#context(null),
      exchanges: () => this.#ledger.exchanges,
      doubtOn: (feature: Feature) => this.#callers.tellApart(feature),
      handshake: this.#options.handshake,
      ...(this.#isolatedProjects ? { isolatedProjects: () => this.#newIsolatedProjects() } : {}),
    };
    await runProbes(this.probes, host, (observation) => this.#options.onEvent?.({ event: "observation", observation }));
  }

  #newIsolatedProjects(more: ProjectWish = {}): IsolatedProjects {
    return new IsolatedProjects(this.#options.target, (wish) => this.#makeProject(wish), more);
  }

  #makeProject(wish: ProjectWish): Promise<MadeProject> {
    const { target } = this.#options;
    if (!target.control) throw new Withheld("no control over the platform");
    return makeProject(target.control, this.#transport.order, wish, (key) => {
      const made: Made = `made-${this.#keys.size}`;
      this.#keys.set(made, key);
      this.#made.add(key.secret);
      return made;
    });
  }

  #carried(stimulus: Stimulus): Stimulus {
    return carriedBy(stimulus, this.#callers.carrierOf(stimulus.api));
  }

  /** What is asked once and not again, whatever came. */
  #enter(exchange: Exchange, causedBy: Check | null): void {
    this.#ledger.enter(exchange, suspicion(exchange) === null, causedBy);
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
      target,
      generation,
      project: (wish = {}) => this.#makeProject(wish),
      ask: async (stimulus) => note(await this.#inquiry.ask(this.#carried(await askedBy(stimulus)), check)),
      sendSchedule: async (name, timedRequests) => {
        const timedResults = await this.#schedules.timedResults(name, timedRequests, check);
        for (const { exchange } of timedResults) note(exchange);
        return timedResults;
      },
      wait: (duration_ms) => this.#options.clock.sleep(duration_ms),
      atOnce: async (stimuli) => this.#schedules.atOnce(await Promise.all(stimuli.map(askedBy)), check, note),
    };
  }
}
