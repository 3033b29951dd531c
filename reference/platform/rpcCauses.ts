// Causes, codes and messages of refused JSON-RPC calls (§7.2), typed by hand: the judge has its own tables

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

const protocol = {
  parse: { code: -32700, message: "Parse error" },
  invalid: { code: -32600, message: "Invalid Request" },
  method: { code: -32601, message: "Method not found" },
} as const;

export const documentedRefusals: RpcRefusals = {
  tokenAccounts: {
    ...protocol,
    params: { code: -32602, message: "Invalid request parameters." },
    key: { code: -32001, message: "Authentication failed. Missing or invalid API key." },
    permission: { code: -32003, message: "You do not have permission to access this resource." },
    notFound: { code: -32004, message: "The requested resource was not found." },
    rate: { code: -32029, message: "Rate limit exceeded. Please try again later." },
    server: { code: -32000, message: "An unexpected error occurred on the server." },
  },
  compression: {
    ...protocol,
    params: { code: -32602, message: "Invalid params" },
    key: { code: -32001, message: "Unauthorized" },
    rate: { code: -32005, message: "Too many requests" },
    server: { code: -32603, message: "Internal error" },
    unavailable: { code: -32002, message: "Service unavailable" },
    timeout: { code: -32003, message: "Gateway timeout" },
    // The interface shows no code for it; this one is in JSON-RPC's range for implementations.
    lag: { code: -32006, message: "Indexer is behind" },
  },
  // The interface shows only that of the key (§5.5); the others are this platform's.
  bundles: {
    ...protocol,
    params: { code: -32602, message: "Invalid params" },
    key: { code: -32001, message: "Unauthorized" },
    rate: { code: -32097, message: "Too many requests" },
  },
};
