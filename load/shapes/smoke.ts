// Does it answer as promised under a little load? Every read operation at once for 20 s, at the pace that the target allows.
import { type Shape, steady } from "./shape.ts";

export const smoke: Shape = {
  name: "smoke",
  summary: "every read operation at once, at the allowed pace",
  usualSeconds: 20,
  isBeyondPace: false,
  phases: steady,
};
