// The phases of a run: one after another, each with lanes side by side, for checks and for probes.
import { apiOf, type Feature, type Interface, type RequirementId } from "../core/interface.ts";
import { nameOf } from "../core/stimulus.ts";
import { type Check, citedBy } from "../model/check.ts";
import type { Probe } from "../model/probe.ts";
import { costOf } from "../target/budget.ts";
import type { Target } from "../target/target.ts";
import { canIsolate } from "./projects.ts";

export interface PlannedCheck {
  readonly check: Check;
  /** The reason for which it is withheld; null where it runs. */
  readonly lacks: string | null;
}

export interface PlannedProbe extends Pick<PlannedCheck, "lacks"> {
  readonly probe: Probe;
  /** Whether it trips a limit. */
  readonly disturbs: boolean;
}

type Lane<Item> = readonly Item[];

export interface Phase<Item> {
  readonly name: string;
  readonly lanes: readonly Lane<Item>[];
  /** The phase before which it must be over; the next one by default. */
  readonly overBefore?: string;
}

/** Runs phase by phase, with the lanes of a phase side by side. */
export async function runPhases<Item>(
  phases: readonly Phase<Item>[],
  execute: (item: Item) => Promise<void>,
): Promise<void> {
  const underWay = new Map<string, Promise<unknown>>();
  const inTurn = async (lane: Lane<Item>): Promise<void> => {
    for (const item of lane) await execute(item);
  };
  for (const { name, lanes, overBefore } of phases) {
    await underWay.get(name);
    const done = Promise.all(lanes.map(inTurn));
    if (overBefore) underWay.set(overBefore, done);
    else await done;
  }
}

/** One lane per API, and one for each feature with a limit of its own; items keep their order. */
function byApi<Item>(
  items: readonly Item[],
  tables: Interface,
  featureOf: (item: Item) => Feature | undefined,
): readonly Lane<Item>[] {
  const lanes = new Map<string, Item[]>();
  for (const item of items) {
    const feature = featureOf(item);
    const lane = feature === undefined ? "" : (ownLane(tables, feature) ?? apiOf(tables, feature) ?? feature);
    lanes.set(lane, [...(lanes.get(lane) ?? []), item]);
  }
  return [...lanes.values()];
}

const ownLane = ({ limits, operations }: Interface, feature: Feature): string | undefined =>
  limits.some((one) => "operation" in one && operations.find(({ id }) => id === one.operation)?.feature === feature)
    ? `${feature} alone`
    : undefined;

type Place = Pick<Target, "control" | "isReference" | "interface">;

/**
 * Phases of checks. `free`: costs nothing · `beside`: takes long · `bursts`: schedules of isolated projects, while
 * little else is sent · `alone`: counts calls · `together`: all others · `schedules`: without isolated projects ·
 * `last`: disturbs others.
 */
export const checkPhaseNames = ["free", "beside", "bursts", "alone", "together", "schedules", "last"] as const;
export type CheckPhaseName = (typeof checkPhaseNames)[number];

const overBefore: { readonly [P in CheckPhaseName]?: CheckPhaseName } = { bursts: "together", beside: "schedules" };

export function phaseOf({ when, feature, needs }: Check, target: Place): CheckPhaseName {
  if (needs.schedules && when === "beside" && target.control) return "beside";
  if (needs.schedules) return canIsolate(target) ? "bursts" : "schedules";
  if (when === "alone" || when === "last") return when;
  const { meter } = target.interface;
  const isFree = feature === meter && !needs.control;
  return isFree && needs.requests.every(({ api }) => api === apiOf(target.interface, feature)) ? "free" : "together";
}

/**
 * Whether the schedules of a check wait for those of others. In a project of its own a check is counted alone, but
 * limits of calls that can't be undone may count all projects together.
 */
export const isSentInTurn = ({ needs }: Check, { control }: Pick<Target, "control">): boolean =>
  needs.schedules !== undefined && (!control || needs.sends !== undefined);

