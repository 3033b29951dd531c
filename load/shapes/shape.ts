// The shape of a load: a list of phases, each with a steady rate that doesn't depend on the answers

export const shapeNames = ["smoke", "nightly", "spike", "stress"] as const;
export type ShapeName = (typeof shapeNames)[number];

export interface Phase {
  readonly name: string;
  readonly seconds: number;
  /** Requests per second, all operations together. */
  readonly perSecond: number;
}

export interface Shape {
  readonly name: ShapeName;
  readonly summary: string;
  /** Duration of all phases, unless the target or the command names another. */
  readonly usualSeconds: number;
  /** Whether it exceeds the target's pace, and with it documented limits, on purpose. */
  readonly isBeyondPace: boolean;
  /** @param perSecond the highest rate that the target allows */
  phases(perSecond: number, seconds: number): readonly Phase[];
}

/** One rate throughout. */
export const steady = (perSecond: number, seconds: number): readonly Phase[] => [
  { name: "steady", seconds, perSecond },
];
