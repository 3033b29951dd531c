// A file of JSON lines that a long command appends to, so that it goes on where it was stopped
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";

export class JsonLines<Line> {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  add(line: Line): void {
    mkdirSync(dirname(this.#file), { recursive: true });
    appendFileSync(this.#file, `${JSON.stringify(line)}\n`);
  }

  /** All but a last line that wasn't finished. */
  read(): readonly Line[] {
    if (!existsSync(this.#file)) return [];
    const whole = readFileSync(this.#file, "utf8").split("\n").slice(0, -1);
    return whole.map((line) => JSON.parse(line) as Line);
  }
}
