// Is there a way to test bundles before submission? (§4.3) Neither its parameters nor its result are shown.
import { type Check, check } from "../../harness/check.ts";
import { broken, held } from "../../harness/finding.ts";
import { rpcErrorOf } from "../../harness/rpc.ts";
import { part, simulate } from "./bundles.ts";

export const checks: readonly Check[] = [
  check("SIM-EXIST-01", simulate([[]], { id: 50 }), (exchange) => (rpcErrorOf(exchange)?.code === -32601 ? broken("/error/code", "a method of that name", -32601) : held), {
    part,
  }),
];
