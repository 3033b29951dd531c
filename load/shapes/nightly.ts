// Does it answer as promised for long? The same mix as smoke for 10 min, or for as long as is wanted.
import { type Shape, steady } from "./shape.ts";

export const nightly: Shape = {
  name: "nightly",
  summary: "every read operation at the allowed pace, for long",
  usualSeconds: 600,
  isBeyondPace: false,
  phases: steady,
};
