// The plan of a run in words: what it tests, its cost and duration, and what it can't test.
import { needsChain, sourceOf } from "../contracts/bundles/chainRpc.ts";
import { mostLamports } from "../contracts/bundles/funds.ts";
import { defaultGeneration } from "../harness/core/generation.ts";
import { describeReason, type UnmetNeed } from "../harness/core/reason.ts";
import { type ForecastOptions, secondsOf as secondsFor } from "../harness/engine/forecast.ts";
import { countOf, lockNames } from "../harness/engine/jobs.ts";
import { type Plan, unmetNeedsIn } from "../harness/engine/plan.ts";
import { type Spent, totalSpent } from "../harness/targets/budget.ts";
import type { Target } from "../harness/targets/target.ts";
import { secondsOfPhases } from "../load/shapes/shapes.ts";
import { groupedBy } from "../reports/lists.ts";
import { counted, durationText } from "../reports/numbers.ts";
import { explainedCreditsText as costText, samplesLines } from "../reports/sentences.ts";
import type { PlannedLoad } from "./underLoad.ts";

interface PlanParts extends ForecastOptions {
  /** The load beside the run; null where there is none. */
  readonly load?: PlannedLoad | null;
  readonly seconds?: number;
}

/** The cost of a run, its load included. */
export const costOfPlan = (plan: Pick<Plan, keyof Spent>, load: PlannedLoad | null): Spent =>
  totalSpent([plan, ...(load?.lacks === null ? [load.plan.cost] : [])]);

/** How long the run takes, its load included. */
export async function secondsOfRun(
  target: Target,
  { checks, probes }: Plan,
  { load = null, ...options }: PlanParts = {},
): Promise<number> {
  const seconds = await secondsFor([...checks, ...probes], target, options);
  return Math.ceil(Math.max(seconds, load?.lacks === null ? secondsOfPhases(load.plan.phases) : 0));
}

/** Why little else runs beside what writes a resource. */
const reasonsToRunAlone: readonly (readonly [resource: string, reason: string])[] = [
  [lockNames.counting, "their calls are counted, so nothing else may use the same projects"],
  [
    lockNames.sharedLimits,
    "they exceed limits that may count all requests of a project, so nothing else is sent there",
  ],
  [lockNames.rateLimits, "they measure a rate for a long time, so usage isn't read and only other projects are called"],
  [lockNames.answers, "they would disturb others, or read the answers of all others"],
];

/** What a run would do, for people and for programs. */
export interface PrintedPlan {
  readonly target: string;
  readonly bases: readonly string[];
  /** With at least one check that runs. */
  readonly requirements: readonly string[];
  /** At most. */
  readonly cost: Spent;
  readonly bundles: PlannedBundles | null;
  /** How many unspecified behaviours are observed. */
  readonly observed: number;
  /** The shape of the load beside it. */
  readonly load: string | null;
  /** Of generated cases. */
  readonly seed: number | null;
  readonly seconds: number;
  readonly samples: Plan["samples"];
  /** Pointers of samples that are looked for when they are needed. */
  readonly sought: readonly string[];
  /** How many checks and probes run alone, and why. */
  readonly alone: readonly { readonly checks: number; readonly why: string }[];
  readonly untested: readonly Lacking[];
  readonly unobserved: readonly Lacking[];
}

interface PlannedBundles {
  readonly calls: number;
  readonly resends: number;
  readonly lamports: number;
  readonly blockhashesOf: string | null;
}

interface Lacking {
  readonly why: string;
  /** Requirements, unspecified behaviours, or the shape of a load. */
  readonly ids: readonly string[];
}

const lackingOf = (all: readonly { readonly id: string; readonly unmetNeed: UnmetNeed }[]): readonly Lacking[] =>
  [...groupedBy(all, ({ unmetNeed }) => describeReason(unmetNeed))].map(([why, some]) => ({
    why,
    ids: [...new Set(some.map(({ id }) => id))],
  }));

export async function plannedRun(
  target: Target,
  plan: Plan,
  { generation = defaultGeneration(target), load = null, seconds }: PlanParts = {},
): Promise<PrintedPlan> {
  const { tried, checks, probes, sends, resends } = plan;
  const blockhashesOf = needsChain(target) ? sourceOf(target) : null;
  const isSeeded = checks.some(({ check, unmetNeed }) => check.needs.generates && unmetNeed === null);
  return {
    target: target.name,
    bases: [...new Set(Object.values(target.bases))],
    requirements: tried,
    cost: costOfPlan(plan, load),
    bundles:
      sends.calls > 0 ? { calls: sends.calls, resends, lamports: mostLamports(target, sends), blockhashesOf } : null,
    observed: probes.filter(({ unmetNeed }) => unmetNeed === null).length,
    load: load?.lacks === null ? load.plan.shape.name : null,
    seed: isSeeded ? generation.seed : null,
    seconds: Math.ceil(seconds ?? (await secondsOfRun(target, plan, { generation, load }))),
    samples: plan.samples,
    sought: plan.searches.flatMap(({ at }) => at),
    alone: reasonsToRunAlone.flatMap(([resource, why]) => {
      const count = countOf(resource, plan, target);
      return count > 0 ? [{ checks: count, why }] : [];
    }),
    untested: lackingOf([
      ...unmetNeedsIn(plan, target),
      ...(load && load.lacks !== null ? [{ id: load.plan.shape.name, unmetNeed: load.lacks }] : []),
    ]),
    unobserved: lackingOf(
      probes.flatMap(({ probe: { id }, unmetNeed }) => (unmetNeed === null ? [] : [{ id, unmetNeed }])),
    ),
  };
}

/** The first line is the plan in one sentence; the others say what runs alone, what can't be tested, and why. */
export function planLines(planned: PrintedPlan): readonly string[] {
  const { cost, bundles, observed, load, seed, alone, untested, unobserved } = planned;
  const sent = bundles
    ? ` · at most ${counted(bundles.calls, "bundle")}, ` +
      (bundles.resends > 0 ? `${counted(bundles.resends, "repeat")} of those refused for their rate, ` : "") +
      `${counted(bundles.lamports, "lamport")} from the payer` +
      (bundles.blockhashesOf === null ? "" : `, blockhashes of ${bundles.blockhashesOf}`)
    : "";
  return [
    [
      "assay run",
      `${planned.target} (${planned.bases.join(", ")})`,
      `${counted(planned.requirements.length, "requirement")} planned`,
      `at most ${counted(cost.requests, "request")}, ${costText(cost)}${sent}`,
      ...(observed ? [counted(observed, "unspecified behaviour")] : []),
      ...(load === null ? [] : [load]),
      ...(seed === null ? [] : [`seed ${seed}`]),
      `about ${durationText(planned.seconds)}`,
    ].join(" · "),
    ...samplesLines(planned.samples, planned.sought),
    ...alone.map(({ checks, why }) => `run alone: ${counted(checks, "check or probe", "checks and probes")}: ${why}`),
    ...untested.map(({ why, ids }) => `not tested: ${why}: ${ids.join(", ")}`),
    ...unobserved.map(({ why, ids }) => `not observed: ${why}: ${ids.join(", ")}`),
  ];
}
