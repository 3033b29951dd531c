// A look at a platform before a run: what it shows by the fewest calls, and what a run would judge there.
import { suite as contracts } from "../contracts/suite.ts";
import { type Looks, type SeenKey, type Survey, survey, type TriedName, unseen } from "../contracts/survey.ts";
import { realClock } from "../harness/core/clock.ts";
import type { Asker } from "../harness/core/stimulus.ts";
import { supplemented } from "../harness/core/template.ts";
import { Engine } from "../harness/engine/engine.ts";
import { lackingIn, type Plan } from "../harness/engine/plan.ts";
import { type Check, scenario } from "../harness/model/check.ts";
import type { Spent } from "../harness/target/budget.ts";
import type { Target } from "../harness/target/target.ts";
import { networkWire } from "../harness/transport/wire.ts";
import { groupedBy } from "../reports/lists.ts";
import { suite } from "./suite.ts";

export interface Look {
  readonly survey: Survey;
  readonly spent: Spent;
  /** With what was seen: without unknown keys and features that aren't offered, with names and samples. */
  readonly target: Target;
}

/**
 * Looks at a platform by the fewest calls; it sends no bundle.
 * @param askers whose keys are tried, each on the project that the target names with it
 * @param looks at keys alone, at all, or also by calls of 100 credits, which show names of wallet parameters
 */
export async function lookAt(target: Target, askers: readonly Asker[], looks: Looks): Promise<Look> {
  let surveyed = Promise.resolve(unseen());
  const surveying = scenario([], { requests: [], feature: target.offers[0] ?? "usage" }, async (context) => {
    surveyed = survey(context, askers, looks, contracts.finders);
    await surveyed;
    return [];
  });
  const { auditor: _, ...unaudited } = contracts;
  const { wire, close } = networkWire();
  try {
    const engine = new Engine({
      suite: { ...unaudited, checks: [surveying], laws: [], probes: [], authSanityChecks: [] },
      target: { ...target, allow: [] },
      wire,
      clock: realClock,
      observe: [],
    });
    await engine.run();
    const seen = await surveyed;
    return { survey: seen, spent: engine.spent, target: seenTarget(target, seen) };
  } finally {
    await close();
  }
}

/** With a name at `/names/flag` or `/names/balanceAt/time`. */
function named(names: Target["names"], { at, name }: TriedName): Target["names"] {
  const [place = "", member] = at.split("/").slice(2);
  return { ...names, [place]: member === undefined ? name : { ...(names[place] as object), [member]: name } };
}

function seenTarget(target: Target, { keys, features, names, samples }: Survey): Target {
  const isKnown = (role: string): boolean => !keys.some((key: SeenKey) => key.asker === role && key.is === "unknown");
  const isOffered = (feature: string): boolean =>
    !features.some((one) => one.feature === feature && one.is === "not offered");
  return {
    ...target,
    keys: new Map([...target.keys].filter(([role]) => isKnown(role))),
    offers: target.offers.filter(isOffered),
    names: names.filter(({ isTaken }) => isTaken).reduce(named, target.names),
    samples: samples
      .filter(({ by }) => by === "found")
      .reduce((known, { at, value }) => supplemented(known, at, value), target.samples),
  };
}

/** The plan of a run on a target; nothing is sent. */
export const planOf = (target: Target): Plan => new Engine({ suite, target, wire: notSent, clock: realClock }).plan;
const notSent = (): never => {
  throw new Error("a plan sends nothing");
};

/** Whether the target could give what a check lacks: control is the reference's alone, self-tests need nothing. */
const isUnlockable = ({ needs: { control, requests, consent, sends, generates } }: Check): boolean =>
  control === undefined && (requests.length > 0 || [consent, sends, generates].some((one) => one !== undefined));

export const unlockHeading = "What would unlock more, by the number of requirements that need it:";

/** A line for each lack of a plan that a target could give, with how many requirements need it, most first. */
export function unlockLines(plan: Plan, target: Target): readonly string[] {
  const lacking = lackingIn(plan, target).filter(({ check }) => isUnlockable(check));
  return [...groupedBy(lacking, ({ lacks }) => lacks)]
    .map(([lack, some]) => [lack, new Set(some.map(({ id }) => id)).size] as const)
    .sort(([, a], [, b]) => b - a)
    .map(([lack, count]) => `${String(count).padStart(4)}  ${lack}`);
}
