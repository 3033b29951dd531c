// How does the load run through time? A shape is a list of phases, each of one steady rate, asked whatever the answers do.

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
  /** In all, unless the target or the command says otherwise. */
  readonly usualSeconds: number;
  /** Whether it goes beyond what the target allows as a pace: then documented limits are passed on purpose. */
  readonly isBeyondPace: boolean;
  /** @param perSecond the highest rate that is allowed */
  phases(perSecond: number, seconds: number): readonly Phase[];
}

/** One rate from the beginning to the end. */
export const steady = (perSecond: number, seconds: number): readonly Phase[] => [
  { name: "steady", seconds, perSecond },
];
