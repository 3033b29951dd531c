// In which order are checks run? So that the first credits and requests verify the most, and what counts calls is alone.
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { nameOf } from "../core/stimulus.ts";
import { type Check, citedBy } from "../model/check.ts";
import { costOf } from "../target/budget.ts";
import type { Target } from "../target/target.ts";
import { canIsolate } from "./isolatedProjects.ts";
import { byApi } from "./lanes.ts";

/** One after another; within a phase surfaces run side by side, each at its pace, or one check at a time. */
export const phases = ["free", "beside", "bursts", "alone", "together", "volleys", "last"] as const;
export type Phase = (typeof phases)[number];

/** What is counted with nothing else is waited for before another phase only: bursts go while little else does, what takes long beside all of it. */
const isOverBefore: { readonly [P in Phase]?: Phase } = { bursts: "together", beside: "volleys" };

/** Reads of the usage cost nothing and show much, so they are had before anything is paid for. */
export function phaseOf(
  { first, last, beside = false, feature, needs }: Check,
  target: Pick<Target, "control" | "isReference">,
): Phase {
  if (needs.schedules && beside && target.control) return "beside";
  if (needs.schedules) return canIsolate(target) ? "bursts" : "volleys";
  if (first) return "alone";
  if (last) return "last";
  return feature === "usage" && !needs.control && needs.requests.every(({ api }) => api === "admin")
    ? "free"
    : "together";
}

/**
 * Whether what a check sends at set times waits until others have sent theirs. With projects of its own it is counted alone;
 * but whom the limit of bundles counts together is what is asked: it may be all projects.
 */
export const isSentInTurn = ({ needs }: Check, { control }: Pick<Target, "control">): boolean =>
  needs.schedules !== undefined && (!control || needs.sends !== undefined);

/** Side by side where nothing minds; generated cases and what is sent at set times too, where they have projects of their own. */
export const lanesOf = <Planned extends { readonly check: Check }>(
  phase: Phase,
  planned: readonly Planned[],
  target: Pick<Target, "control" | "isReference">,
): readonly (readonly Planned[])[] => {
  const ofPhase = planned.filter(({ check }) => phaseOf(check, target) === phase);
  if (phase === "beside") return ofPhase.map((one) => [one]);
  if (phase === "free" || phase === "alone" || phase === "last") return [ofPhase];
  const [inTurn, others] = [
    ofPhase.filter(({ check }) => isSentInTurn(check, target)),
    ofPhase.filter(({ check }) => !check.needs.schedules),
  ];
  const apart = ofPhase.filter((one) => !inTurn.includes(one) && !others.includes(one));
  const isOwn = ({ check }: Planned): boolean => canIsolate(target) && check.needs.generates !== undefined;
  const lanes = [others.filter((one) => !isOwn(one)), others.filter(isOwn)];
  return [
    ...apart.map((one) => [one]),
    inTurn,
    ...lanes.flatMap((lane) => byApi(lane, ({ check }) => [check.feature])),
  ];
};

/** Phase by phase; lanes side by side. @param executeAll of one lane, in its order */
export async function inPhases<Planned extends { readonly check: Check }>(
  planned: readonly Planned[],
  target: Pick<Target, "control" | "isReference">,
  executeAll: (lane: readonly Planned[]) => Promise<void>,
): Promise<void> {
  const underWay = new Map<Phase, Promise<unknown>>();
  for (const phase of phases) {
    await underWay.get(phase);
    const done = Promise.all(lanesOf(phase, planned, target).map(executeAll));
    const end = isOverBefore[phase];
    if (end) underWay.set(end, done);
    else await done;
  }
}

/** By phase; within it what verifies a requirement for the fewest credits comes first, else as the suite has them. */
export function inOrder(target: Target, checks: readonly Check[]): readonly Check[] {
  const share = shareOf(target, checks);
  // What is known to cost something shows first how late charges are.
  const price = (check: Check): number => (check.first ? share(check) || Number.POSITIVE_INFINITY : share(check));
  const rank = (check: Check): number => phases.indexOf(phaseOf(check, target));
  return [...checks].sort((a, b) => rank(a) - rank(b) || Math.sign(price(a) - price(b)) || 0);
}

/** Credits that the cheapest requirement of a check takes, where what several ask for is shared between them. */
function shareOf(target: Target, checks: readonly Check[]): (check: Check) => number {
  const asked = new Map<RequirementId, Map<string, number>>();
  const askers = new Map<string, Set<RequirementId>>();
  for (const check of checks) {
    for (const stimulus of check.needs.requests) {
      const credits = costOf(target, stimulus) ?? 0;
      if (credits === 0) continue;
      const name = nameOf(stimulus);
      for (const id of citedBy(check)) {
        asked.set(id, (asked.get(id) ?? new Map<string, number>()).set(name, credits));
        askers.set(name, (askers.get(name) ?? new Set<RequirementId>()).add(id));
      }
    }
  }
  const share = (id: RequirementId): number =>
    [...(asked.get(id) ?? [])].reduce((total, [name, credits]) => total + credits / (askers.get(name)?.size ?? 1), 0);
  const shares = new Map(
    checks.map((check) => [check, Math.min(...citedBy(check).map(share), Number.POSITIVE_INFINITY)]),
  );
  return (check) => shares.get(check) ?? 0;
}
