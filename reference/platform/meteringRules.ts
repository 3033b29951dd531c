// Types of the rules of metering: what a call costs, and when the charge shows (§1.5, §4.2, §8)
import type { Change } from "./change.ts";
import type { Product } from "./ledger.ts";
import type { ErrorTable } from "./rpcCauses.ts";

/** The pool whose credits are spent first; unspecified. */
export type PoolOrder = "the plan's first" | "prepaid ones first";

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
  /** A further product under which a wallet call is metered. */
  readonly walletAlso: "nothing" | "enhancedApi" | "rpc";
  /** The charges of wallet calls that run at once. */
  readonly atOnce: "all charged" | "the last write counts" | "alike ones charged once";
  /** Whether JSON-RPC calls are metered at all. */
  readonly rpc: "metered" | "not metered";
  /** The product under which an error table's methods count; only that of compression is documented (§2.1). */
  readonly products: { readonly [F in ErrorTable]: Product };
  /** Credits of one JSON-RPC call, by error table; §8 shows none. */
  readonly prices: { readonly [F in ErrorTable]: string };
  readonly compressionCount: "one each" | "one per address" | "none for health";
  readonly rpcBatch: "each call" | "once";
  /** Refused calls whose key is valid. */
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
  /** What counts where an event is delivered at a later attempt. */
  readonly deliveries: "events" | "attempts";
  readonly chargedTo: "the caller" | "free for keys in the query" | "the first caller on the connection";
  /** The calls that a usage document shows. */
  readonly shows: "the project's" | "all projects'" | "those of the client's address" | "those of the reader's key";
}

export type MeteringChange = Change<MeteringRules>;
