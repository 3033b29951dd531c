// The engine: plans checks and probes, executes them, and yields a verdict on each requirement.
import type { RequirementId } from "../core/interface.ts";
import { type Check, citedBy } from "../model/check.ts";
import type { Verdict } from "../model/verdict.ts";
import type { Spent } from "../targets/budget.ts";
import { auditNeeds, closeAudit, openAudit, withdrawUsed } from "./auditing.ts";
import { contextIn, execute, executeCheck } from "./executing.ts";
import { type Planned, type PlannedCheck, runPlanned } from "./jobs.ts";
import type { EngineOptions } from "./options.ts";
import { offeredOf } from "./plan.ts";
import { openRunState, type RunState } from "./runState.ts";
import { cutShortBy } from "./verdicts.ts";

/** How often inconclusive checks are run again at the end, as long as that settles some. */
const mostRetries = 5;

export interface Engine extends Pick<RunState, "events" | "plan"> {
  readonly spent: Spent;
  /** The requirements that this run judges, in the order of the plan. */
  readonly ids: readonly RequirementId[];
  /** Those whose checks have all run, and those that are broken already. */
  readonly judgedIds: readonly RequirementId[];
  /** The verdict so far; later exchanges may still break the requirement. */
  verdict(id: RequirementId): Verdict;
  /** Runs those checks of a requirement that have not run yet. Calls are queued. */
  judge(id: RequirementId): Promise<Verdict>;
  /** Runs the whole plan. Breaches are emitted when found, verdicts when reached and when they change. */
  run(): Promise<readonly Verdict[]>;
  /** Whether no check is left: what goes on observes, though what it is answered may still break a requirement. */
  readonly isObserving: boolean;
  /** The verdicts as they are; what isn't observed yet is emitted as withheld. Nothing more of the run counts. */
  stopObserving(): Promise<readonly Verdict[]>;
}

const idsIn = ({ verdicts, isWanted }: RunState): readonly RequirementId[] => verdicts.ids.filter(isWanted);

async function judge(state: RunState, id: RequirementId): Promise<Verdict> {
  const { plan, preflight, verdicts } = state;
  await preflight.run();
  for (const planned of plan.checks)
    if (citedBy(planned.check).includes(id) && !verdicts.outcomesOf(planned.check)) await executeCheck(state, planned);
  return verdicts.of(id);
}

const executeAll = (state: RunState, planned: readonly Planned[]): Promise<void> =>
  runPlanned(planned, state.options.target, {
    execute: (one) => execute(state, one),
    isRefused: () => state.transport.isRefused,
  });

/** What is inconclusive, and may be sent again. */
function openChecks({ plan, options, verdicts }: RunState, round: number): readonly PlannedCheck[] {
  // What can't be undone costs real money: a vendor isn't sent it again for a better answer. Schedules take minutes.
  const mayRepeat = ({ needs }: Check): boolean =>
    (!needs.sends || options.target.isReference) && (!needs.schedules || round <= 2);
  return plan.checks.filter(({ check }) => mayRepeat(check) && verdicts.isOpen(check));
}

async function retryInconclusive(state: RunState, round = 1): Promise<void> {
  const { verdicts, ledger, retry, timed, authCheck } = state;
  const again = openChecks(state, round);
  if (again.length === 0) return;
  ledger.settle();
  const isOut = await retry.startAnew();
  timed.forget();
  authCheck.forgetUnreachable();
  await executeAll(state, again);
  const isSettling = (round === 1 && !isOut) || again.some(({ check }) => !verdicts.isOpen(check));
  if (isSettling && round < mostRetries) await retryInconclusive(state, round + 1);
}

/**
 * Executes the plan, and what is inconclusive again, between the two parts of the charge audit.
 * @param onAudit called once the first part is done
 */
async function executePlan(state: RunState, onAudit: () => void): Promise<void> {
  const { plan, options, preflight, probeAnswers, deadline, verdicts, ledger, publish } = state;
  const { suite, target } = options;
  const { ended } = await preflight.run();
  const audit = ended ? null : await openAudit(suite, contextIn(state, null, auditNeeds), plan, target);
  if (audit) onAudit();
  await executeAll(state, [...plan.checks, ...(ended ? [] : plan.probes)]);
  probeAnswers.reportUnjudged(publish);
  if (ended || deadline.why() !== null) return;
  await retryInconclusive(state);
  await closeAudit(audit, { verdicts, ledger, onEvent: publish });
}

/** Emits what the run as a whole shows, and all verdicts that weren't emitted before. */
async function concludeRun(state: RunState): Promise<readonly Verdict[]> {
  const { options, verdicts: judged, verdictEvents, ledger, transport, publish } = state;
  const remarks = (await options.suite.remarks?.(contextIn(state, null))) ?? [];
  if (remarks.length > 0) publish({ event: "remarks", sentences: remarks });
  // Other commands of this machine are known to the end, also of a run that was cut short.
  withdrawUsed({ verdicts: judged, onEvent: publish }, options.target.others?.projects() ?? []);
  const verdicts = verdictEvents.emit([...new Set([...idsIn(state), ...ledger.brokenIds])]);
  const reason = cutShortBy(transport.budgetRefusals, verdicts);
  if (reason !== null) publish({ event: "cutShort", reason });
  return verdicts;
}

interface Left {
  /** Ids of the probes that have observed. */
  readonly observed: ReadonlySet<string>;
  readonly isAuditOpen: boolean;
}

/** Concludes a run whose checks have all run, without the observations that are left and the end of the audit. */
function concludeObserving(state: RunState, { observed, isAuditOpen }: Left): Promise<readonly Verdict[]> {
  const { plan, options, publish } = state;
  if (isAuditOpen) publish({ event: "audit", audit: { entries: [], reason: "the run ended before it was closed" } });
  for (const { probe } of plan.probes)
    if (!observed.has(probe.id)) {
      const features = offeredOf(probe, options.target);
      const reasons = [{ kind: "notReached" }] as const;
      publish({
        event: "observation",
        observation: { id: probe.id, features, state: "withheld", values: [], reasons },
      });
    }
  return concludeRun(state);
}

/** Works one after another. */
function newQueue() {
  let last: Promise<unknown> = Promise.resolve();
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}

/** Plans a run; nothing is sent before `judge` or `run`, so that who listens to its events misses none. */
export function openEngine(options: EngineOptions): Engine {
  const state = openRunState(options);
  const { events, plan, transport, verdicts, verdictEvents, ledger, deadline } = state;
  const inTurn = newQueue();
  const observed = new Set<string>();
  let isAuditOpen = false;
  events.on((event) => {
    if (event.event === "audit") isAuditOpen = false;
    if (event.event === "observation") observed.add(event.observation.id);
  });
  return {
    events,
    plan,
    get spent() {
      return transport.spent;
    },
    get ids() {
      return idsIn(state);
    },
    get judgedIds() {
      return [...new Set([...idsIn(state).filter((id) => verdicts.isDone(id)), ...ledger.brokenIds])];
    },
    get isObserving() {
      return plan.checks.every(({ check }) => verdicts.outcomesOf(check)) && openChecks(state, 1).length === 0;
    },
    stopObserving: () => concludeObserving(state, { observed, isAuditOpen }),
    verdict: (id) => verdicts.of(id),
    judge: (id) => inTurn(() => judge(state, id)),
    run: async () => {
      verdictEvents.begin();
      deadline.begin();
      await inTurn(() =>
        executePlan(state, () => {
          isAuditOpen = true;
        }),
      );
      return concludeRun(state);
    },
  };
}
