// A load from its preflight to its report
import { realClock } from "../../harness/core/clock.ts";
import type { LoadReport } from "../../harness/record/load.ts";
import { sumOf } from "../../harness/target/budget.ts";
import type { Target } from "../../harness/target/target.ts";
import { transportTo } from "../../harness/transport/transport.ts";
import type { Wire } from "../../harness/transport/wire.ts";
import type { K6 } from "../k6/ensure.ts";
import { boundsOf, doubtOn, findingsOf, kneeOf, lagOf, phasesOf } from "./findings.ts";
import type { LoadSuite } from "./mix.ts";
import type { LoadPlan } from "./plan.ts";
import { preflight } from "./preflight.ts";
import { usualStop } from "./stopping.ts";
import { drive, type Options } from "./traffic.ts";

export interface Performance extends Options {
  readonly k6: K6;
  readonly target: Target;
  readonly plan: LoadPlan;
  readonly suite: LoadSuite;
  readonly wire: Wire;
  readonly impliedFails: boolean;
}

export type Performed = Awaited<ReturnType<typeof perform>>;

/** The report of a load without results: inconclusive, or withheld for lack of a generator. */
export const emptyReport = (
  plan: LoadPlan,
  generator: string,
  { doubt = null, withheld = null }: Partial<Pick<LoadReport, "doubt" | "withheld">>,
): LoadReport => ({
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
  doubt,
  withheld,
  left: plan.mix.left,
});

/** @throws Inconclusive where the preflight or k6 failed */
export async function perform(performance: Performance) {
  const { k6, target, plan, suite, wire, impliedFails } = performance;
  const transport = transportTo(target, wire, realClock);
  const shares = await preflight(target, plan.mix.shares, suite.authSanityChecks, transport, realClock);
  const { phases: planned, seed } = plan;
  // Ten times what a knee allows: the next step would double the rate.
  const stop = { ...usualStop, ...(plan.shape.isBeyondPace ? { failedShare: 0.1 } : {}), ...target.load.stop };
  const traffic = await drive(k6, target, { phases: planned, shares, seed, script: suite.script, stop }, performance);
  const { tally, summary, shown, stopped } = traffic;
  const phases = phasesOf(planned, traffic);
  const doubt = doubtOn(traffic, phases, plan.shape.isBeyondPace);
  const { verdicts, disagreement } = findingsOf(shown, { target, suite, clock: realClock, impliedFails, doubt });
  const { lag, doubt: saturation } = lagOf(traffic, plan.shape.isBeyondPace);
  const latencies = lag === null ? tally.latencies() : [];
  const { requests, credits, unpriced } = plan.byK6;
  // Requests that were planned but not sent cost nothing.
  const sent = Math.max(tally.requests, summary.requests);
  const share = requests === 0 ? 0 : sent / requests;
  const report: LoadReport = {
    ...emptyReport(plan, `k6 ${k6.version}`, {}),
    phases,
    dropped: summary.droppedIterations,
    judged: tally.judged,
    broken: target.interface.requirements.flatMap(({ id }) => {
      const times = tally.broken.get(id);
      return times === undefined ? [] : [{ id, times }];
    }),
    latencies,
    bounds: boundsOf(target, latencies),
    knee: plan.shape.isBeyondPace ? kneeOf(phases, stopped) : null,
    ...(stopped === null ? {} : { stopped: stopped.reason }),
    ...(lag === null ? {} : { lag }),
    doubt: doubt ?? disagreement ?? saturation,
  };
  const spent = sumOf([
    transport.spent,
    { requests: sent, credits: Math.round(credits * share), unpriced: Math.round(unpriced * share) },
  ]);
  return { report, verdicts, exchanges: shown.map(({ exchange }) => exchange), spent, dashboard: traffic.dashboard };
}