function lanesOf(
  phase: CheckPhaseName,
  planned: readonly PlannedCheck[],
  target: Place,
): readonly Lane<PlannedCheck>[] {
  if (phase === "beside") return planned.map((one) => [one]);
  if (phase === "free" || phase === "alone" || phase === "last") return [planned];
  const inTurn = planned.filter(({ check }) => isSentInTurn(check, target));
  const others = planned.filter(({ check }) => !check.needs.schedules);
  const apart = planned.filter((one) => !inTurn.includes(one) && !others.includes(one));
  const isOwn = ({ check }: PlannedCheck): boolean => canIsolate(target) && check.needs.generates !== undefined;
  const lanes = [others.filter((one) => !isOwn(one)), others.filter(isOwn)];
  return [
    ...apart.map((one) => [one]),
    inTurn,
    ...lanes.flatMap((lane) => byApi(lane, target.interface, ({ check }) => check.feature)),
  ];
}

export const checkPhases = (planned: readonly PlannedCheck[], target: Place): readonly Phase<PlannedCheck>[] =>
  checkPhaseNames.map((name) => {
    const end = overBefore[name];
    const ofPhase = planned.filter(({ check }) => phaseOf(check, target) === name);
    return { name, lanes: lanesOf(name, ofPhase, target), ...(end ? { overBefore: end } : {}) };
  });

/**
 * Planned probes: APIs side by side, then those of the meter, whose figures any call changes, and last those that read
 * all answers or disturb others. Probes in isolated projects need not wait.
 */
export function probePhases(planned: readonly PlannedProbe[], target: Place): readonly Phase<PlannedProbe>[] {
  const isIsolated = ({ probe }: PlannedProbe): boolean => probe.when === "isolated" && canIsolate(target);
  const isApart = ({ probe, disturbs }: PlannedProbe): boolean => probe.when === "after" || disturbs;
  const { meter } = target.interface;
  const isLater = ({ probe }: PlannedProbe): boolean =>
    probe.when === "alone" || (meter !== null && probe.features.includes(meter));
  const [own, shared] = [planned.filter(isIsolated), planned.filter((one) => !isIsolated(one))];
  const active = shared.filter((one) => !isApart(one));
  const beside = active.filter((one) => !isLater(one));
  // Schedules of isolated projects disturb only each other.
  const timed = own.filter(({ probe }) => probe.needs.schedules);
  const free = own.filter((one) => !timed.includes(one)).map((one) => [one]);
  return [
    { name: "beside", lanes: [timed, ...free, ...byApi(beside, target.interface, ({ probe }) => probe.features[0])] },
    { name: "after", lanes: [[...active.filter(isLater), ...shared.filter(isApart)]] },
  ];
}

/** By phase, then by the credits that verifying a requirement takes, then in the order of the suite. */
export function inOrder(target: Target, checks: readonly Check[]): readonly Check[] {
  const share = shareOf(target, checks);
  // Of these, checks of known cost come first: they show how late charges are.
  const price = (check: Check): number =>
    check.when === "alone" ? share(check) || Number.POSITIVE_INFINITY : share(check);
  const rank = (check: Check): number => checkPhaseNames.indexOf(phaseOf(check, target));
  return [...checks].sort((a, b) => rank(a) - rank(b) || Math.sign(price(a) - price(b)) || 0);
}

/** Credits that the cheapest requirement of a check takes; the cost of a shared request is divided. */
function shareOf(target: Target, checks: readonly Check[]): (check: Check) => number {
  const costs = new Map<RequirementId, Map<string, number>>();
  const sharers = new Map<string, Set<RequirementId>>();
  for (const check of checks) {
    for (const stimulus of check.needs.requests) {
      const credits = costOf(target, stimulus) ?? 0;
      if (credits === 0) continue;
      const name = nameOf(stimulus);
      for (const id of citedBy(check)) {
        costs.set(id, (costs.get(id) ?? new Map<string, number>()).set(name, credits));
        sharers.set(name, (sharers.get(name) ?? new Set<RequirementId>()).add(id));
      }
    }
  }
  const share = (id: RequirementId): number =>
    [...(costs.get(id) ?? [])].reduce((total, [name, credits]) => total + credits / (sharers.get(name)?.size ?? 1), 0);
  const shares = new Map(
    checks.map((check) => [check, Math.min(...citedBy(check).map(share), Number.POSITIVE_INFINITY)]),
  );
  return (check) => shares.get(check) ?? 0;
}
