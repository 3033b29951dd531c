// Why JSON-RPC calls are refused, and the errors of JSON-RPC itself (§7.2; JSON-RPC 2.0, 5.1)
import type { ErrorTable } from "../../specs/generated/operations.ts";

/** Why a call is refused; the first three are JSON-RPC's own, and `lag` has no code in the interface. */
export type RpcCause =
  | "parse"
  | "invalid"
  | "method"
  | "lag"
  | "params"
  | "key"
  | "permission"
  | "notFound"
  | "rate"
  | "server"
  | "unavailable"
  | "timeout";

export interface RpcRefusal {
  readonly code: number;
  readonly message: string;
}

/** One error table, typed by hand: the judge has its own. */
export type RefusalsByCause = { readonly [C in RpcCause]?: RpcRefusal };

export type RpcRefusals = { readonly [T in ErrorTable]: RefusalsByCause };

/** The errors that JSON-RPC itself defines, which each table has. */
export const protocol = {
  parse: { code: -32700, message: "Parse error" },
  invalid: { code: -32600, message: "Invalid Request" },
  method: { code: -32601, message: "Method not found" },
} as const;
