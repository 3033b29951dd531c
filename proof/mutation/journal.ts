// What mutation has found so far, below runs/mutation/
import { JsonLines } from "../jsonLines.ts";
import { root } from "./areas.ts";

export const folder = `${root}runs/mutation`;

/** What came of an edit; the last line of a key counts. */
export interface Outcome {
  readonly key: string;
  readonly killedBy: string | null;
  readonly how: string;
  /** How many judges had their say. */
  readonly judges: number;
}

export const outcomes = new JsonLines<Outcome>(`${folder}/outcomes.jsonl`);

export const outcomeByKey = (): ReadonlyMap<string, Outcome> =>
  new Map(outcomes.read().map((one) => [one.key, one] as const));
