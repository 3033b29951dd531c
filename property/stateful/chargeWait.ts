// How long figures that aren't right yet are read again, as charges may show late (amendment 5)

import { waits_ms } from "../../contracts/metering/chargePace.ts";
import type { Scale } from "../../harness/core/generation.ts";
import { BudgetSpent } from "../../harness/core/outcomes.ts";

/** While shrinking in real time: the shortest wait, and how many cases wait. */
const shortest_ms = 1_500;
const smallerTries = 40;

/** For one property in one run: a whole minute until there is a finding. */
export class ChargeWait {
  readonly #scale: Scale;
  /** The longest time until a figure was right. */
  #slowest_ms = 0;
  #stood = 0;

  constructor(scale: Scale) {
    this.#scale = scale;
  }

  /** Waits between reads, in ms. @throws BudgetSpent when shrinking has waited often enough */
  waits(): readonly number[] {
    if (this.#scale === "many" || this.#stood === 0) return waits_ms;
    if (this.#stood > smallerTries)
      throw new BudgetSpent({ kind: "shrunkEnough", detail: "shrinking waited too often for charges to show" });
    const enough_ms = Math.max(shortest_ms, 3 * this.#slowest_ms);
    const count = waits_ms.findIndex(
      (_, nth) => waits_ms.slice(0, nth).reduce<number>((sum, wait_ms) => sum + wait_ms, 0) >= enough_ms,
    );
    return count < 0 ? waits_ms : waits_ms.slice(0, count);
  }

  /** @param took_ms until a figure was right; null: it never was */
  learn(took_ms: number | null): void {
    if (took_ms === null) this.#stood += 1;
    else this.#slowest_ms = Math.max(this.#slowest_ms, took_ms);
  }
}
