// A load from its preflight to its report

import { realClock } from "../../harness/core/clock.ts";
import { describeReason, type Reason } from "../../harness/core/reason.ts";
import type { LoadPartReport, LoadReport } from "../../harness/record/load.ts";
import { type Spent, totalSpent } from "../../harness/targets/budget.ts";
import type { Target } from "../../harness/targets/target.ts";
import { transportTo } from "../../harness/transport/transport.ts";
import type { Wire } from "../../harness/transport/wire.ts";
import type { K6 } from "../k6/ensure.ts";
import { type Phase, requestsInPhases } from "../shapes/shapes.ts";
import { boundsOf, doubtOn, findingsOf, kneeOf, lagOf, phasesOf } from "./findings.ts";
import { behindOthers, otherUnmetNeeds } from "./lacks.ts";
import { loadProfileOf } from "./loadProfile.ts";
import type { LoadSuite } from "./mix.ts";
import type { LoadPart } from "./parts.ts";
import type { LoadPlan } from "./plan.ts";
import { preflight } from "./preflight.ts";
import { usualStop } from "./stopping.ts";
import {
  allHere,
  sendTogether,
  sendTraffic,
  type TrafficOptions,
  type TrafficPlan,
  type TrafficSending,
} from "./traffic.ts";

export interface Performance extends TrafficOptions {
  readonly k6: K6;
  readonly target: Target;
  readonly plan: LoadPlan;
  readonly suite: LoadSuite;
  readonly wire: Wire;
  readonly impliedFails: boolean;
  /** How many generators send it, all on this machine; one by default. */
  readonly parts?: number;
  /** The number of the first whole exchange, awaited when k6 has ended; 1 by default. */
  readonly firstNumber?: number | Promise<number>;
}

export type Performed = Awaited<ReturnType<typeof perform>>;

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

/**
 * Sends parts of a load after a preflight.
 * @param ordered all parts by default, as soon as they can begin together
 * @throws Inconclusive where the preflight failed
 */
export async function sendParts(performance: Performance, ordered?: TrafficSending) {
  const { k6, target, suite, wire, plan } = performance;
  const transport = transportTo(target, wire, realClock);
  const shares = await preflight(target, plan.mix.shares, suite.authSanityChecks, transport, realClock);
  const traffic: TrafficPlan = {
    phases: plan.phases,
    shares,
    seed: plan.seed,
    script: suite.script,
    // Ten times what a knee allows: the next step would double the rate.
    stop: { ...usualStop, ...(plan.shape.isBeyondPace ? { failedShare: 0.1 } : {}), ...loadProfileOf(target).stop },
  };
  /** With the key in the carrier that each API accepts. */
  const ready = { ...plan, mix: { ...plan.mix, shares } };
  const parts = await sendTraffic(k6, target, traffic, ordered ?? allHere(performance.parts ?? 1), performance);
  return { parts, plan: ready, before: transport.spent };
}

/** A load by one generator, or by several on this machine. @throws Inconclusive where the preflight or k6 failed */
export async function perform(performance: Performance) {
  const sent = await sendParts(performance);
  const generator = `k6 ${performance.k6.version}`;
  return judgedLoad(sent.parts, { ...performance, ...sent, generator, first: await performance.firstNumber });
}

export interface LoadJudging extends Pick<Performance, "target" | "plan" | "suite" | "impliedFails"> {
  /** E.g. `k6 2.2.0`. */
  readonly generator: string;
  /** What was spent on preflights. */
  readonly before: Spent;
  readonly first?: number | undefined;
  /** What is lacking besides what the parts say, as sentences without full stops. */
  readonly lacks?: readonly string[];
}

/** What all parts of a load show together. @throws Inconclusive where the only one failed */
export async function judgedLoad(parts: readonly LoadPart[], judging: LoadJudging) {
  const { target, plan, suite, impliedFails, generator, before, first } = judging;
  const { phases: planned, shape, mix, byK6 } = plan;
  const { isBeyondPace } = shape;
  const traffic = await sendTogether(target, { phases: planned, shares: mix.shares }, parts, first);
  const { tally, summary, shown, stopped } = traffic;
  const isInParts = parts.some(({ of }) => of > 1);
  const lacks = [...(judging.lacks ?? []), ...(isInParts ? otherUnmetNeeds(parts, planned, isBeyondPace) : [])];
  const phases = phasesOf(planned, traffic);
  const doubt = doubtOn({ ...traffic, lacks }, phases, isBeyondPace);
  const { verdicts, disagreement } = findingsOf(shown, { target, suite, clock: realClock, impliedFails, doubt });
  const { lag, doubt: saturation } = lagOf(traffic, isBeyondPace);
  // A generator that stalled, or one that is missing, makes latencies that aren't the platform's.
  const latencies = lag === null && lacks.length === 0 ? tally.latencies() : [];
  // Requests that were planned but not sent cost nothing.
  const sent = Math.max(tally.requests, summary.requests);
  const share = byK6.requests === 0 ? 0 : sent / byK6.requests;
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
    bounds: boundsOf(target, latencies),
    knee: isBeyondPace && lacks.length === 0 ? kneeOf(phases, stopped) : null,
    ...(stopped === null ? {} : { stopped: stopped.reason }),
    ...(lag === null ? {} : { lag }),
    ...(isInParts ? { parts: partReportsOf(parts, planned) } : {}),
    ...doubtedFor(doubt ?? disagreement ?? saturation),
  };
  const spent = totalSpent([
    before,
    { requests: sent, credits: Math.round(byK6.credits * share), unpriced: Math.round(byK6.unpriced * share) },
  ]);
  const pages = parts.map(({ page }) => page);
  return { report, verdicts, exchanges: shown.map(({ exchange }) => exchange), spent, pages };
}

function partReportsOf(parts: readonly LoadPart[], phases: readonly Phase[]): readonly LoadPartReport[] {
  const behind = behindOthers(parts);
  return parts.map((part, at) => ({
    nth: part.nth,
    of: part.of,
    planned: Math.round(requestsInPhases(phases) / part.of),
    begun: part.begun.count,
    dropped: part.summary?.droppedIterations ?? 0,
    beganAt: part.beganAt_ms === null ? null : new Date(part.beganAt_ms).toISOString(),
    behind_ms: behind[at] ?? null,
    failure: part.failure,
  }));
}
