// Errors of the compression methods (§7.2)
import { protocol, type RefusalsByCause } from "./causes.ts";

export const refusals: RefusalsByCause = {
  ...protocol,
  params: { code: -32602, message: "Invalid params" },
  key: { code: -32001, message: "Unauthorized" },
  rate: { code: -32005, message: "Too many requests" },
  server: { code: -32603, message: "Internal error" },
  unavailable: { code: -32002, message: "Service unavailable" },
  timeout: { code: -32003, message: "Gateway timeout" },
  // The interface shows no code for it; this one is in JSON-RPC's range for implementations.
  lag: { code: -32006, message: "Indexer is behind" },
};
