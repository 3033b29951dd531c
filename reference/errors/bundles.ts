// Errors of the bundle methods: the interface shows only that of the key (§5.5); the others are this platform's
import { protocol, type RefusalsByCause } from "./causes.ts";

export const refusals: RefusalsByCause = {
  ...protocol,
  params: { code: -32602, message: "Invalid params" },
  key: { code: -32001, message: "Unauthorized" },
  rate: { code: -32097, message: "Too many requests" },
};
