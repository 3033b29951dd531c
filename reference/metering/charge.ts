// Which served calls are metered, under which product, for how many credits, and when does it show? (§1.2, §1.5, §4.2, §8)
import Big from "big.js";
import type { Value } from "../platform/wire.ts";
import type { Project } from "../platform/world.ts";
import type { ErrorTable } from "../rpc/refusals.ts";
import { entriesOf } from "../usage/usage.ts";
import type { WalletOperation } from "../wallet/rules.ts";
import { dayOf } from "./calendar.ts";
import type { Product } from "./ledger.ts";
import type { PoolOrder, Use } from "./meter.ts";

export interface MeteringRules {
  /** 100 credits for each call of a wallet endpoint (§4.2). */
  readonly walletPrice:
    | "100 each"
    | "10 for balances"
    | "100 per entry of a batch"
    | "the first of the day free"
    | "POST free"
    | "90 after the first thousand"
    | "150 where it takes long";
  readonly walletCount: "one each" | "one per entry of a batch" | "under rpc" | "none";
  /** What a wallet call is metered under besides. */
  readonly walletAlso: "nothing" | "enhancedApi" | "rpc";
  /** What wallet calls that run at once do to each other's charges. */
  readonly atOnce: "all charged" | "the last write counts" | "alike ones charged once";
  /** Whether JSON-RPC calls are metered at all. */
  readonly rpc: "metered" | "not metered";
  /** Which product a family of methods counts under; only that of compression is told (§2.1). */
  readonly products: { readonly [F in ErrorTable]: Product };
  /** Credits of one JSON-RPC call, by family; §8 shows none. */
  readonly prices: { readonly [F in ErrorTable]: string };
  readonly compressionCount: "one each" | "one per address" | "none for health";
  readonly rpcBatch: "each call" | "once";
  /** Of calls whose key is good. */
  readonly refused: "free" | "counted" | "charged";
  /** Real time until a charge shows. */
  readonly lag_ms: number;
  /** Charges show together, every so many ms of real time; 0: each by itself. */
  readonly together_ms: number;
  /** A usage document is made anew after so many ms; 0: each time. */
  readonly cached_ms: number;
  /** Every other usage document is of a replica so many ms behind. */
  readonly replica_ms: number;
  readonly pools: PoolOrder;
  /** What counts of an event that is delivered at a later attempt. */
  readonly deliveries: "events" | "attempts";
  readonly chargedTo: "the caller" | "nobody for keys in the query" | "whoever asked first on the connection";
  /** Whose metered calls a usage document tells of. */
  readonly shows: "the project's" | "everybody's" | "those of the client's address" | "those of the asking key";
}

export const honestMetering: MeteringRules = {
  walletPrice: "100 each",
  walletCount: "one each",
  walletAlso: "nothing",
  atOnce: "all charged",
  rpc: "metered",
  products: { tokenAccounts: "das", compression: "compression", bundles: "rpc" },
  prices: { tokenAccounts: "10", compression: "1", bundles: "1" },
  compressionCount: "one each",
  rpcBatch: "each call",
  refused: "free",
  lag_ms: 0,
  together_ms: 0,
  cached_ms: 0,
  replica_ms: 0,
  pools: "the plan's first",
  deliveries: "events",
  chargedTo: "the caller",
  shows: "the project's",
};

export type MeteringChange = Partial<Omit<MeteringRules, "products" | "prices">> & {
  readonly [T in "products" | "prices"]?: Partial<MeteringRules[T]>;
};

export const changedMetering = (rules: MeteringRules, change: MeteringChange = {}): MeteringRules => ({
  ...rules,
  ...change,
  products: { ...rules.products, ...change.products },
  prices: { ...rules.prices, ...change.prices },
});

/** One call of a wallet endpoint. */
export interface WalletCharge {
  readonly operation: WalletOperation;
  /** Addresses and domains of a batch; 1 of any other call. */
  readonly entries: number;
}

/** What one served wallet call adds to a project's ledger. */
export function walletUses(
  { walletCount, walletAlso, walletPrice }: MeteringRules,
  call: WalletCharge,
  project: Project,
  now_ms: number,
): readonly Use[] {
  const credits = walletCredits(walletPrice, call, project, now_ms);
  const requests = walletCount === "one per entry of a batch" ? call.entries : walletCount === "one each" ? 1 : 0;
  return [
    { product: "walletApi", credits, requests },
    ...(walletCount === "under rpc" ? [{ product: "rpc", credits: new Big(0), requests: 1 } as const] : []),
    ...(walletAlso === "enhancedApi" ? [{ product: "enhancedApi", credits: new Big(0), requests: 1 } as const] : []),
    ...(walletAlso === "rpc" ? [{ product: "rpc", credits: new Big(3), requests: 3 } as const] : []),
  ];
}

const takesLong: readonly WalletOperation[] = ["getWalletHistory", "getWalletTransfers"];

function walletCredits(
  price: MeteringRules["walletPrice"],
  { operation, entries }: WalletCharge,
  project: Project,
  now_ms: number,
): Big {
  const soFar = () => entriesOf(project, now_ms).filter(({ product }) => product === "walletApi");
  switch (price) {
    case "100 each":
      return new Big(100);
    case "10 for balances":
      return new Big(operation === "getWalletBalances" ? 10 : 100);
    case "100 per entry of a batch":
      return new Big(100 * entries);
    case "the first of the day free":
      return new Big(soFar().some(({ at_ms }) => dayOf(at_ms) === dayOf(now_ms)) ? 100 : 0);
    case "POST free":
      return new Big(operation === "batchWalletIdentity" ? 0 : 100);
    case "90 after the first thousand":
      return new Big(soFar().reduce((total, { requests }) => total + requests, 0) < 1000 ? 100 : 90);
    case "150 where it takes long":
      return new Big(takesLong.includes(operation) ? 150 : 100);
  }
}

/** What one served JSON-RPC call adds. */
export function rpcUse(
  { products, prices, compressionCount }: MeteringRules,
  errorTable: ErrorTable,
  method: string,
  params: Value | undefined,
): Use {
  const isUncounted = compressionCount === "none for health" && method === "getIndexerHealth";
  const isPerAddress =
    compressionCount === "one per address" && method === "getMultipleNewAddressProofs" && Array.isArray(params);
  return {
    product: products[errorTable],
    credits: new Big(prices[errorTable]),
    requests: isUncounted ? 0 : isPerAddress ? params.length : 1,
  };
}

/** Counted where refusals count, and paid where they cost. */
export const refusedUse = ({ refused }: MeteringRules, use: Use): Use | null =>
  refused === "free" ? null : refused === "charged" ? use : { ...use, credits: new Big(0) };
