// Types of causes and refusals of JSON-RPC calls (§7.2)

/** Why a call is refused; the first three are JSON-RPC's own (its §5.1), and `lag` has no code in the interface. */
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

/** Tables of codes and messages that methods share. */
export type ErrorTable = "tokenAccounts" | "compression" | "bundles";

export type RpcRefusals = { readonly [F in ErrorTable]: { readonly [C in RpcCause]?: RpcRefusal } };
