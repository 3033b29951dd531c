// The plan of a run in words: what it tests, its cost and duration, and what it can't test.
import { needsChain, sourceOf } from "../contracts/bundles/chainRpc.ts";
import { mostLamports } from "../contracts/bundles/funds.ts";
import { defaultGeneration } from "../harness/core/generation.ts";
import { describeReason } from "../harness/core/reason.ts";
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

/** The first line is the plan in one sentence; the others say what runs alone, what can't be tested, and why. */
export async function planLines(
  target: Target,
  plan: Plan,
  { generation = defaultGeneration(target), load = null, seconds }: PlanParts = {},
): Promise<readonly string[]> {
  const { tried, checks, probes, sends, resends } = plan;
  const bundles =
    sends.calls > 0
      ? ` · at most ${counted(sends.calls, "bundle")}, ` +
        (resends > 0 ? `${counted(resends, "repeat")} of those refused for their rate, ` : "") +
        `${counted(mostLamports(target, sends), "lamport")} from the payer` +
        (needsChain(target) ? `, blockhashes of ${sourceOf(target)}` : "")
      : "";
  const under = load?.lacks === null ? load.plan : null;
  const cost = costOfPlan(plan, load);
  const isSeeded = checks.some(({ check, unmetNeed }) => check.needs.generates && unmetNeed === null);
  const bases = [...new Set(Object.values(target.bases))].join(", ");
  const lacking = [
    ...unmetNeedsIn(plan, target).map(({ id: name, unmetNeed }) => ({ name, unmetNeed })),
    ...(load && load.lacks !== null ? [{ name: load.plan.shape.name, unmetNeed: load.lacks }] : []),
  ];
  const unobserved = groupedBy(
    probes.filter(({ unmetNeed }) => unmetNeed !== null),
    ({ unmetNeed }) => (unmetNeed ? describeReason(unmetNeed) : ""),
  );
  const observed = probes.filter(({ unmetNeed }) => unmetNeed === null).length;
  return [
    [
      "assay run",
      `${target.name} (${bases})`,
      `${counted(tried.length, "requirement")} planned`,
      `at most ${counted(cost.requests, "request")}, ${costText(cost)}${bundles}`,
      ...(observed ? [counted(observed, "unspecified behaviour")] : []),
      ...(under ? [under.shape.name] : []),
      ...(isSeeded ? [`seed ${generation.seed}`] : []),
      `about ${durationText(seconds ?? (await secondsOfRun(target, plan, { generation, load })))}`,
    ].join(" · "),
    ...samplesLines(
      plan.samples,
      plan.searches.flatMap(({ at }) => at),
    ),
    ...reasonsToRunAlone.flatMap(([resource, reason]) => {
      const count = countOf(resource, plan, target);
      return count > 0 ? [`run alone: ${counted(count, "check or probe", "checks and probes")}: ${reason}`] : [];
    }),
    ...[...groupedBy(lacking, ({ unmetNeed }) => describeReason(unmetNeed))].map(
      ([reason, some]) => `not tested: ${reason}: ${[...new Set(some.map(({ name }) => name))].join(", ")}`,
    ),
    ...[...unobserved].map(
      ([reason, some]) => `not observed: ${reason}: ${some.map(({ probe }) => probe.id).join(", ")}`,
    ),
  ];
}
