// The report of a load: what was counted of it, without what makes it inconclusive
import { type OperationId, operationOf, sharedLimitOf } from "../../harness/core/interface.ts";
import { describeReason, type Reason } from "../../harness/core/reason.ts";
import type { LoadReport } from "../../harness/record/load.ts";
import { type Spent, totalSpent } from "../../harness/targets/budget.ts";
import type { Target } from "../../harness/targets/target.ts";
import { boundsOf, kneeOf, lagOf, phasesOf } from "./findings.ts";
import type { LoadSuite } from "./mix.ts";
import type { LoadPlan } from "./plan.ts";
import type { Traffic } from "./traffic.ts";

export interface LoadReporting {
  readonly target: Target;
  readonly plan: LoadPlan;
  readonly suite: LoadSuite;
  readonly impliedFails: boolean;
  /** E.g. `k6 2.2.0`. */
  readonly generator: string;
  /** What was spent on preflights. */
  readonly before: Spent;
}

type Counted = Pick<Traffic, "tally" | "summary" | "stopped">;

/** As a report says why its load is inconclusive: nothing where it isn't. */
export const doubtedFor = (reason: Reason | null): Pick<LoadReport, "doubt" | "reason"> =>
  reason === null ? { doubt: null } : { doubt: describeReason(reason), reason };

/** The report of a load without results. */
export const emptyReport = (plan: LoadPlan, generator: string): LoadReport => ({
  shape: plan.shape.name,
  generator,
  seed: plan.seed,
  phases: plan.phases.map((phase) => ({ ...phase, requests: 0, served: 0, limited: 0, failed: 0, p95_ms: null })),
  dropped: 0,
  judged: 0,
  broken: [],
  latencies: [],
  bounds: [],
  knee: null,
  doubt: null,
  withheld: null,
  left: plan.mix.left,
});

interface Measuring {
  /** Whether it is all of the load that was ordered. */
  readonly isComplete: boolean;
  /** Why its parts weren't sent together; null where they were. */
  readonly untimely: Reason | null;
}

const limitIn =
  ({ interface: tables }: Pick<Target, "interface">) =>
  (operation: OperationId): string =>
    sharedLimitOf(tables, operationOf(tables, operation)?.api ?? operation, operation);

export function countedReport(
  { target, plan, generator }: Pick<LoadReporting, "target" | "plan" | "generator">,
  counted: Counted,
  { isComplete, untimely }: Measuring,
) {
  const { tally, summary, stopped } = counted;
  const { isBeyondPace } = plan.shape;
  const phases = phasesOf(plan.phases, counted);
  const { lag, doubt: saturation } = lagOf(counted, isBeyondPace);
  const overTime = tally.overTime();
  // Latencies under another rate, or of a generator that stalled, aren't those that were asked for.
  const unmeasured = untimely ?? (lag === null ? null : ({ kind: "generator", detail: lag } as const));
  const isMeasured = isComplete && unmeasured === null;
  const latencies = isMeasured ? tally.latencies() : [];
  const latency = isMeasured ? tally.latency() : null;
  const report: LoadReport = {
    ...emptyReport(plan, generator),
    phases,
    dropped: summary.droppedIterations,
    judged: tally.judged,
    broken: target.interface.requirements.flatMap(({ id }) => {
      const times = tally.broken.get(id);
      return times === undefined ? [] : [{ id, times }];
    }),
    latencies,
    ...(latency === null ? {} : { latency }),
    ...(overTime.length > 0 ? { overTime, byLimit: tally.byLimit(limitIn(target)) } : {}),
    bounds: boundsOf(target, latencies),
    // A load that somebody ended says nothing of its last step.
    knee: isBeyondPace && isMeasured && (stopped?.isAutomatic ?? true) ? kneeOf(phases, stopped) : null,
    ...(unmeasured === null ? {} : { lag: describeReason(unmeasured), lagReason: unmeasured }),
  };
  return { report, saturation, unmeasured };
}

/** Requests that were planned but not sent cost nothing. */
export function spentBy(
  { plan: { byK6 }, before }: Pick<LoadReporting, "plan" | "before">,
  { tally, summary }: Pick<Counted, "tally" | "summary">,
): Spent {
  const requests = Math.max(tally.requests, summary.requests);
  const share = byK6.requests === 0 ? 0 : requests / byK6.requests;
  const { credits, unpriced } = byK6;
  return totalSpent([
    before,
    { requests, credits: Math.round(credits * share), unpriced: Math.round(unpriced * share) },
  ]);
}
