// Types of the rules of metering: what a call costs, and when the charge shows (§1.5, §4.2, §8)
import type { Change } from "./change.ts";
import type { Product } from "./ledger.ts";
import type { ErrorTable } from "./rpcCauses.ts";

/** Whose credits are spent before the others'; the interface doesn't say. */
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

export type MeteringChange = Change<MeteringRules>;
