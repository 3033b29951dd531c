// Failures of Assay itself while a panel is polled: what they were, and in how many polls.
import { defectOf } from "../harness/core/outcomes.ts";
import type { Redactor } from "../harness/core/secret.ts";
import type { PanelDefect } from "./panelReport.ts";

export class PanelDefects {
  readonly #redact: Redactor;
  readonly #known = new Map<string, PanelDefect>();

  constructor(redact: Redactor) {
    this.#redact = redact;
  }

  /**
   * Those of one place in the code are one: messages may quote answers.
   * @param vendor whose answer it failed on; null for a whole poll
   * @param polls 0 where it ended the panel
   */
  add(error: unknown, vendor: number | null = null, polls = 1): void {
    const { message, at } = defectOf(error, this.#redact);
    const name = `${vendor} ${at}`;
    const known = this.#known.get(name) ?? { vendor, message: `${message} ${at}`, polls: 0 };
    this.#known.set(name, { ...known, polls: known.polls + polls });
  }

  get defects(): readonly PanelDefect[] {
    return [...this.#known.values()];
  }
}
