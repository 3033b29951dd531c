// Tokens and NFTs of wallets, and their prices: made up, always the same (§4.2)
import { chainAddressOf } from "../platform/chain.ts";

export interface Token {
  readonly mint: string;
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
  readonly kind: "token" | "nft";
  /** US dollars for one whole token; null without a price. */
  readonly price_usd: string | null;
}

/** The chain's own coin, which has no mint. */
export const coin = { symbol: "SOL", name: "The chain's own coin", decimals: 9, price_usd: "142.37" } as const;

const token = (mint: string, symbol: string, decimals: number, price_usd: string | null): Token => ({
  mint: chainAddressOf(mint),
  symbol,
  name: `${symbol} token`,
  decimals,
  kind: "token",
  price_usd,
});

/** With the mints of token accounts, so that one mint is one token on every API. */
export const tokens: readonly Token[] = [
  token("mint 0", "USDA", 6, "1.0002"),
  token("mint 111", "REEF", 9, "0.0417"),
  token("mint 2", "DUST", 0, null),
  token("mint 3", "KELP", 5, "12.6"),
  token("mint 4", "BARN", 8, null),
  token("mint 5", "MOSS", 6, "0.00000231"),
];

/** Three in four belong to a collection that is traded. */
export const nfts: readonly Token[] = Array.from({ length: 16 }, (_, nth) => ({
  mint: chainAddressOf(`nft ${nth}`),
  symbol: "TIDE",
  name: `Tide #${nth + 1}`,
  decimals: 0,
  kind: "nft",
  price_usd: nth % 4 === 3 ? null : `${120 + nth * 7}.5`,
}));

const byMint: ReadonlyMap<string, Token> = new Map([...tokens, ...nfts].map((one) => [one.mint, one]));

/** Undefined for an unknown mint. */
export const tokenOf = (mint: string): Token | undefined => byMint.get(mint);
