// What mutation has found so far: files of lines in runs/mutation/, so that it goes on where it was stopped
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { root } from "./areas.ts";

export const folder = `${root}runs/mutation`;

/** Lines of JSON that are only ever appended to. */
export class Lines<Line> {
  readonly #file: string;

  constructor(name: string) {
    mkdirSync(folder, { recursive: true });
    this.#file = `${folder}/${name}`;
  }

  add(line: Line): void {
    appendFileSync(this.#file, `${JSON.stringify(line)}\n`);
  }

  /** All but a last line that wasn't finished. */
  read(): readonly Line[] {
    if (!existsSync(this.#file)) return [];
    const whole = readFileSync(this.#file, "utf8").split("\n").slice(0, -1);
    return whole.map((line) => JSON.parse(line) as Line);
  }
}

/** What came of an edit; the last line of a key counts. */
export interface Outcome {
  readonly key: string;
  readonly killedBy: string | null;
  readonly how: string;
  /** How many judges had their say. */
  readonly judges: number;
}

export const outcomes = new Lines<Outcome>("outcomes.jsonl");

export const outcomeByKey = (): ReadonlyMap<string, Outcome> =>
  new Map(outcomes.read().map((one) => [one.key, one] as const));
