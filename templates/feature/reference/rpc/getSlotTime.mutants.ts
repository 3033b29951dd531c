// Mutants of getSlotTime, and of the errors of slot methods (§4.3, §7.2)
import type { RpcCause, RpcRefusal } from "../errors/causes.ts";
import { type AlsoBroken, envelope, having, mutantsOf, resultDoc } from "../platform/mutant.ts";
import type { Doc } from "../platform/wire.ts";

const method = "getSlotTime";
const doc = (change: (doc: Doc) => Doc) => resultDoc(method, change);
const refused = (cause: RpcCause, refusal: Partial<RpcRefusal>) => ({
  rules: { rpc: { refusals: { slots: { [cause]: refusal } } } },
});

export const mutants = mutantsOf({
  "SLT-TIME-01.constant": doc((served) => having(served, "/time", () => 1_735_689_600)),
  "SLT-RES-01.time-string": doc((served) => having(served, "/time", () => "2025-01-01T00:00:00Z")),
  "SLT-RES-01.other-slot": doc((served) => having(served, "/slot", (slot) => Number(slot) - 1)),
  "SLT-BAD-01.latest": [
    envelope(method, ({ error: _, ...body }, { cause, params }) =>
      cause === "params" && Array.isArray(params) && params.length === 0
        ? { ...body, result: { slot: 351_000_000, time: 1_752_089_600 } }
        : undefined,
    ),
    "SLT-ERR-01",
  ],
  "SLT-ERR-01.cmp-text": [refused("params", { message: "Invalid params" }), "SLT-SET-01"],
  "SLT-ERR-02.ta-text": [
    refused("key", { message: "Authentication failed. Missing or invalid API key." }),
    "SLT-SET-01",
  ],
  "SLT-ERR-03.title-case": refused("rate", { message: "Slow Down" }),
  "SLT-ERR-04.leaks": refused("server", { message: "TypeError: Cannot read properties of undefined" }),
  "SLT-SET-01.foreign-32005": [refused("rate", { code: -32005 }), "SLT-ERR-03"],
});

/** Mutants of the errors of every method. */
export const alsoBroken: readonly AlsoBroken[] = [
  ["AUTH-RPC-MISS-01.code-32600", "SLT-ERR-02"],
  ["AUTH-RPC-MISS-01.rest-body", "SLT-ERR-02"],
  ["AUTH-RPC-MALF-01.code-32602", "SLT-SET-01", "SLT-ERR-01"],
  ["AUTH-RPC-MALF-01.internal", "SLT-SET-01"],
  ["AUTH-RPC-UNKN-01.code-32004", "SLT-ERR-02", "SLT-SET-01"],
  ["EXT-JR-08.out-of-range", "SLT-SET-01", "SLT-ERR-04"],
];
