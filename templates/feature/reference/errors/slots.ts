// Errors of the slot methods (§7.2)
import { protocol, type RefusalsByCause } from "./causes.ts";

export const refusals: RefusalsByCause = {
  ...protocol,
  params: { code: -32602, message: "Not a slot" },
  key: { code: -32001, message: "Unauthorized" },
  rate: { code: -32019, message: "Slow down" },
  server: { code: -32000, message: "Ledger not available" },
};
