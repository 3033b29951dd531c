// Mutants of getCompressedBalance (§4.3)
import { docWithout, having, mutantsOf, result, resultDoc, rpcError } from "../platform/mutant.ts";
import type { BalanceRules } from "../platform/rpcRules.ts";
import type { Doc } from "../platform/wire.ts";

const rules = (balance: Partial<BalanceRules>) => ({ rules: { rpc: { balance } } });
const doc = (change: (doc: Doc) => Doc) => resultDoc("getCompressedBalance", change);

export const mutants = mutantsOf({
  "CB-PAR-01.positional": rules({ params: "an array" }),
  "CB-ADDR-01.address-ignored": rules({ byAddress: "always the first" }),
  "CB-ADDR-01.zero": [doc((served) => ({ ...served, value: 0 })), "CB-HASH-01"],
  "CB-HASH-01.hash-unsupported": rules({ byHash: "refused" }),
  "CB-HASH-01.hash-as-address": [rules({ byHash: "as an address" }), "CB-EQ-01"],
  "CB-EQ-01.hash-stale": [rules({ byHash: "before the last change" }), "CB-HASH-01"],
  "CB-EQ-01.hash-in-sol": [rules({ byHash: "in whole coins" }), "CB-HASH-01"],
  "CB-NULL-01.null-address-refused": rules({ nulls: "address refused" }),
  "CB-NULL-01.null-hash-refused": rules({ nulls: "hash refused" }),
  "CB-RES-01.value-string": doc((served) => having(served, "/value", (value) => String(value))),
  "CB-RES-01.value-object": doc((served) => having(served, "/value", (lamports) => ({ lamports }))),
  "CB-RES-01.context-missing": result(
    "getCompressedBalance",
    (served) => docWithout(served as Doc, "/context")["value"] ?? null,
  ),
  "GEN-NNEG-01.wrapped-balance": [
    doc((served) => having(served, "/value", (value) => BigInt.asIntN(54, value as bigint))),
    "CB-ADDR-01",
    "CB-HASH-01",
  ],
  "GEN-NNEG-01.unknown-slot": doc((served) => having(served, "/context/slot", () => -1)),
  "GEN-INT-01.slot-of-time": doc((served) => having(served, "/context/slot", (slot) => Number(slot) + 0.25)),
  "CB-BAD-01.internal": [
    rpcError(
      "getCompressedBalance",
      "params",
      { code: -32603, message: "Internal error" },
      ({ params }) => typeof (params as Doc)["hash"] === "string",
    ),
    "ERR-CMP-32602",
  ],
  "CB-BAD-01.null-value": [rules({ badInput: "valued null" }), "CB-RES-01", "ERR-CMP-32602"],
  "CB-BAD-01.as-rate": [
    rpcError("getCompressedBalance", "params", { code: -32005, message: "Too many requests" }),
    "ERR-CMP-32602",
  ],
  "CB-BAD-01.not-found-code": [
    rpcError("getCompressedBalance", "params", { code: -32004, message: "The requested resource was not found." }),
    "ERR-CMP-SET-01",
    "ERR-CMP-32602",
  ],
});
