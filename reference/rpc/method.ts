// What the handler of one JSON-RPC method gets, and what it is
import type { ErrorTable } from "../../specs/generated/operations.ts";
import type { BundleBook } from "../bundles/book.ts";
import type { Chain } from "../platform/chain.ts";
import type { Indexer } from "../platform/project.ts";
import type { RpcRules } from "../platform/rpcRules.ts";
import type { Value } from "../platform/wire.ts";

/** What came beside the body. */
export interface Carried {
  query(name: string): string | null;
  header(name: string): string | null;
}

export interface RpcContext {
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
  /** The caller's id; empty without one. */
  readonly project: string;
  readonly id: Value;
  readonly carried: Carried;
  /** Bundles that were sent. */
  readonly book: BundleBook;
}

export interface ServedMethod {
  readonly errorTable: ErrorTable;
  /** @throws Refused */
  readonly handle: (context: RpcContext) => Value | Promise<Value>;
}

/** Handlers by the names of their methods. */
export type Methods = ReadonlyMap<string, ServedMethod>;

/** The last slot whose data the index holds. */
export const indexedSlot = ({ slot, indexer }: Pick<RpcContext, "slot" | "indexer">): number => slot - indexer.behindBy;
