// Verdict events: each verdict when it is reached, and again where it changes.
import type { RequirementId } from "../core/interface.ts";
import type { Verdict } from "../model/verdict.ts";

export class VerdictEvents {
  readonly #verdictOn: (id: RequirementId) => Verdict;
  readonly #onVerdict: (verdict: Verdict) => void;
  /** What was reported of each requirement; null before a run. */
  #reported: Map<RequirementId, string> | null = null;

  constructor(verdictOn: (id: RequirementId) => Verdict, onVerdict: (verdict: Verdict) => void) {
    this.#verdictOn = verdictOn;
    this.#onVerdict = onVerdict;
  }

  begin(): void {
    this.#reported = new Map();
  }

  /** The verdicts on all of them. */
  emit(ids: readonly RequirementId[]): readonly Verdict[] {
    return ids.map((id) => {
      const verdict = this.#verdictOn(id);
      const { narrowed, reasons, breaches } = verdict;
      const open = verdict.verdict === "inconclusive" ? reasons : [];
      const name = JSON.stringify([verdict.verdict, breaches.length, narrowed ?? null, open]);
      if (this.#reported !== null && this.#reported.get(id) !== name) {
        this.#reported.set(id, name);
        this.#onVerdict(verdict);
      }
      return verdict;
    });
  }

  /** Those that nothing was reported of yet. */
  emitNew(ids: readonly RequirementId[]): void {
    this.emit(ids.filter((id) => this.#reported?.has(id) === false));
  }
}
