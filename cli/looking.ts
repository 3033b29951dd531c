// A look at a platform before a run: what it shows by the fewest calls, and what a run would judge there.
import { readinessForBundles } from "../contracts/bundles/remarks.ts";
import { contractSuite as contracts } from "../contracts/suite.ts";
import { type Looks, type SeenKey, type Survey, survey, type TriedName, unseen } from "../contracts/survey.ts";
import { realClock } from "../harness/core/clock.ts";
import type { Asker } from "../harness/core/requestSpec.ts";
import { supplemented } from "../harness/core/template.ts";
import { openEngine } from "../harness/engine/engine.ts";
import type { Plan } from "../harness/engine/plan.ts";
import type { Remedy } from "../harness/engine/remedies.ts";
import { scenario } from "../harness/model/check.ts";
import type { Outage } from "../harness/model/outage.ts";
import type { Spent } from "../harness/targets/budget.ts";
import type { Target } from "../harness/targets/target.ts";
import { networkWire } from "../harness/transport/wire.ts";
import { unlockText } from "../reports/sentences.ts";
import type { Invocation } from "./invocation.ts";
import { pastedProposals, remedyOf } from "./snippets.ts";
import { judgesOf } from "./suite.ts";

export interface PlatformLook {
  readonly survey: Survey;
  readonly spent: Spent;
  /** What kept requests from being answered. */
  readonly outages: readonly Outage[];
  /** With what was seen: without unknown keys and features that aren't offered, with names and samples. */
  readonly target: Target;
}

/**
 * Looks at a platform by the fewest calls; it sends no bundle.
 * @param askers whose keys are tried, each on the project that the target names with it
 * @param looks at keys alone, at all, or also by calls of 100 credits, which show names of wallet parameters
 */
export async function lookAt(
  invocation: Invocation,
  target: Target,
  askers: readonly Asker[],
  looks: Looks,
): Promise<PlatformLook> {
  let surveyed = Promise.resolve(unseen());
  const outages: Outage[] = [];
  const surveying = scenario([], { requests: [], feature: target.offers[0] ?? "usage" }, async (context) => {
    surveyed = survey(context, askers, looks, contracts.finders);
    const seen = await surveyed;
    if (looks !== "keys" && target.allow.includes("sendBundle"))
      seen.bundles = await readinessForBundles({ ...context, target, mostSends: planOf(invocation, target).sends });
    return [];
  });
  const { auditor: _, ...unaudited } = contracts;
  const { wire, close } = networkWire({ environment: invocation.env });
  try {
    const engine = openEngine({
      suite: { ...unaudited, checks: [surveying], laws: [], probes: [], authSanityChecks: [] },
      target: { ...target, allow: [] },
      wire,
      clock: realClock,
      observe: [],
    });
    engine.events.on((event) => {
      if (event.event === "outage") outages.push(event.outage);
    });
    await engine.run();
    const seen = await surveyed;
    return { survey: seen, spent: engine.spent, outages, target: seenTarget(target, seen) };
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
export const planOf = ({ project }: Invocation, target: Target): Plan =>
  openEngine({ suite: judgesOf(project).suite, target, wire: notSent, clock: realClock }).plan;
const notSent = (): never => {
  throw new Error("a plan sends nothing");
};

/** What the target file could add, the most first, as a run records it. */
export const unlocksOf = (plan: Plan, target: Target): readonly Remedy[] => pastedProposals(plan, target).map(remedyOf);

/** A line for each, after a heading; none where nothing is lacking. */
export function unlockLines(unlocks: readonly Remedy[]): readonly string[] {
  const lines = unlocks.map((one) => `  ${unlockText(one)}`);
  return lines.length > 0 ? ["What to add next, with values of your own:", ...lines] : [];
}
