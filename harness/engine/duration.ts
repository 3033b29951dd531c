// The duration of a plan, by the pace of each API.
import { defaultGeneration, type Generation } from "../core/generation.ts";
import { nameOf, type Stimulus } from "../core/stimulus.ts";
import type { Check } from "../model/check.ts";
import type { Target } from "../target/target.ts";
import { paceOf } from "../transport/lanes.ts";
import { type CheckPhaseName, isSentInTurn, phaseOf } from "./phases.ts";
import { generatedBy, observedBy, type Plan } from "./plan.ts";

/** Seconds that schedules take in these phases, those in turn added up, the others side by side. */
function scheduleSeconds(checks: readonly Check[], target: Target, during: readonly CheckPhaseName[]): number {
  const inPhase = checks.filter((check) => during.includes(phaseOf(check, target)));
  const lasting = (is: (check: Check) => boolean): number[] => {
    const schedules = inPhase.filter(is).flatMap(({ needs }) => needs.schedules ?? []);
    return [...new Map(schedules.map(({ name, seconds }) => [name, seconds])).values()];
  };
  const inTurn = lasting((check) => isSentInTurn(check, target)).reduce((total, seconds) => total + seconds, 0);
  return Math.max(inTurn, ...lasting((check) => !isSentInTurn(check, target)));
}

/** Seconds on APIs with a pace of their own, and on all others. */
function paced(target: Target, stimuli: readonly Stimulus[]): { readonly own: number; readonly others: number } {
  const isOwn = ({ api }: Stimulus): boolean => target.apiPerSecond[api] !== undefined;
  const seconds = (some: readonly Stimulus[]): number =>
    some.reduce((total, stimulus) => total + 1 / (isOwn(stimulus) ? paceOf(target, stimulus) : target.perSecond), 0);
  return { own: seconds(stimuli.filter(isOwn)), others: seconds(stimuli.filter((one) => !isOwn(one))) };
}

/** Seconds, rounded up. Checks of different APIs run side by side, each at its pace; probes follow. */
export function secondsOf(plan: Plan, target: Target, { scale }: Generation = defaultGeneration(target)): number {
  const checks = plan.checks.flatMap(({ check, lacks }) => (lacks === null ? [check] : []));
  const once = (stimuli: readonly Stimulus[]): readonly Stimulus[] => [
    ...new Map(stimuli.map((one) => [nameOf(one), one])).values(),
  ];
  const byChecks = paced(target, [
    ...once(checks.flatMap(({ needs }) => needs.requests)),
    ...checks.flatMap(({ needs }) => generatedBy(needs, scale)),
  ]);
  const probes = plan.probes.flatMap(({ probe, lacks }) => (lacks === null ? [probe] : []));
  const byProbes = paced(target, once(probes.flatMap((probe) => observedBy(probe, target))));
  const sending = plan.sends.calls / sendPace(target);
  const beside = Math.max(
    scheduleSeconds(checks, target, ["beside", "bursts"]),
    byChecks.own,
    target.isReference ? byChecks.others : byChecks.others + sending,
    sending,
  );
  return Math.ceil(scheduleSeconds(checks, target, ["schedules"]) + beside + byProbes.own + byProbes.others);
}

/** Requests per second at which calls that can't be undone are sent. */
const sendPace = ({ perSecond, interface: { limits } }: Target): number =>
  Math.min(perSecond, ...limits.flatMap((one) => ("operation" in one ? [one.perSecond - 1] : [])));
