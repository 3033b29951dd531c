// Records of wallets; their members aren't shown (§2.6), these are this platform's own
import Big from "big.js";
import { slotAt } from "../platform/chain.ts";
import type { WalletChoices } from "../platform/walletRules.ts";
import type { Doc, Value } from "../platform/wire.ts";
import {
  type Asset,
  type BalanceChange,
  changesOf,
  fee,
  heldAfter,
  type Movement,
  movementsOf,
  type WalletTransfer,
} from "./movements.ts";
import { type Person, personAt } from "./people.ts";
import { coin, tokenOf } from "./tokens.ts";

/** The wallet that a path or an entry names; the address is null for a domain without an owner. */
export interface Named {
  readonly query: string;
  readonly address: string | null;
  readonly person: Person | null;
}

/** For an unknown address everything is empty or null. */
export const walletIdentity = ({ query, address, person }: Named): Doc => ({
  query,
  address,
  name: person?.name ?? null,
  category: person?.category ?? null,
  domain: person?.domains[0] ?? null,
  domains: [...(person?.domains ?? [])],
});

const decimalsOf = (asset: Asset): number => (asset === null ? coin.decimals : (tokenOf(asset)?.decimals ?? 0));

/** US dollars, to the cent; null without a price. */
function valueOf(asset: Asset, amount: bigint): number | null {
  const price = asset === null ? coin.price_usd : (tokenOf(asset)?.price_usd ?? null);
  return price === null
    ? null
    : new Big(price)
        .times(amount.toString())
        .div(new Big(10).pow(decimalsOf(asset)))
        .round(2)
        .toNumber();
}

function priced(asset: Asset, amount: bigint, { noPrice }: WalletChoices): Doc {
  const usdValue = valueOf(asset, amount);
  if (usdValue === null && noPrice === "left out") return {};
  return { usdValue: usdValue === null && noPrice === "zero" ? 0 : usdValue };
}

/** Every asset that is held, with its present value. */
export function balancesOf(address: string, now_ms: number, choices: WalletChoices): Doc {
  const held = [...heldAfter(address, () => true)];
  const of = (kind: "token" | "nft") =>
    held.flatMap(([asset, amount]) =>
      asset !== null && tokenOf(asset)?.kind === kind ? [[asset, amount] as const] : [],
    );
  const worth = held.reduce((total, [asset, amount]) => total.plus(valueOf(asset, amount) ?? 0), new Big(0));
  const lamports = held.find(([asset]) => asset === null)?.[1] ?? 0n;
  return {
    address,
    slot: slotAt(now_ms),
    totalUsdValue: worth.toNumber(),
    native: { symbol: coin.symbol, amount: lamports, decimals: coin.decimals, ...priced(null, lamports, choices) },
    tokens: of("token").map(([mint, amount]) => ({
      mint,
      symbol: tokenOf(mint)?.symbol ?? "",
      amount,
      decimals: decimalsOf(mint),
      ...priced(mint, amount, choices),
    })),
    nfts: of("nft").map(([mint, amount]) => ({
      mint,
      name: tokenOf(mint)?.name ?? "",
      ...priced(mint, amount, choices),
    })),
  };
}

/** A past moment. */
export interface Moment {
  readonly slot: number;
  readonly at_ms: number;
  isPast(movement: Movement): boolean;
}

export const balanceAt = (address: string, asset: Asset, { slot, at_ms, isPast }: Moment): Doc => ({
  address,
  mint: asset,
  balance: heldAfter(address, isPast).get(asset) ?? 0n,
  decimals: decimalsOf(asset),
  slot,
  time: Math.floor(at_ms / 1000),
  datetime: new Date(at_ms).toISOString(),
});

const placed = ({ signature, slot, at_ms }: Movement): Doc => ({ signature, slot, time: at_ms / 1000 });

const shownChange = ({ asset, by }: BalanceChange): Doc => ({ mint: asset, amount: by, decimals: decimalsOf(asset) });

/** All of it fits on one page. */
const paged = ({ paging }: WalletChoices): Doc =>
  paging === "told" ? { pagination: { hasMore: false, nextCursor: null } } : {};

/** The newest first. */
export const walletHistoryOf = (address: string, choices: WalletChoices): Doc => ({
  address,
  ...paged(choices),
  transactions: movementsOf(address)
    .map((movement) => ({
      ...placed(movement),
      feePayer: movement.payer,
      fee,
      balanceChanges: changesOf(movement, address).map(shownChange),
    }))
    .reverse(),
});

const shownTransfer = (address: string, movement: Movement, { asset, from, to, amount }: WalletTransfer): Doc => ({
  ...placed(movement),
  from,
  to,
  direction: to === address ? "in" : "out",
  mint: asset,
  amount,
  decimals: decimalsOf(asset),
});

/** The newest first. */
export const transfersOf = (address: string, choices: WalletChoices): Doc => ({
  address,
  ...paged(choices),
  transfers: movementsOf(address)
    .flatMap((movement) =>
      movement.transfers
        .filter(({ from, to }) => from === address || to === address)
        .map((transfer) => shownTransfer(address, movement, transfer)),
    )
    .reverse(),
});

/** The first coins that another wallet sent. */
export function fundedBy(address: string): Doc {
  for (const movement of movementsOf(address)) {
    const source = movement.transfers.find(({ asset, from, to }) => asset === null && to === address && from !== null);
    if (source)
      return {
        address,
        fundedBy: {
          address: source.from,
          name: personAt(source.from ?? "")?.name ?? null,
          lamports: source.amount,
          ...placed(movement),
        },
      };
  }
  return { address, fundedBy: null };
}

const inTexts = (value: Value): Value => {
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return value.map(inTexts);
  return typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inTexts(inner)]))
    : value;
};

/** A record in this platform's form. */
export const writtenRecord = (record: Doc, { amounts, meta }: WalletChoices): Doc => ({
  ...(amounts === "texts" ? (inTexts(record) as Doc) : record),
  ...(meta === "told" ? { meta: { apiVersion: "v1", stability: "beta" } } : {}),
});
