// Mutants of getCompressedBalance (§4.3)
import { having, lacking, mutant, result, resultDoc, rpcError } from "../platform/mutant.ts";
import type { BalanceRules } from "../platform/rpcRules.ts";
import type { Doc } from "../platform/wire.ts";

const rules = (balance: Partial<BalanceRules>) => ({ rules: { rpc: { balance } } });
const doc = (change: (doc: Doc) => Doc) => ({ answer: resultDoc("getCompressedBalance", change) });

export const mutants = [
  mutant("CB-PAR-01.positional", rules({ params: "an array" })),
  mutant("CB-ADDR-01.address-ignored", rules({ byAddress: "always the first" })),
  mutant(
    "CB-ADDR-01.zero",
    doc((served) => ({ ...served, value: 0 })),
    "CB-HASH-01",
  ),
  mutant("CB-HASH-01.hash-unsupported", rules({ byHash: "refused" })),
  mutant("CB-HASH-01.hash-as-address", rules({ byHash: "as an address" }), "CB-EQ-01"),
  mutant("CB-EQ-01.hash-stale", rules({ byHash: "before the last change" }), "CB-HASH-01"),
  mutant("CB-EQ-01.hash-in-sol", rules({ byHash: "in whole coins" }), "CB-HASH-01"),
  mutant("CB-NULL-01.null-address-refused", rules({ nulls: "address refused" })),
  mutant("CB-NULL-01.null-hash-refused", rules({ nulls: "hash refused" })),
  mutant(
    "CB-RES-01.value-string",
    doc((served) => having(served, "/value", (value) => String(value))),
  ),
  mutant(
    "CB-RES-01.value-object",
    doc((served) => having(served, "/value", (lamports) => ({ lamports }))),
  ),
  mutant("CB-RES-01.context-missing", {
    answer: result("getCompressedBalance", (served) => lacking(served as Doc, "/context")["value"] ?? null),
  }),
  mutant(
    "CB-BAD-01.internal",
    {
      answer: rpcError("getCompressedBalance", "params", (error, { params }) =>
        typeof (params as Doc)["hash"] === "string" ? { code: -32603, message: "Internal error" } : error,
      ),
    },
    "ERR-CMP-32602",
  ),
  mutant("CB-BAD-01.null-value", rules({ badInput: "valued null" }), "CB-RES-01", "ERR-CMP-32602"),
  mutant(
    "CB-BAD-01.not-found-code",
    {
      answer: rpcError("getCompressedBalance", "params", () => ({
        code: -32004,
        message: "The requested resource was not found.",
      })),
    },
    "ERR-CMP-SET-01",
    "ERR-CMP-32602",
  ),
];
