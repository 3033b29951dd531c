// Ledgers: increments of usage in exact decimals, from which all figures are made (§2.1 rule 2)
import Big from "big.js";

export const chargedProducts = [
  "rpc",
  "enhancedApi",
  "walletApi",
  "das",
  "webhooks",
  "streamGrpc",
  "streamWebsocket",
  "preConfirmations",
  "archival",
  "compression",
  "other",
] as const;
export type ChargedProduct = (typeof chargedProducts)[number];
export type Stream = "streamGrpc" | "streamWebsocket";
export type Metered = Exclude<ChargedProduct, Stream>;

export const streams: readonly Stream[] = ["streamGrpc", "streamWebsocket"];
export const metered: readonly Metered[] = chargedProducts.filter(
  (product): product is Metered => !streams.includes(product as Stream),
);

/** One increment, at one instant of the project's own calendar. */
export interface LedgerEntry {
  readonly at_ms: number;
  readonly product: ChargedProduct;
  readonly credits: Big;
  /** The part of these credits that prepaid ones paid. */
  readonly prepaid: Big;
  readonly requests: number;
  readonly bytes: number;
}

/** From inclusive, until exclusive, in ms. */
export interface Span {
  readonly from_ms: number;
  readonly until_ms: number;
}

export const noCredits = new Big(0);
export const sumOfAmounts = (amounts: Iterable<Big>): Big =>
  [...amounts].reduce((total, amount) => total.plus(amount), noCredits);

/** A sum over the entries since an instant, and how far it got. */
interface Counted {
  readonly from_ms: number;
  entries: number;
  sum: Big;
  latest_ms: number;
}

const regular = ({ credits, prepaid }: LedgerEntry): Big => credits.minus(prepaid);

export class UsageLedger {
  readonly #entries: LedgerEntry[] = [];
  readonly #purchased: Big;
  #prepaidUsed: Big = noCredits;
  #counted: Counted = { from_ms: 0, entries: 0, sum: noCredits, latest_ms: 0 };

  /** @param purchased prepaid credits bought so far */
  constructor(purchased: Big = noCredits) {
    this.#purchased = purchased;
  }

  add(entry: LedgerEntry): void {
    this.#entries.push(entry);
    this.#prepaidUsed = this.#prepaidUsed.plus(entry.prepaid);
  }

  /** A ledger with other entries. */
  of(entries: readonly LedgerEntry[]): UsageLedger {
    const ledger = new UsageLedger(this.#purchased);
    for (const entry of entries) ledger.add(entry);
    return ledger;
  }

  within({ from_ms, until_ms }: Span): readonly LedgerEntry[] {
    return this.#entries.filter(({ at_ms }) => from_ms <= at_ms && at_ms < until_ms);
  }

  get entries(): readonly LedgerEntry[] {
    return this.#entries;
  }

  get purchased(): Big {
    return this.#purchased;
  }

  /** Prepaid credits bought and not yet used: a balance, whatever the cycle. */
  get prepaidLeft(): Big {
    return this.#purchased.minus(this.#prepaidUsed);
  }

  /** Credits of a span that the plan paid. Every served call needs them, so the sum continues from its last state. */
  regularWithin(span: Span): Big {
    if (this.#counted.from_ms !== span.from_ms)
      this.#counted = { from_ms: span.from_ms, entries: 0, sum: noCredits, latest_ms: 0 };
    const counted = this.#counted;
    for (const entry of this.#entries.slice(counted.entries)) {
      if (entry.at_ms >= span.from_ms) counted.sum = counted.sum.plus(regular(entry));
      counted.latest_ms = Math.max(counted.latest_ms, entry.at_ms);
    }
    counted.entries = this.#entries.length;
    // Where the clock was moved back, later entries don't count yet.
    return counted.latest_ms < span.until_ms ? counted.sum : sumOfAmounts(this.within(span).map(regular));
  }
}

/** Every product in one record, from a function of its name. */
export const perProduct = <P extends string, V>(names: readonly P[], valueOf: (name: P) => V): { [N in P]: V } =>
  Object.fromEntries(names.map((name) => [name, valueOf(name)])) as { [N in P]: V };
