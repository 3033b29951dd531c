// The spike load: a fifth of the target's pace, then all of it at once, then a fifth again
import type { Shape } from "./shape.ts";

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
