// The engine: plans checks and probes, executes them, and yields a verdict on each requirement.
import type { Feature, RequirementId } from "../core/interface.ts";
import { carriedBy, type Stimulus } from "../core/stimulus.ts";
import { type Check, type CheckContext, citedBy, type Needs } from "../model/check.ts";
import type { CheckOutcome } from "../model/narrowing.ts";
import type { Verdict } from "../model/verdict.ts";
import { BudgetSpent, type Spent } from "../target/budget.ts";
import { isRateRefusal } from "../transport/answers.ts";
import type { Exchange } from "../transport/exchange.ts";
import { type Transport, type TransportOptions, transportTo } from "../transport/transport.ts";
import { Assumptions } from "./assumptions.ts";
import { auditNeeds, closeAudit, openAudit } from "./auditing.ts";
import { AuthCheck } from "./authCheck.ts";
import { contextFor } from "./contexts.ts";
import { Deadline } from "./deadline.ts";
import { type Planned, type PlannedCheck, type PlannedProbe, runPlanned } from "./jobs.ts";
import { Ledger } from "./ledger.ts";
import { observe } from "./observing.ts";
import { type EngineOptions, type OwnOptions, ownOptions } from "./options.ts";
import { askedBy, isPlanned, type Plan, planFor } from "./plan.ts";
import { Preflight } from "./preflight.ts";
import { ProbeAnswers } from "./probeAnswers.ts";
import { canIsolate, type Isolate, projectsOf } from "./projects.ts";
import { createRetry, type Retry } from "./retry.ts";
import { newRunCache } from "./runCache.ts";
import { SampleDiscovery } from "./sampleDiscovery.ts";
import { makeSamples } from "./samples.ts";
import { lackOfGenerator, TimedSending } from "./timedSending.ts";
import { VerdictEvents } from "./verdictEvents.ts";
import { cutShortBy, type Outcomes, outcomeOfError, outcomesFor, Verdicts } from "./verdicts.ts";

/** How often inconclusive checks are run again at the end, as long as that settles some. */
const mostRetries = 5;

