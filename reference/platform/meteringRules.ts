// The rules of metering: what a call costs, and when the charge shows (§1.2, §1.5, §4.2, §8)
import type { ErrorTable } from "../../specs/generated/operations.ts";
import { type ChangeOf, rule } from "./change.ts";
import type { ChargedProduct } from "./ledger.ts";

/** The pool whose credits are spent first; unspecified. */
export type PoolOrder = "the plan's first" | "prepaid ones first";

export const honestMetering = {
  /** 100 credits for each call of a wallet endpoint (§4.2). */
  walletPrice: rule(
    "100 each",
    "10 for balances",
    "100 per entry of a batch",
    "the first of the day free",
    "POST free",
    "90 after the first thousand",
    "150 where it takes long",
  ),
  walletProduct: rule("walletApi", "rpc"),
  walletCount: rule("one each", "one per entry of a batch", "under rpc", "none"),
  /** A further product under which a wallet call is metered. */
  walletAlso: rule("nothing", "enhancedApi", "rpc"),
  /** The charges of wallet calls that run at once. */
  atOnce: rule("all charged", "the last write counts", "alike ones charged once"),
  /** Whether JSON-RPC calls are metered at all. */
  rpc: rule("metered", "not metered"),
  /** The product under which an error table's methods count, rpc by default; compression alone is documented (§2.1). */
  products: rule<{ readonly [T in ErrorTable]?: ChargedProduct }>({ tokenAccounts: "das", compression: "compression" }),
  /** Credits of one JSON-RPC call, by error table and 1 by default; §8 shows none. */
  prices: rule<{ readonly [T in ErrorTable]?: string }>({ tokenAccounts: "10" }),
  compressionCount: rule("one each", "one per address", "none for health"),
  rpcBatch: rule("each call", "once"),
  /** Refused calls whose key is valid. */
  refused: rule("free", "counted", "charged"),
  /** Real time until a charge shows. */
  lag_ms: rule<number>(0),
  /** Charges show together, every so many ms of real time; 0: each by itself. */
  together_ms: rule<number>(0),
  /** A usage document is made anew after so many ms; 0: each time. */
  cached_ms: rule<number>(0),
  /** Every other usage document is of a replica so many ms behind. */
  replica_ms: rule<number>(0),
  pools: rule<PoolOrder>("the plan's first"),
  /** What counts where an event is delivered at a later attempt. */
  deliveries: rule("events", "attempts"),
  chargedTo: rule("the caller", "free for keys in the query", "the first caller on the connection"),
  /** The calls that a usage document shows. */
  shows: rule("the project's", "all projects'", "those of the client's address", "those of the reader's key"),
} as const;
export type MeteringRules = typeof honestMetering;

export type MeteringChange = ChangeOf<MeteringRules>;
