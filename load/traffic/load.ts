// A load from its preflight to its report

import { realClock } from "../../harness/core/clock.ts";
import { describePartLack, isUntimely, type PartLack } from "../../harness/core/partLack.ts";
import type { Reason } from "../../harness/core/reason.ts";
import type { LoadPartReport, LoadReport } from "../../harness/record/load.ts";
import { transportTo } from "../../harness/transport/transport.ts";
import type { Wire } from "../../harness/transport/wire.ts";
import type { K6 } from "../k6/ensure.ts";
import { type Phase, requestsInPhases, secondsOfPhases } from "../shapes/shapes.ts";
import { doubtOn, doubtUnmeasured, findingsOf, reasonsOfParts } from "./findings.ts";
import { behindOthers, partLacksIn } from "./lacks.ts";
import { LiveFindings, type LoadListener } from "./live.ts";
import { loadProfileOf } from "./loadProfile.ts";
import type { LoadPart } from "./parts.ts";
import { preflight } from "./preflight.ts";
import { countedReport, doubtedFor, type LoadReporting, spentBy } from "./report.ts";
import { usualStop } from "./stopping.ts";
import {
  allHere,
  type ShownExchange,
  sendTogether,
  sendTraffic,
  type TrafficOptions,
  type TrafficPlan,
  type TrafficSending,
} from "./traffic.ts";

export interface Performance
  extends Omit<TrafficOptions, "onShown">,
    Pick<LoadReporting, "target" | "plan" | "suite" | "impliedFails"> {
  readonly k6: K6;
  readonly wire: Wire;
  /** How many generators send it, all on this machine; one by default. */
  readonly parts?: number;
  /** The number of the first whole exchange, awaited when k6 has ended; 1 by default. */
  readonly firstNumber?: number | Promise<number>;
  /** Hears of it while it is sent; then its exchanges have the numbers from 1. */
  readonly listener?: LoadListener;
}

export type Performed = Awaited<ReturnType<typeof perform>>;

/**
 * Sends parts of a load after a preflight.
 * @param ordered all parts by default, as soon as they can begin together
 * @throws Inconclusive where the preflight failed
 */
export async function sendParts(performance: Performance, ordered?: TrafficSending) {
  const { k6, target, suite, impliedFails, wire, plan, listener, onProgress = () => {} } = performance;
  const transport = transportTo({ ...target, budget: plan.preflight }, wire, realClock);
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
  const before = transport.spent;
  const reporting: LoadReporting = { target, plan: ready, suite, impliedFails, generator: `k6 ${k6.version}`, before };
  const live = listener ? new LiveFindings(reporting, listener) : null;
  const options: TrafficOptions = {
    ...performance,
    ...(live && { onShown: (shown, share) => live.add(shown, share) }),
    onProgress: (soFar) => {
      onProgress(soFar);
      live?.progress(soFar.tally);
    },
  };
  const parts = await sendTraffic(k6, target, traffic, ordered ?? allHere(performance.parts ?? 1), options);
  return { parts, reporting, ...(live && { shown: await live.all() }) };
}

/** A load by one generator, or by several on this machine. @throws Inconclusive where the preflight failed */
export async function perform(performance: Performance) {
  const { parts, reporting, shown } = await sendParts(performance);
  const first = await performance.firstNumber;
  return judgedLoad(parts, { ...reporting, ...(shown && { shown }), ...(first !== undefined && { first }) });
}

export interface LoadJudging extends LoadReporting {
  /** The number of the first whole exchange. */
  readonly first?: number;
  /** Whole exchanges, where they are known already. */
  readonly shown?: readonly ShownExchange[];
  /** What is lacking besides what the parts say. */
  readonly lacks?: readonly PartLack[];
}

/** What all parts of a load show together. */
export async function judgedLoad(parts: readonly LoadPart[], judging: LoadJudging) {
  const { target, plan, lacks: known = [] } = judging;
  const { isBeyondPace } = plan.shape;
  const traffic = await sendTogether(target, { phases: plan.phases, shares: plan.mix.shares }, parts, judging);
  const { shown, stopped, failure } = traffic;
  const isInParts = parts.some(({ of }) => of > 1);
  const lacks = [...known, ...(isInParts ? partLacksIn(parts, plan.phases, isBeyondPace) : [])];
  const { incomplete: ofParts, untimely } = reasonsOfParts(lacks);
  const incomplete = ofParts ?? (failure === null ? null : ({ kind: "generator", detail: failure } as const));
  const isComplete = incomplete === null;
  // What k6 had sent before it failed was sent in that time.
  const end = failure === null ? stopped : { reason: failure, after_s: traffic.tally.sentFor_s, isAutomatic: false };
  const measured = countedReport(judging, { ...traffic, stopped: end }, { isComplete, untimely });
  const { report: counted, saturation, unmeasured } = measured;
  // What was judged before somebody ended the load is judged.
  const ended = endOn(traffic, plan.phases);
  const doubt = ended ? null : doubtOn({ ...traffic, isComplete }, counted.phases, isBeyondPace);
  // Laws judge each answer by itself: it doesn't matter when it was sent, and what others there should have been.
  const untried = lacks.filter((lack) => !isUntimely(lack)).map(describePartLack);
  const { verdicts, disagreement } = findingsOf(shown, { ...judging, clock: realClock, doubt, untried });
  // Of a refusal that may be an edge's, k6 can't know that it says nothing of the platform.
  const broken = counted.broken.filter(({ id }) =>
    verdicts.some((verdict) => verdict.id === id && verdict.breaches.length > 0),
  );
  const ordered = { target, isBeyondPace, seconds: secondsOfPhases(plan.phases) };
  const report: LoadReport = {
    ...counted,
    broken,
    ...(stopped === null ? {} : { stopped: stopped.isAutomatic ? stopped.reason : `${stopped.reason} ended it` }),
    ...(isInParts ? { parts: partReportsOf(parts, plan.phases) } : {}),
    ...doubtedFor(
      ended ??
        incomplete ??
        doubt ??
        disagreement ??
        saturation ??
        (unmeasured && doubtUnmeasured(unmeasured, ordered)),
    ),
  };
  const exchanges = judging.shown ? [] : shown.map(({ exchange }) => exchange);
  const pages = parts.map(({ page }) => page);
  return {
    report,
    verdicts,
    /** Those of which no listener has heard. */
    exchanges,
    spent: spentBy(judging, traffic),
    pages,
  };
}

/** Why it was ended from outside; null where it wasn't. */
const endOn = (
  { stopped }: Pick<Awaited<ReturnType<typeof sendTogether>>, "stopped">,
  phases: readonly Phase[],
): Reason | null =>
  stopped === null || stopped.isAutomatic
    ? null
    : { kind: "loadEnded", by: stopped.reason, after_s: stopped.after_s, of_s: Math.round(secondsOfPhases(phases)) };

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
