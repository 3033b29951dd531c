// What does the platform hand to the handler of one JSON-RPC method?
import type { Book } from "../bundles/book.ts";
import type { Chain } from "../platform/chain.ts";
import type { Value } from "../platform/wire.ts";
import type { Indexer } from "../platform/world.ts";
import type { ErrorTable } from "./refusals.ts";
import type { RpcRules } from "./rules.ts";

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
  /** The caller's; empty where there is none. */
  readonly project: string;
  readonly id: Value;
  readonly carried: Carried;
  /** Bundles that were sent. */
  readonly book: Book;
}

export interface Method {
  readonly errorTable: ErrorTable;
  /** @throws Refused */
  readonly handle: (context: RpcContext) => Value | Promise<Value>;
}

/** The last slot whose data the index holds. */
export const indexedSlot = ({ slot, indexer }: Pick<RpcContext, "slot" | "indexer">): number => slot - indexer.behindBy;

export const isObject = (value: Value | undefined): value is { [member: string]: Value } =>
  typeof value === "object" && value !== null && !Array.isArray(value);
