// The shapes of loads: lists of phases, each with a steady rate that doesn't depend on the answers
import type { LoadPhase } from "../../harness/record/load.ts";

/** Its rate is that of all operations together. */
export type Phase = Pick<LoadPhase, "name" | "seconds" | "perSecond">;

export const requestsInPhases = (phases: readonly Phase[]): number =>
  Math.ceil(phases.reduce((total, { perSecond, seconds }) => total + perSecond * seconds, 0));
export const secondsOfPhases = (phases: readonly Phase[]): number =>
  phases.reduce((total, { seconds }) => total + seconds, 0);

/** How many requests are due from one second of a load to another, neither of which need be whole. */
export function requestsBetween(phases: readonly Phase[], from_s: number, to_s: number): number {
  let begin_s = 0;
  let requests = 0;
  for (const { perSecond, seconds } of phases) {
    const within_s = Math.min(to_s, begin_s + seconds) - Math.max(from_s, begin_s);
    requests += Math.max(0, within_s) * perSecond;
    begin_s += seconds;
  }
  return requests;
}

const widths_s = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1_800];
const mostStretches = 120;

/** How long the stretches are in which a load is counted over time, in seconds: at most 120 of them. */
export const stretchOf_s = (phases: readonly Phase[]): number =>
  widths_s.find((width_s) => secondsOfPhases(phases) <= width_s * mostStretches) ??
  Math.ceil(secondsOfPhases(phases) / mostStretches);

export interface Shape {
  readonly name: string;
  readonly summary: string;
  /** Duration of all phases, unless the target or the command names another. */
  readonly usualSeconds: number;
  /** Whether it exceeds the target's pace, and with it documented limits, on purpose. */
  readonly isBeyondPace: boolean;
  /** @param perSecond the highest rate that the target allows */
  phases(perSecond: number, seconds: number): readonly Phase[];
}

export const smoke: Shape = {
  name: "smoke",
  summary: "every read operation at once, at the allowed pace",
  usualSeconds: 20,
  isBeyondPace: false,
  phases: (perSecond, seconds) => [{ name: "steady", seconds, perSecond }],
};

const nightly: Shape = {
  ...smoke,
  name: "nightly",
  summary: "every read operation at the allowed pace, for longer",
  usualSeconds: 600,
};

const calm = 0.2;

export const spike: Shape = {
  name: "spike",
  summary: "a rush from a fifth of the allowed pace to all of it, and back",
  usualSeconds: 60,
  isBeyondPace: false,
  phases: (perSecond, seconds) => [
    { name: "before", seconds: seconds / 3, perSecond: perSecond * calm },
    { name: "rush", seconds: seconds / 3, perSecond },
    { name: "after", seconds: seconds / 3, perSecond: perSecond * calm },
  ],
};

const steps = [1, 2, 3, 4, 5, 6];

export const stress: Shape = {
  name: "stress",
  summary: "doubling steps, until latency or errors exceed their bounds",
  usualSeconds: 60,
  isBeyondPace: true,
  phases: (perSecond, seconds) =>
    steps.map((step) => ({
      name: `step ${step}`,
      seconds: seconds / steps.length,
      perSecond: perSecond * 2 ** (step - 1),
    })),
};

export const shapes: readonly Shape[] = [smoke, nightly, spike, stress];
