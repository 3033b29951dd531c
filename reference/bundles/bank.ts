// Balances: seeded accounts can run dry, all others count as funded, so that clients need no set-up
import type { Transaction } from "./transactions.ts";

/** What bundles run on. */
export interface Bank {
  seed(account: string, lamports: bigint): void;
  /** Undefined for an account that isn't known. */
  balanceOf(account: string): bigint | undefined;
  copy(): Bank;
  /** Runs a transaction as a whole or not at all: false where it fails. */
  execute(transaction: Transaction, now_ms: number): boolean;
  /** Takes over the balances of a copy. */
  take(copy: Bank): void;
  /** Why a bundle isn't taken, in the chain's words; null where it is. */
  refusalOf(transactions: readonly Transaction[], now_ms: number): string | null;
  /** Whether a block takes the bundle at all. */
  wins(transactions: readonly Transaction[]): boolean;
}

/** Transfers alone count: nothing looks at blockhashes, fees and rent, and each bundle wins. */
export class OwnBank implements Bank {
  readonly #balances = new Map<string, bigint>();

  seed(account: string, lamports: bigint): void {
    this.#balances.set(account, lamports);
  }

  balanceOf(account: string): bigint | undefined {
    return this.#balances.get(account);
  }

  copy(): OwnBank {
    const copy = new OwnBank();
    copy.take(this);
    return copy;
  }

  execute({ transfers }: Pick<Transaction, "transfers">): boolean {
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

  take(other: OwnBank): void {
    for (const [account, lamports] of other.#balances) this.#balances.set(account, lamports);
  }

  refusalOf(): null {
    return null;
  }

  wins(): boolean {
    return true;
  }
}