export class Engine {
  readonly plan: Plan;
  readonly #options: OwnOptions;
  readonly #ledger: Ledger;
  readonly #transport: Transport;
  readonly #retry: Retry;
  readonly #verdicts: Verdicts;
  readonly #projects: ReturnType<typeof projectsOf>;
  readonly #authCheck: AuthCheck;
  /** For generated cases; null where limits may count more than a project, or no project can be made. */
  readonly #isolate: Isolate | null;
  readonly #timed: TimedSending;
  readonly #sampleDiscovery: SampleDiscovery;
  readonly #probeAnswers: ProbeAnswers;
  readonly #assumptions: Assumptions;
  readonly #preflight: Preflight;
  readonly #runCache = newRunCache();
  /** Planned checks may cite further requirements, whose other checks weren't planned. */
  readonly #isWanted = (id: RequirementId): boolean => this.#options.only?.includes(id) ?? true;
  readonly #carried = (stimulus: Stimulus): Stimulus => carriedBy(stimulus, this.#authCheck.carrierOf(stimulus.api));
  readonly #running = {
    execute: (planned: Planned) => ("check" in planned ? this.#execute(planned) : this.#observe(planned)),
    isRefused: () => this.#transport.isRefused,
  };
  readonly #verdictEvents = new VerdictEvents(
    (id) => this.verdict(id),
    (verdict) => this.#onVerdict(verdict),
  );
  readonly #deadline: Deadline;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(options: EngineOptions) {
    const { keys, hider, ...own } = ownOptions(options);
    this.#options = own;
    const { suite, target, wire, clock, only = null, observe, generator, generation, most_s, onEvent } = own;
    this.#deadline = new Deadline(clock, most_s);
    const samples = makeSamples(target, suite, generation.seed);
    const planOptions = {
      ...{ only, observe, generation, samples },
      // What looks for a generator takes time, which only who needs one should spend.
      get withoutSchedules() {
        return lackOfGenerator(generator);
      },
    };
    this.plan = planFor(target, suite, planOptions);
    [this.#assumptions, this.#ledger] = [new Assumptions(target), new Ledger(suite.laws, target.redact)];
    const doubtOn: TransportOptions["doubtOn"] = (one) => this.#preflight.doubtOn(one) ?? this.#retry.doubtOn(one);
    this.#transport = transportTo(target, wire, clock, { ...this.#options, doubtOn });
    this.#retry = createRetry({
      target,
      transport: this.#transport,
      clock,
      onExchange: (exchange, counts, causedBy) => this.#enter(exchange, causedBy, counts),
      healthCheck: (beside) => this.#authCheck.healthyBeside(beside),
      onIntermittent: ({ number }, cause) => onEvent({ event: "intermittent", exchange: number, cause }),
      fresh: this.#runCache.fresh,
      onOutage: (outage, numbers) => onEvent({ event: "outage", outage: this.#verdicts.withdrawMet(outage, numbers) }),
    });
    this.#probeAnswers = new ProbeAnswers({ target, laws: suite.laws, ledger: this.#ledger });
    this.#projects = projectsOf({ target, keys, hider, control: suite.control, order: this.#transport.order });
    this.#isolate = canIsolate(target) ? this.#projects.isolated({ generous: true }) : null;
    this.#preflight = new Preflight({
      authSanityChecks: suite.authSanityChecks,
      ...askedBy(this.plan, target),
      target,
      keys,
      transport: this.#transport,
      clock,
      isUnsettled: (exchange) => this.#assumptions.unsettledIn(exchange) !== null,
      onExchange: (exchange, counts) => {
        this.#enter(exchange, null, counts);
        if (counts && !isRateRefusal(exchange)) this.#retry.remember(exchange);
      },
      onResult: (preflight) => onEvent({ event: "preflight", preflight }),
    });
    this.#authCheck = new AuthCheck(suite, target, { ...this.#retry, ...this.#runCache });
    this.#verdicts = new Verdicts(this.plan.checks, {
      target,
      clock,
      impliedFails: options.impliedFails ?? false,
      renamedFails: options.renamedFails ?? false,
      ledger: this.#ledger,
      isSelected: (id) => options.allFindings === true || this.#isWanted(id),
      doubtOn: (feature) => this.#authCheck.doubtOn(feature)?.reason ?? null,
    });
    this.#timed = new TimedSending({
      transport: this.#transport,
      generator,
      carried: this.#carried,
      onExchange: (exchange, causedBy, counts) => this.#enter(exchange, causedBy, counts),
    });
    this.#sampleDiscovery = new SampleDiscovery({
      target,
      suite,
      plan: this.plan,
      planOptions,
      context: () => this.#context(null),
      authCheck: this.#authCheck,
      onNote: (sample) => onEvent({ event: "sample", sample }),
    });
  }

  get spent(): Spent {
    return this.#transport.spent;
  }

  /** The requirements that this run judges, in the order of the plan. */
  get ids(): readonly RequirementId[] {
    return this.#verdicts.ids.filter((id) => this.#isWanted(id));
  }

  /** Runs those checks of a requirement that have not run yet. Calls are queued. */
  judge(id: RequirementId): Promise<Verdict> {
    return this.#inTurn(async () => {
      await this.#preflight.run();
      for (const planned of this.plan.checks)
        if (citedBy(planned.check).includes(id) && !this.#verdicts.outcomesOf(planned.check))
          await this.#execute(planned);
      return this.verdict(id);
    });
  }

  /** Runs the whole plan. A breach is announced when it falls, each verdict when it is reached and where it changes. */
  async run(): Promise<readonly Verdict[]> {
    const { suite, target, onEvent } = this.#options;
    this.#verdictEvents.begin();
    this.#deadline.begin();
    await this.#inTurn(async () => {
      const { ended } = await this.#preflight.run();
      const audit = ended ? null : await openAudit(suite, this.#context(null, auditNeeds), this.plan, target);
      await runPlanned([...this.plan.checks, ...(ended ? [] : this.plan.probes)], target, this.#running);
      this.#probeAnswers.reportUnjudged(onEvent);
      if (ended || this.#deadline.why() !== null) return;
      await this.#retryInconclusive();
      await closeAudit(audit, { verdicts: this.#verdicts, ledger: this.#ledger, onEvent });
    });
    const remarks = (await suite.remarks?.(this.#context(null))) ?? [];
    if (remarks.length > 0) onEvent({ event: "remarks", sentences: remarks });
    const verdicts = this.#verdictEvents.emit([...new Set([...this.ids, ...this.#ledger.brokenIds])]);
    const reason = cutShortBy(this.#transport.budgetRefusals, verdicts);
    if (reason !== null) onEvent({ event: "cutShort", reason });
    return verdicts;
  }

  #onVerdict(verdict: Verdict): void {
    const isBroken = verdict.verdict === "broken" && verdict.enforced === "fail";
    if (isBroken && this.#options.failFast) this.#deadline.endAtFirstBreach();
    this.#options.onEvent({ event: "verdict", verdict, spent: this.spent });
  }

  /** The verdict so far; later exchanges may still break the requirement. */
  verdict(id: RequirementId): Verdict {
    return this.#verdicts.of(id);
  }

  /** Those whose checks have all run, and those that are broken already. */
  get judgedIds(): readonly RequirementId[] {
    return [...new Set([...this.ids.filter((id) => this.#verdicts.isDone(id)), ...this.#ledger.brokenIds])];
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => undefined);
    return result;
  }

  async #retryInconclusive(round = 1): Promise<void> {
    // What can't be undone costs real money: a vendor isn't sent it again for a better answer. Schedules take minutes.
    const mayRepeat = ({ needs }: Check): boolean =>
      (!needs.sends || this.#options.target.isReference) && (!needs.schedules || round <= 2);
    const again = this.plan.checks.filter(({ check }) => mayRepeat(check) && this.#verdicts.isOpen(check));
    if (again.length === 0) return;
    this.#ledger.settle();
    await this.#retry.startAnew();
    this.#timed.forget();
    this.#authCheck.forgetUnreachable();
    await runPlanned(again, this.#options.target, this.#running);
    const isSettling = round === 1 || again.some(({ check }) => !this.#verdicts.isOpen(check));
    if (isSettling && round < mostRetries) await this.#retryInconclusive(round + 1);
  }

  async #execute({ check, lacks }: PlannedCheck): Promise<void> {
    this.#verdicts.record(check, await this.#outcomesOf(check, lacks));
    this.#verdictEvents.emitNew(this.#ledger.brokenIds);
    this.#verdictEvents.emit(citedBy(check).filter((id) => this.#isWanted(id) && this.#verdicts.isDone(id)));
  }

  /** What the run has found to be lacking; null where it has all that the check needs. */
  async #lackOf(check: Check): Promise<Outcomes | null> {
    const reason = this.#preflight.doubtOf(check);
    return reason === null ? this.#sampleDiscovery.withheld(check) : outcomesFor(check, { is: "inconclusive", reason });
  }

  async #outcomesOf(check: Check, lacks: string | null): Promise<Outcomes> {
    const { target } = this.#options;
    const forAll = (outcome: CheckOutcome): Outcomes => outcomesFor(check, outcome);
    const reason = lacks ?? this.#deadline.why();
    if (reason !== null) return forAll({ is: "withheld", reason });
    try {
      const lack = await this.#lackOf(check);
      if (lack) return lack;
      const doubt = await this.#authCheck.distinguish(check.feature);
      if (doubt?.kind === "unreachable") return forAll({ is: "inconclusive", reason: doubt.reason });
      // Nothing is paid for where no result would count.
      if (doubt && check.needs.sends) return forAll({ is: "withheld", reason: doubt.reason });
      this.#ledger.begin(check);
      const shown = this.#assumptions.settledOf(await check.run(this.#context(check)));
      for (const { finding, exchange } of shown)
        if (finding.outcome === "broken") await this.#retry.confirmBreach(exchange, check);
      return this.#ledger.conclude(check, shown);
    } catch (error) {
      // Without budget for a retry the earlier outcomes stay.
      const before = this.#verdicts.outcomesOf(check);
      if (error instanceof BudgetSpent && before) return before;
      return forAll(outcomeOfError(error, target.redact));
    }
  }

  async #observe(planned: PlannedProbe): Promise<void> {
    const { handshake, onEvent } = this.#options;
    const lacks = planned.lacks ?? this.#deadline.why();
    const host = {
      ...this.#probeAnswers.judging(this.#context(null, planned.probe.needs)),
      doubtOn: async (feature: Feature) => (await this.#authCheck.distinguish(feature))?.reason ?? null,
      handshake,
      ...(this.#isolate ? { isolated: () => this.#projects.isolated() } : {}),
    };
    onEvent({ event: "observation", observation: await observe({ ...planned, lacks }, host) });
  }

  #enter(exchange: Exchange, causedBy: Check | null, counts: boolean): void {
    this.#ledger.enter(exchange, counts, causedBy);
    this.#assumptions.note(exchange);
    this.#retry.note(exchange, counts);
    this.#options.onEvent({ event: "exchange", exchange });
    this.#verdictEvents.emitNew(this.#ledger.brokenIds);
  }

  #context(check: Check | null, needs: Partial<Needs> = check?.needs ?? {}): CheckContext {
    const { target, generation, clock, onEvent } = this.#options;
    const context = contextFor(check, needs, {
      target,
      generation,
      clock,
      onWait: (wait) => onEvent({ event: "waiting", ...wait }),
      runCache: this.#runCache,
      ledger: this.#ledger,
      projects: this.#projects,
      retry: this.#retry,
      timed: this.#timed,
      isolate: this.#isolate,
      carried: this.#carried,
      elsewhere: this.#transport.order,
      mostSends: this.plan.sends,
      isRunnable: async (one) => {
        const check = this.plan.checks.find((planned) => planned.check === one)?.check;
        return isPlanned(this.plan, one) && (!check || (await this.#lackOf(check)) === null);
      },
    });
    return this.#deadline.limited(context);
  }
}
