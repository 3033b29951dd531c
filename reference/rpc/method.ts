// What does the platform hand to the handler of one JSON-RPC method?
import type { Chain } from "../chain.ts";
import type { Value } from "../wire.ts";
import type { Indexer } from "../world.ts";
import type { Family } from "./refusals.ts";
import type { RpcRules } from "./rules.ts";

export interface RpcVisit {
  /** Undefined where the request had none. */
  readonly params: Value | undefined;
  readonly chain: Chain;
  readonly rules: RpcRules;
  /** The slot of this instant. */
  readonly slot: number;
  /** Unix time in ms. */
  readonly now_ms: number;
  /** As the caller's project sees it. */
  readonly indexer: Indexer;
}

export interface Method {
  readonly family: Family;
  /** @throws Refused */
  readonly handle: (visit: RpcVisit) => Value;
}

/** The last slot whose data the index holds. */
export const indexedSlot = ({ slot, indexer }: Pick<RpcVisit, "slot" | "indexer">): number => slot - indexer.behindBy;

export const isObject = (value: Value | undefined): value is { [member: string]: Value } => typeof value === "object" && value !== null && !Array.isArray(value);
