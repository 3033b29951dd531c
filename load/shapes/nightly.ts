// The nightly load: the mix of smoke for 10 minutes, or for as long as the command says
import { type Shape, steady } from "./shape.ts";

export const nightly: Shape = {
  name: "nightly",
  summary: "every read operation at the allowed pace, for a long time",
  usualSeconds: 600,
  isBeyondPace: false,
  phases: steady,
};
