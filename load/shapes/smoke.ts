// The smoke load: every read operation for 20 s at the target's pace
import { type Shape, steady } from "./shape.ts";

export const smoke: Shape = {
  name: "smoke",
  summary: "every read operation at once, at the allowed pace",
  usualSeconds: 20,
  isBeyondPace: false,
  phases: steady,
};
