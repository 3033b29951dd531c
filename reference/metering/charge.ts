// What a served call adds to the ledger: product, credits, requests (§1.2, §1.5, §4.2, §8)
import Big from "big.js";
import type { ErrorTable } from "../../specs/generated/operations.ts";
import type { LedgerEntry } from "../platform/ledger.ts";
import type { MeteringRules } from "../platform/meteringRules.ts";
import type { Project } from "../platform/project.ts";
import type { WalletRouteName } from "../platform/walletRules.ts";
import type { Value } from "../platform/wire.ts";
import { utcDayOf } from "./calendar.ts";
import { entriesOf, type MeteredUse } from "./meter.ts";

/** One call of a wallet endpoint. */
export interface WalletCharge {
  readonly operation: WalletRouteName;
  /** Addresses and domains of a batch; 1 of any other call. */
  readonly entries: number;
}

/** What one served wallet call adds to a project's ledger. */
export function walletUses(
  { walletProduct, walletCount, walletAlso, walletPrice }: MeteringRules,
  call: WalletCharge,
  project: Project,
  now_ms: number,
): readonly MeteredUse[] {
  const soFar = () => entriesOf(project, now_ms).filter(({ product }) => product === "walletApi");
  const credits = new Big(walletPrices[walletPrice](call, soFar, now_ms));
  const requests = walletCount === "one per entry of a batch" ? call.entries : walletCount === "one each" ? 1 : 0;
  return [
    { product: walletProduct, credits, requests },
    ...(walletCount === "under rpc" ? [{ product: "rpc", credits: new Big(0), requests: 1 } as const] : []),
    ...(walletAlso === "enhancedApi" ? [{ product: "enhancedApi", credits: new Big(0), requests: 1 } as const] : []),
    ...(walletAlso === "rpc" ? [{ product: "rpc", credits: new Big(3), requests: 3 } as const] : []),
  ];
}

const takesLong: readonly WalletRouteName[] = ["getWalletHistory", "getWalletTransfers"];

/** What a wallet call costs, given how the cycle went so far. */
type Price = (call: WalletCharge, soFar: () => readonly LedgerEntry[], now_ms: number) => number;

const walletPrices: { readonly [P in MeteringRules["walletPrice"]]: Price } = {
  "100 each": () => 100,
  "10 for balances": ({ operation }) => (operation === "getWalletBalances" ? 10 : 100),
  "100 per entry of a batch": ({ entries }) => 100 * entries,
  "the first of the day free": (_, soFar, now_ms) =>
    soFar().some(({ at_ms }) => utcDayOf(at_ms) === utcDayOf(now_ms)) ? 100 : 0,
  "POST free": ({ operation }) => (operation === "batchWalletIdentity" ? 0 : 100),
  "90 after the first thousand": (_, soFar) =>
    soFar().reduce((total, { requests }) => total + requests, 0) < 1000 ? 100 : 90,
  "150 where it takes long": ({ operation }) => (takesLong.includes(operation) ? 150 : 100),
};

/** What one served JSON-RPC call adds. */
export function rpcUse(
  { products, prices, compressionCount }: MeteringRules,
  errorTable: ErrorTable,
  method: string,
  params: Value | undefined,
): MeteredUse {
  const isUncounted = compressionCount === "none for health" && method === "getIndexerHealth";
  const isPerAddress =
    compressionCount === "one per address" && method === "getMultipleNewAddressProofs" && Array.isArray(params);
  return {
    product: products[errorTable] ?? "rpc",
    credits: new Big(prices[errorTable] ?? "1"),
    requests: isUncounted ? 0 : isPerAddress ? params.length : 1,
  };
}

/** Counted where refusals count, and paid where they cost. */
export const refusedUse = ({ refused }: MeteringRules, use: MeteredUse): MeteredUse | null =>
  refused === "free" ? null : refused === "charged" ? use : { ...use, credits: new Big(0) };
