// The stress load: steps that double the target's pace until latency or errors pass their bounds
import type { Phase, Shape } from "./shape.ts";

const steps = 6;

export const stress: Shape = {
  name: "stress",
  summary: "steps that double, up to where latency or errors pass their bounds",
  usualSeconds: 60,
  isBeyondPace: true,
  phases: (perSecond, seconds) =>
    Array.from(
      { length: steps },
      (_, step): Phase => ({ name: `step ${step + 1}`, seconds: seconds / steps, perSecond: perSecond * 2 ** step }),
    ),
};
