// For how long is a figure read again that isn't right yet? Charges may show late, and replicas be behind. (register, amendment 5)
import { waits_ms } from "../../contracts/metering/usageMeasurement.ts";
import type { Scale } from "../../harness/core/generation.ts";
import { BudgetSpent } from "../../harness/target/budget.ts";

/** Where waiting takes time, what makes a finding smaller is waited for so long at least, and so often. */
const shortest_ms = 1_500;
const smallerTries = 40;

/** Of one property in one run: until a finding stands, all of a minute is waited. */
export class ChargeWait {
  readonly #scale: Scale;
  /** The longest that a figure took to come right. */
  #slowest_ms = 0;
  #stood = 0;

  constructor(scale: Scale) {
    this.#scale = scale;
  }

  /** From one read to the next, in ms. @throws BudgetSpent where enough was waited for smaller cases */
  waits(): readonly number[] {
    if (this.#scale === "many" || this.#stood === 0) return waits_ms;
    if (this.#stood > smallerTries) throw new BudgetSpent("so long was waited for charges to show");
    const enough_ms = Math.max(shortest_ms, 3 * this.#slowest_ms);
    const count = waits_ms.findIndex(
      (_, nth) => waits_ms.slice(0, nth).reduce<number>((sum, wait_ms) => sum + wait_ms, 0) >= enough_ms,
    );
    return count < 0 ? waits_ms : waits_ms.slice(0, count);
  }

  /** A figure came right after so long, or never. */
  learn(took_ms: number | null): void {
    if (took_ms === null) this.#stood += 1;
    else this.#slowest_ms = Math.max(this.#slowest_ms, took_ms);
  }
}
