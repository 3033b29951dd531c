// The plan of a load: its rates, its mix and its cost, where the target allows it

import { CommandLineError } from "../../harness/core/commandLineError.ts";
import { nothingSpent, priceOf, type Spent, spentOn, totalSpent } from "../../harness/targets/budget.ts";
import type { Target } from "../../harness/targets/target.ts";
import { type Phase, requestsInPhases, type Shape, secondsOfPhases } from "../shapes/shapes.ts";
import { loadProfileOf } from "./loadProfile.ts";
import { type LeftOut, type LoadSuite, type Mix, mixFor, perSecondOf, scaledTo, staysHere } from "./mix.ts";
import { preflightRequests } from "./preflight.ts";

export interface LoadPlan {
  readonly shape: Pick<Shape, "name" | "isBeyondPace">;
  readonly mix: Mix;
  readonly phases: readonly Phase[];
  readonly seed: number;
  /** The cost of all requests, at most. */
  readonly cost: Spent;
  /** The cost of k6's requests; the rest is the preflight, and what looks for samples before it. */
  readonly byK6: Spent;
  /** What the preflight of each machine may spend of the target's budget, where it asks again. */
  readonly preflight: Target["budget"];
}

interface Wanted {
  readonly suite: Pick<LoadSuite, "reads" | "authSanityChecks">;
  readonly seconds?: number;
  readonly perSecond?: number;
  /** How many machines send a part of it, each after a preflight of its own; one by default. */
  readonly machines?: number;
  readonly seed: number;
  /** What looking for samples costs; nothing by default. */
  readonly before?: Spent;
  readonly leftOut?: LeftOut;
}

/** Requests, rates and cost of a load. @throws CommandLineError where the target doesn't allow it */
export function planLoad(target: Target, shape: Shape, wanted: Wanted): LoadPlan {
  if (!mayLoad(target, shape)) {
    const why = staysHere(target) ? "passes its limits on purpose with this shape" : "is not on this machine";
    throw new CommandLineError(
      `The load on ${target.name} ${why}, and the target doesn't allow load. ` +
        "Add `allow: [load]` to its file if its operator agrees.",
    );
  }
  const { suite, seed, machines = 1, before = nothingSpent, leftOut } = wanted;
  const whole = mixFor(target, suite.reads, leftOut);
  // Beyond the pace they would only be refused.
  const others = whole.shares.filter(({ apiMost_perSecond: most }) => most === null);
  const mix = shape.isBeyondPace && others.length > 0 ? { ...whole, shares: others } : whole;
  if (mix.shares.length === 0) {
    const reasons = mix.left.map(({ operation, reason }) => `${operation}: ${reason}`).join("; ");
    throw new CommandLineError(`No operation of ${target.name} can be called under load: ${reasons}.`);
  }
  const allowed = loadProfileOf(target).perSecond ?? perSecondOf(mix);
  const { perSecond = allowed, seconds = loadProfileOf(target).seconds[shape.name] ?? shape.usualSeconds } = wanted;
  if (perSecond > allowed) {
    throw new CommandLineError(
      `--rate is ${perSecond} requests per second, but ${target.name} allows at most ${rounded(allowed)}. ` +
        "Choose a lower rate, or raise load.perSecond in the target file if its operator agrees.",
    );
  }
  const shares = scaledTo(mix.shares, perSecond);
  const phases = shape.phases(perSecond, seconds);
  const byK6 = costOf(target, shares, phases);
  const preflight = preflightRequests(target, shares, suite.authSanityChecks);
  const cost = totalSpent([
    before,
    byK6,
    ...Array.from({ length: machines }, () => preflight.map((requestSpec) => spentOn(target, requestSpec))).flat(),
  ]);
  refuseBeyondBudget(target, { ...cost, seconds: secondsOfPhases(phases) }, before);
  const left = budgetLeft(target, totalSpent([before, byK6]), machines);
  return { shape, mix: { ...mix, shares }, phases, seed, cost, byK6, preflight: left };
}

/** What each of so many machines may spend of what is left. */
const budgetLeft = ({ budget }: Target, spent: Spent, machines: number): Target["budget"] => ({
  ...budget,
  ...Object.fromEntries(
    (["requests", "credits"] as const).flatMap((what) => {
      const most = budget[what];
      return most === undefined ? [] : [[what, Math.floor((most - spent[what]) / machines)]];
    }),
  ),
});

const mayLoad = (target: Target, shape: Shape): boolean =>
  target.isReference || target.allow.includes("load") || (staysHere(target) && !shape.isBeyondPace);

const rounded = (value: number): number => Math.round(value * 10) / 10;

function costOf(target: Target, shares: Mix["shares"], phases: readonly Phase[]): Spent {
  const requests = requestsInPhases(phases);
  const together = perSecondOf({ shares });
  const costs = shares.map(({ operation, perSecond }): Spent => {
    const count = Math.ceil((requests * perSecond) / together);
    const price = priceOf(target, operation);
    return { requests: count, credits: count * (price ?? 0), unpriced: price === null ? count : 0 };
  });
  return { ...totalSpent(costs), requests };
}

function refuseBeyondBudget(
  { name, budget }: Target,
  { requests, credits, seconds }: Spent & { readonly seconds: number },
  before: Spent,
): void {
  for (const [what, wanted] of Object.entries({ requests, credits, seconds })) {
    const most = budget[what as keyof typeof budget];
    if (most === undefined || wanted <= most) continue;
    const forSamples = { ...before, seconds: 0 }[what as keyof typeof budget];
    throw new CommandLineError(
      `This load needs ${Math.ceil(wanted)} ${what}, ` +
        (forSamples > 0 ? `${forSamples} of them for samples that the target file doesn't give, ` : "") +
        `but the budget of ${name} is ${most}. ` +
        `Shorten it with --duration, slow it down with --rate, or raise budget.${what} in the target file.`,
    );
  }
}
