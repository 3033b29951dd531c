// Executing: runs one check or probe of a run, and records what it found.
import type { Feature } from "../core/interface.ts";
import { BudgetSpent } from "../core/outcomes.ts";
import type { Reason } from "../core/reason.ts";
import { type Check, type CheckContext, citedBy, type Needs } from "../model/check.ts";
import type { Observed } from "../model/probe.ts";
import { contextFor } from "./contexts.ts";
import type { Planned, PlannedCheck, PlannedProbe } from "./jobs.ts";
import { observe } from "./observing.ts";
import { isPlanned } from "./plan.ts";
import type { RunState } from "./runState.ts";
import { type Outcomes, outcomeOfError, outcomesFor } from "./verdicts.ts";

/** What a check may do in a run, or the run itself. */
export function contextIn(
  state: RunState,
  check: Check | null,
  needs: Partial<Needs> = check?.needs ?? {},
): CheckContext {
  const { plan, options, healthChecks, transport, deadline, publish } = state;
  const { target, generation, clock } = options;
  const context = contextFor(check, needs, {
    ...state,
    target,
    generation,
    clock,
    onWait: (wait) => publish({ event: "waiting", ...wait }),
    carried: (requestSpec) => healthChecks.carried(requestSpec),
    elsewhere: transport.order,
    mostSends: plan.sends,
    isRunnable: async (asked) => {
      const other = plan.checks.find((planned) => planned.check === asked)?.check;
      return isPlanned(plan, asked) && (!other || (await lackIn(state, other)) === null);
    },
  });
  return deadline.limited(context);
}

/** What the run lacks for the check; null where it has all that it needs. */
async function lackIn(state: RunState, check: Check): Promise<Outcomes | null> {
  const reason = state.preflight.doubtOf(check);
  return reason === null
    ? state.sampleDiscovery.withheld(check, () => contextIn(state, null))
    : outcomesFor(check, { is: "inconclusive", reason });
}

/** Why a check isn't tried; null where it is. */
async function obstacleTo(state: RunState, { check, unmetNeed }: PlannedCheck): Promise<Outcomes | null> {
  const reason = unmetNeed ?? state.deadline.why();
  if (reason !== null) return outcomesFor(check, { is: "withheld", reason });
  const lack = await lackIn(state, check);
  if (lack) return lack;
  const doubt = await state.authCheck.distinguish(check.feature);
  if (doubt?.kind === "unreachable") return outcomesFor(check, { is: "inconclusive", reason: doubt.reason });
  // Don't pay for results that wouldn't count.
  return doubt && check.needs.sends ? outcomesFor(check, { is: "withheld", reason: doubt.reason }) : null;
}

async function outcomesOf(state: RunState, planned: PlannedCheck): Promise<Outcomes> {
  const { ledger, assumptions, retry, verdicts, options } = state;
  const { check } = planned;
  try {
    const obstacle = await obstacleTo(state, planned);
    if (obstacle) return obstacle;
    ledger.begin(check);
    const shown = assumptions.settledOf(await check.run(contextIn(state, check)));
    // What counts calls would count those that are sent again; it repeats what it measures by itself.
    const others = check.when === "alone" ? [] : ledger.exchangesOf(check);
    for (const { finding, exchange } of shown)
      if (finding.outcome === "broken") await retry.confirmBreach(exchange, check, others);
    return ledger.conclude(check, shown);
  } catch (error) {
    // Without budget for a retry the earlier outcomes stay.
    const before = verdicts.outcomesOf(check);
    if (error instanceof BudgetSpent && before) return before;
    return outcomesFor(check, outcomeOfError(error, options.target.redact));
  }
}

export async function executeCheck(state: RunState, planned: PlannedCheck): Promise<void> {
  const { verdicts, verdictEvents, ledger, isWanted } = state;
  verdicts.record(planned.check, await outcomesOf(state, planned));
  verdictEvents.emitNew(ledger.brokenIds);
  verdictEvents.emit(citedBy(planned.check).filter((id) => isWanted(id) && verdicts.isDone(id)));
}

/** Why nothing was observed, where one odd answer is enough. */
const oddly: readonly Reason["kind"][] = ["notReproducible", "doubtful", "ownerUnanswered"];

const isOdd = ({ reasons }: Observed): boolean => reasons.some(({ kind }) => oddly.includes(kind));

async function executeProbe(state: RunState, planned: PlannedProbe): Promise<void> {
  const { probeAnswers, authCheck, options, isolate, projects, deadline, retry, publish, lastinglyOdd } = state;
  const { features, when, needs } = planned.probe;
  const host = {
    ...probeAnswers.judging(contextIn(state, null, needs)),
    doubtOn: async (feature: Feature) => (await authCheck.distinguish(feature))?.reason ?? null,
    handshake: options.handshake,
    ...(isolate ? { isolated: () => projects.isolated() } : {}),
  };
  const observed = (): Promise<Observed> =>
    observe({ ...planned, unmetNeed: planned.unmetNeed ?? deadline.why() }, host);
  let observation = await observed();
  // What was answered well is remembered; what sends, counts calls or trips limits isn't repeated.
  const mayRepeat =
    !["alone", "isolated"].includes(when) && !needs.sends && !features.some((feature) => lastinglyOdd.has(feature));
  if (mayRepeat && isOdd(observation)) {
    retry.forgetFailures();
    authCheck.forgetUnreachable();
    observation = await observed();
    if (isOdd(observation)) for (const feature of features) lastinglyOdd.add(feature);
  }
  publish({ event: "observation", observation });
}

export const execute = (state: RunState, planned: Planned): Promise<void> =>
  "check" in planned ? executeCheck(state, planned) : executeProbe(state, planned);
