// Mutants of the errors of JSON-RPC methods (§7.2)
import type { ErrorTable } from "../../specs/generated/operations.ts";
import type { RpcCause, RpcRefusal } from "../errors/causes.ts";
import { refusals } from "../generated/refusals.ts";
import { mutantsOf, rpcError } from "../platform/mutant.ts";
import type { PlatformAnswer, ResponseMutation } from "../platform/wire.ts";

/** Another refusal for one cause of an error table. */
const refusedWith = (errorTable: ErrorTable, cause: RpcCause, refusal: Partial<RpcRefusal>) => ({
  rules: { rpc: { refusals: { [errorTable]: { [cause]: refusal } } } },
});
const ta = (cause: RpcCause, refusal: Partial<RpcRefusal>) => refusedWith("tokenAccounts", cause, refusal);
const cmp = (cause: RpcCause, refusal: Partial<RpcRefusal>) => refusedWith("compression", cause, refusal);
/** What getTokenAccounts answers for a cause. */
const taText = (cause: RpcCause): string => refusals.tokenAccounts[cause]?.message ?? "";

/** A refusal without an envelope, as an edge would send it. */
const bare =
  (method: string, cause: RpcCause, status: number): ResponseMutation =>
  (answer: PlatformAnswer, { rpc }) =>
    rpc?.cause === cause && (method === "compression" ? rpc.method !== "getTokenAccounts" : rpc.method === method)
      ? { status, headers: {}, body: undefined }
      : answer;

const leaks = "TypeError: Cannot read properties of undefined (reading 'slot')";

export const mutants = mutantsOf({
  "ERR-TA-32602.cmp-text": [ta("params", { message: "Invalid params" }), "ERR-TA-SET-01"],
  "ERR-TA-32602.no-period": ta("params", { message: "Invalid request parameters" }),
  "ERR-TA-32602.code-32600": [ta("params", { code: -32600 }), "TA-BAD-01"],
  "ERR-TA-32001.cmp-text": [ta("key", { message: "Unauthorized" }), "ERR-TA-SET-01"],
  "ERR-TA-32001.half": ta("key", { message: "Authentication failed." }),
  "ERR-TA-32003.as-32001": ta("permission", { code: -32001, message: taText("key") }),
  "ERR-TA-32003.timeout-text": [ta("permission", { message: "Gateway timeout" }), "ERR-TA-SET-01", "ERR-X-01"],
  "ERR-TA-32004.as-32602": ta("notFound", { code: -32602, message: taText("params") }),
  "ERR-TA-32004.http-404": bare("getTokenAccounts", "notFound", 404),
  "ERR-TA-32029.as-32005": [ta("rate", { code: -32005 }), "ERR-TA-SET-01"],
  "ERR-TA-32029.as-32000": ta("rate", { code: -32000 }),
  "ERR-TA-32000.as-32603": [ta("server", { code: -32603 }), "ERR-TA-SET-01"],
  "ERR-TA-32000.leaks": ta("server", { message: leaks }),
  "ERR-TA-SET-01.timeout-32003": [
    ta("server", { code: -32003, message: "Gateway timeout" }),
    "ERR-TA-32003",
    "ERR-X-01",
    "ERR-TA-32000",
  ],
  "ERR-TA-SET-01.foreign-32005": [ta("notFound", { code: -32005, message: "Too many requests" }), "ERR-TA-32004"],
  "ERR-TA-SET-01.positive": [ta("server", { code: 500 }), "EXT-JR-08", "ERR-TA-32000"],

  "ERR-CMP-32602.ta-text": [cmp("params", { message: taText("params") }), "ERR-CMP-SET-01", "NAP-BAD-01", "CB-BAD-01"],
  "ERR-CMP-32602.detail": [
    cmp("params", { message: "Invalid params: expected a base58 string at [0]" }),
    "NAP-BAD-01",
    "CB-BAD-01",
  ],
  "ERR-CMP-32001.ta-text": [cmp("key", { message: taText("key") }), "ERR-CMP-SET-01"],
  "ERR-CMP-32001.code-32002": [
    cmp("key", { code: -32002 }),
    "AUTH-RPC-MISS-01",
    "AUTH-RPC-UNKN-01",
    "AUTH-RPC-MALF-01",
    "ERR-CMP-32002",
  ],
  "ERR-CMP-32005.as-32029": [cmp("rate", { code: -32029 }), "ERR-CMP-SET-01"],
  "ERR-CMP-32005.title-case": cmp("rate", { message: "Too Many Requests" }),
  "ERR-CMP-32603.as-32000": [cmp("server", { code: -32000 }), "ERR-CMP-SET-01"],
  "ERR-CMP-32603.leaks": cmp("server", { message: leaks }),
  "ERR-CMP-32002.as-32603": cmp("unavailable", { code: -32603, message: "Internal error" }),
  "ERR-CMP-32002.http-503": bare("compression", "unavailable", 503),
  "ERR-CMP-32003.as-32002": cmp("timeout", { code: -32002, message: "Service unavailable" }),
  "ERR-CMP-32003.hangs": { rules: { rpc: { hangs: "timeout" } } },
  "ERR-CMP-32003.permission-text": [cmp("timeout", { message: taText("permission") }), "ERR-CMP-SET-01", "ERR-X-01"],
  "ERR-CMP-SET-01.foreign-32029": [cmp("rate", { code: -32029 }), "ERR-CMP-32005"],
  "ERR-CMP-SET-01.foreign-32004": [
    rpcError("getCompressedBalance", "unavailable", { code: -32004, message: taText("notFound") }),
    "ERR-CMP-32002",
  ],
  "ERR-CMP-SET-01.one-method-only": [
    rpcError("getIndexerHealth", "key", { ...refusals.tokenAccounts.key }),
    "ERR-CMP-32001",
  ],
  "ERR-X-01.permission-on-compression": [
    rpcError("getCompressedBalance", "timeout", { message: taText("permission") }),
    "ERR-CMP-SET-01",
    "ERR-CMP-32003",
  ],
  "ERR-X-01.timeout-on-ta": [ta("permission", { message: "Gateway timeout" }), "ERR-TA-SET-01", "ERR-TA-32003"],
});
