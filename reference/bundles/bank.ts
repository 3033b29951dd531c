// Balances: seeded accounts can run dry, all others count as funded, so that clients need no set-up
import type { Transfer } from "./transactions.ts";

export class Bank {
  readonly #balances = new Map<string, bigint>();

  seed(account: string, lamports: bigint): void {
    this.#balances.set(account, lamports);
  }

  /** Undefined for an account that wasn't seeded. */
  balanceOf(account: string): bigint | undefined {
    return this.#balances.get(account);
  }

  copy(): Bank {
    const copy = new Bank();
    for (const [account, lamports] of this.#balances) copy.seed(account, lamports);
    return copy;
  }

  /** Makes all transfers of one transaction, or none: false where an account has too little. */
  execute(transfers: readonly Transfer[]): boolean {
    const after = this.copy();
    for (const { from, to, lamports } of transfers) {
      const left = after.balanceOf(from);
      if (left !== undefined && left < lamports) return false;
      if (left !== undefined) after.seed(from, left - lamports);
      const had = after.balanceOf(to);
      if (had !== undefined) after.seed(to, had + lamports);
    }
    this.take(after);
    return true;
  }

  /** Takes over the balances of another. */
  take(other: Bank): void {
    for (const [account, lamports] of other.#balances) this.#balances.set(account, lamports);
  }
}
