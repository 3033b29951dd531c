// A load from plan to report: consent, budget and preflight come before any traffic
import { realClock } from "../../harness/core/clock.ts";
import { CommandLineError } from "../../harness/core/commandLineError.ts";
import type { LoadReport } from "../../harness/record/load.ts";
import { priceOf, type Spent, spentOn, sumOf } from "../../harness/target/budget.ts";
import type { Target } from "../../harness/target/target.ts";
import { transportTo } from "../../harness/transport/transport.ts";
import type { Wire } from "../../harness/transport/wire.ts";
import type { K6 } from "../k6/ensure.ts";
import type { Phase, Shape } from "../shapes/shapes.ts";
import { boundsOf, doubtOn, findingsOf, kneeOf, lagOf, phasesOf } from "./findings.ts";
import { type LoadSuite, type Mix, mixFor, perSecondOf, scaledTo, staysHere } from "./mix.ts";
import { preflight, preflightRequests } from "./preflight.ts";
import { usualStop } from "./stopping.ts";
import { drive, type Options, requestsOf, secondsOf } from "./traffic.ts";

export interface LoadPlan {
  readonly shape: Shape;
  readonly mix: Mix;
  readonly phases: readonly Phase[];
  readonly seed: number;
  /** The cost of all requests, at most. */
  readonly cost: Spent;
  /** The cost of k6's requests; the rest is the preflight. */
  readonly byK6: Spent;
}

interface Wanted {
  readonly suite: Pick<LoadSuite, "reads" | "authSanityChecks">;
  readonly seconds?: number;
  readonly perSecond?: number;
  readonly seed: number;
}

/** Requests, rates and cost of a load. @throws CommandLineError where the target doesn't allow it */
export function planLoad(target: Target, shape: Shape, wanted: Wanted): LoadPlan {
  if (!mayLoad(target, shape)) {
    const why = staysHere(target) ? "passes its limits on purpose with this shape" : "is not on this machine";
    throw new CommandLineError(
      `The load on ${target.name} ${why}, and the target doesn't allow load. ` +
        "Write `allow: [load]` into its file if its operator agrees.",
    );
  }
  const { suite, seed } = wanted;
  const whole = mixFor(target, suite.reads);
  // Beyond the pace they would only be refused.
  const others = whole.shares.filter(({ apiMost_perSecond: most }) => most === null);
  const mix = shape.isBeyondPace && others.length > 0 ? { ...whole, shares: others } : whole;
  if (mix.shares.length === 0) {
    const reasons = mix.left.map(({ operation, reason }) => `${operation}: ${reason}`).join("; ");
    throw new CommandLineError(`No operation of ${target.name} can be called under load: ${reasons}.`);
  }
  const allowed = target.load.perSecond ?? perSecondOf(mix);
  const { perSecond = allowed, seconds = target.load.seconds[shape.name] ?? shape.usualSeconds } = wanted;
  if (perSecond > allowed) {
    throw new CommandLineError(
      `--rate is ${perSecond} requests per second, and ${target.name} allows ${rounded(allowed)} at most. ` +
        "Name a lower one, or raise load.perSecond in the target file if its operator agrees.",
    );
  }
  const shares = scaledTo(mix.shares, perSecond);
  const phases = shape.phases(perSecond, seconds);
  const byK6 = costOf(target, shares, phases);
  const cost = sumOf([
    byK6,
    ...preflightRequests(target, shares, suite.authSanityChecks).map((stimulus) => spentOn(target, stimulus)),
  ]);
  refuseBeyondBudget(target, cost, secondsOf(phases));
  return { shape, mix: { ...mix, shares }, phases, seed, cost, byK6 };
}

const mayLoad = (target: Target, shape: Shape): boolean =>
  target.isReference || target.allow.includes("load") || (staysHere(target) && !shape.isBeyondPace);

const rounded = (value: number): number => Math.round(value * 10) / 10;

function costOf(target: Target, shares: Mix["shares"], phases: readonly Phase[]): Spent {
  const [requests, together] = [requestsOf(phases), perSecondOf({ shares })];
  const costs = shares.map(({ operation, perSecond }): Spent => {
    const [count, price] = [Math.ceil((requests * perSecond) / together), priceOf(target, operation)];
    return { requests: count, credits: count * (price ?? 0), unpriced: price === null ? count : 0 };
  });
  return { ...sumOf(costs), requests };
}

function refuseBeyondBudget({ name, budget }: Target, { requests, credits }: Spent, seconds: number): void {
  for (const [what, wanted] of Object.entries({ requests, credits, seconds })) {
    const most = budget[what as keyof typeof budget];
    if (most !== undefined && wanted > most)
      throw new CommandLineError(
        `This load would take ${Math.ceil(wanted)} ${what}, and the budget of ${name} is ${most}. ` +
          `Shorten it with --duration, slow it down with --rate, or raise budget.${what} in the target file.`,
      );
  }
}

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
