// How much was used? Credits per product in exact decimals, rounded once when they are shown. (§2.1 rule 2)
import Big from "big.js";

export const products = ["rpc", "enhancedApi", "walletApi", "das", "webhooks", "streamGrpc", "streamWebsocket", "preConfirmations", "archival", "compression", "other"] as const;
export type Product = (typeof products)[number];
export type Stream = "streamGrpc" | "streamWebsocket";
export type Metered = Exclude<Product, Stream>;

export const streams: readonly Stream[] = ["streamGrpc", "streamWebsocket"];
export const metered: readonly Metered[] = products.filter((product): product is Metered => !streams.includes(product as Stream));

/** What one project used in its current credit cycle. */
export interface Usage {
  /** Unrounded credits. */
  readonly credits: { readonly [P in Product]: Big };
  readonly requests: { readonly [P in Metered]: number };
  readonly bytes: { readonly [S in Stream]: number };
  /** The part of all credits that was paid from prepaid ones. */
  readonly prepaidUsed: Big;
  readonly prepaidRemaining: Big;
}

/** To the nearest whole credit, halves up. */
export const rounded = (amount: Big): number => amount.round(0, Big.roundHalfUp).toNumber();

export const totalOf = ({ credits }: Usage): Big => products.reduce((total, product) => total.plus(credits[product]), new Big(0));

/** Whole totals: the exact sum, rounded once. */
export function totalsOf(usage: Usage, creditsLimit: number): { remaining: number; used: number; prepaidRemaining: number; prepaidUsed: number } {
  const used = totalOf(usage);
  const left = new Big(creditsLimit).minus(used.minus(usage.prepaidUsed));
  return {
    remaining: rounded(left.lt(0) ? new Big(0) : left),
    used: rounded(used),
    prepaidRemaining: rounded(usage.prepaidRemaining),
    prepaidUsed: rounded(usage.prepaidUsed),
  };
}

/** Every product in one record, from a function of its name. */
export const perProduct = <P extends string, V>(names: readonly P[], valueOf: (name: P) => V): { [N in P]: V } =>
  Object.fromEntries(names.map((name) => [name, valueOf(name)])) as { [N in P]: V };
