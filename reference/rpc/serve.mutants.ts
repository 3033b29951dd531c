// Mutants of JSON-RPC envelopes: ids, paths, keys and JSON-RPC's own rules (§4.3, §5, §7.2)
import { envelope, mutant, rpcError } from "../platform/mutant.ts";
import {
  type Doc,
  isObject,
  type ResponseMutation,
  type RpcCall,
  textOf,
  type Value,
  type WireAnswer,
} from "../platform/wire.ts";
import { documentedRefusals } from "./refusals.ts";

type BodyChange = Parameters<typeof envelope>[1];

const everywhere = (change: BodyChange) => ({ answer: envelope("any", change) });
const served = (change: BodyChange) =>
  everywhere((body, call) => (call.cause === null ? change(body, call) : undefined));
const refused = (change: BodyChange) =>
  everywhere((body, call) => (call.cause === null ? undefined : change(body, call)));
const withId = (change: (id: Value, call: RpcCall) => Value) =>
  served((body, call) => ({ ...body, id: change(body["id"] ?? null, call) }));

/** Another error for one kind of bad key, on all methods or one. */
const keyRefused = (
  kind: RpcCall["keyCause"],
  error: { readonly code: number; readonly message: string },
  method: Parameters<typeof rpcError>[0] = "any",
): { readonly answer: ResponseMutation } => ({
  answer: rpcError(method, "key", (honest, call) => (call.keyCause === kind ? { ...error } : honest)),
});

const restBody = (answer: WireAnswer, call: { readonly rpc: RpcCall | null }): WireAnswer =>
  call.rpc?.keyCause === "noKey"
    ? {
        ...answer,
        status: 401,
        body: { statusCode: 401, message: "Missing or invalid API key", error: "Unauthorized" },
      }
    : answer;

export const mutants = [
  mutant("RPC-PATH-01.rpc-suffix", { rules: { rpc: { paths: ["/rpc"] } } }, "GEN-POST-01"),
  mutant(
    "RPC-PATH-01.method-path",
    {
      rules: {
        rpc: {
          paths: ["/getTokenAccounts", "/getMultipleNewAddressProofs", "/getCompressedBalance", "/getIndexerHealth"],
        },
      },
    },
    "GEN-POST-01",
  ),
  mutant(
    "RPC-ENV-01.number",
    served((body) => ({ ...body, jsonrpc: 2 })),
  ),
  mutant(
    "RPC-ENV-01.absent",
    served(({ jsonrpc: _, ...rest }) => rest),
  ),
  mutant(
    "RPC-ENV-01.one-dot-zero",
    served((body) => ({ ...body, jsonrpc: "1.0" })),
  ),
  mutant(
    "RPC-ENV-02.numeric-coercion",
    withId((id) => (typeof id === "string" && /^\d+$/.test(id) ? Number(id) : id)),
  ),
  mutant(
    "RPC-ENV-02.lowercased",
    withId((id) => (typeof id === "string" ? id.toLowerCase() : id)),
  ),
  mutant(
    "RPC-ENV-02.truncated",
    withId((id) => (typeof id === "string" ? id.slice(0, 36) : id)),
  ),
  mutant(
    "RPC-ENV-03.stringified",
    withId((id) => (typeof id === "number" ? String(id) : id)),
    "BND-ID-01",
  ),
  mutant(
    "RPC-ENV-03.int32",
    withId((id) => (typeof id === "number" ? id | 0 : id)),
    "BND-ID-01",
  ),
  mutant(
    "RPC-ENV-03.always-one",
    withId((id) => (typeof id === "number" ? 1 : id)),
    "BND-ID-01",
  ),
  mutant(
    "RPC-ENV-04.error-null",
    served((body) => ({ ...body, error: null })),
    "EXT-JR-01",
  ),
  mutant(
    "RPC-ENV-04.unwrapped",
    served((body) => body["result"] ?? null),
    "RPC-ENV-01",
  ),
  mutant(
    "RPC-ENV-04.result-missing",
    served(({ result, ...rest }) => (isEmptyList(result) ? rest : { ...rest, result: result ?? null })),
    "EXT-JR-01",
  ),
  mutant("RPC-ENV-05.code-string", {
    answer: rpcError("any", "params", (error) => ({ ...error, code: String(error["code"]) })),
  }),
  mutant("RPC-ENV-05.message-missing", { answer: rpcError("any", "any", ({ message: _, ...rest }) => rest) }),
  mutant("RPC-ENV-05.error-string", { answer: rpcError("any", "any", ({ message }) => message ?? null) }),
  mutant(
    "RPC-ENV-06.result-null",
    refused((body) => ({ ...body, result: null })),
    "EXT-JR-01",
  ),
  mutant(
    "RPC-ENV-07.auth-id-null",
    refused((body, { cause }) => (cause === "key" ? { ...body, id: null } : undefined)),
  ),
  mutant(
    "RPC-ENV-07.limit-id-absent",
    refused(({ id, ...rest }, { cause }) => (cause === "rate" ? rest : { ...rest, id: id ?? null })),
  ),
  mutant(
    "RPC-ENV-07.param-id-one",
    refused((body, { cause }) => (cause === "params" ? { ...body, id: 1 } : undefined)),
  ),
  mutant(
    "RPC-ENV-08.cached-envelope",
    { rules: { rpc: { cache: "of whole envelopes" } } },
    "RPC-ENV-02",
    "RPC-ENV-03",
    "EXT-JR-06",
    "EXT-JR-07",
    "BND-ID-01",
    "BST-CTX-01",
    "BST-ELT-07",
  ),
  mutant(
    "RPC-ENV-08.cross-talk",
    { rules: { rpc: { echoes: "the id of the latest call of its method" } } },
    "RPC-ENV-02",
    "RPC-ENV-03",
    "RPC-ENV-07",
  ),
  mutant("RPC-ENV-09.rejects-string-id", { rules: { rpc: { stringIds: "refused" } } }),
  mutant("RPC-ENV-09.requires-meta", { rules: { rpc: { requiredMember: "meta" } } }, "VER-RPC-01"),

  mutant("GEN-POST-01.get-only", { rules: { rpc: { verbs: ["GET"] } } }, "RPC-PATH-01"),
  mutant(
    "GEN-POST-01.put-required",
    {
      rules: { rpc: { verbs: ["PUT"] } },
      answer: (answer, { path }) =>
        path === "/" && answer.status === 405
          ? { ...answer, status: 404, body: { statusCode: 404, message: "Cannot POST /", error: "Not Found" } }
          : answer,
    },
    "RPC-PATH-01",
  ),
  mutant("GEN-SURF-01.indexer-health-missing", { rules: { rpc: { unknownMethods: ["getIndexerHealth"] } } }),
  mutant("GEN-SURF-01.bundle-status-missing", { rules: { rpc: { unknownMethods: ["getBundleStatuses"] } } }),
  mutant("GEN-SURF-01.case-folded", { rules: { rpc: { methodNames: "in lower case" } } }, "SIM-EXIST-01"),
  mutant("GEN-JSON-01.rpc-error-text-plain", {
    answer: (answer, { rpc }) =>
      rpc?.cause ? { ...answer, headers: { ...answer.headers, "content-type": "text/plain" } } : answer,
  }),
  mutant("GEN-JSON-02.wants-json-rpc-type", { rules: { rpc: { mediaTypes: ["application/json-rpc"] } } }),
  mutant("GEN-JSON-03.truncated", {
    answer: (answer) => {
      const text = textOf(answer.body);
      return typeof text === "string" && text.length > 8192
        ? { ...answer, body: { raw: text.slice(0, 8192) } }
        : answer;
    },
  }),

  mutant("AUTH-RPC-QRY-01.header-only", { rules: { rpc: { keyIn: "header" } } }, "AUTH-ALL-03"),
  mutant(
    "AUTH-RPC-MISS-01.code-32600",
    keyRefused("noKey", { code: -32600, message: "Invalid Request" }),
    "ERR-CMP-32001",
    "ERR-TA-32001",
  ),
  mutant("AUTH-RPC-MISS-01.rest-body", { answer: restBody }, "ERR-CMP-32001", "ERR-TA-32001"),
  mutant(
    "AUTH-RPC-MISS-01.compression-open",
    { rules: { rpc: { openMethods: ["getMultipleNewAddressProofs", "getCompressedBalance", "getIndexerHealth"] } } },
    "AUTH-ALL-01",
    "AUTH-RPC-UNKN-01",
    "AUTH-RPC-MALF-01",
    "ERR-CMP-32001",
  ),
  mutant("AUTH-RPC-MALF-01.code-32602", malformedKeyAs("params")),
  mutant("AUTH-RPC-MALF-01.internal", malformedKeyAs("server")),
  mutant("AUTH-RPC-MALF-01.empty-accepted", { rules: { rpc: { blankKey: "let through" } } }),
  mutant(
    "AUTH-RPC-UNKN-01.code-32003",
    keyRefused(
      "unknownKey",
      { code: -32003, message: "You do not have permission to access this resource." },
      "getTokenAccounts",
    ),
    "ERR-TA-32001",
  ),
  mutant(
    "AUTH-RPC-UNKN-01.code-32004",
    keyRefused("unknownKey", { code: -32004, message: "The requested resource was not found." }),
    "ERR-CMP-32001",
    "ERR-CMP-SET-01",
    "ERR-TA-32001",
    "AUTH-RPC-BUNDLE-01",
  ),
  mutant("AUTH-RPC-UNKN-01.health-cached", { answer: cachedHealth() }, "ERR-CMP-32001"),
  mutant(
    "AUTH-ALL-01.health-public",
    { rules: { rpc: { openMethods: ["getIndexerHealth"] } } },
    "AUTH-RPC-MISS-01",
    "AUTH-RPC-UNKN-01",
    "AUTH-RPC-MALF-01",
    "ERR-CMP-32001",
  ),
  mutant(
    "AUTH-ALL-01.bundle-status-public",
    { rules: { rpc: { openMethods: ["getBundleStatuses"] } } },
    "AUTH-RPC-BUNDLE-01",
    "AUTH-RPC-UNKN-01",
    "AUTH-RPC-MALF-01",
  ),
  mutant("AUTH-RPC-QRY-01.bundle-path-key", {
    answer: envelope("any", (body, { method, cause }) =>
      cause === null && ["sendBundle", "getBundleStatuses"].includes(method)
        ? { jsonrpc: "2.0", error: { ...documentedRefusals.bundles.key }, id: body["id"] ?? null }
        : undefined,
    ),
  }),
  mutant("AUTH-ALL-03.admin-key-class", { rules: { keyClass: "not for usage" } }),
  mutant("AUTH-ALL-03.rpc-key-class", { rules: { keyClass: "not for JSON-RPC" } }, "AUTH-RPC-QRY-01"),

  mutant(
    "EXT-JR-01.both",
    refused((body) => ({ ...body, result: null })),
    "RPC-ENV-06",
  ),
  mutant("EXT-JR-02.html-400", {
    answer: (answer, call) =>
      isParseError(answer)
        ? {
            ...answer,
            status: 400,
            headers: { ...answer.headers, "content-type": "text/html" },
            body: { raw: `<html><body>${call.path}</body></html>` },
          }
        : answer,
  }),
  mutant("EXT-JR-02.id-made-up", {
    answer: (answer) => (isParseError(answer) ? { ...answer, body: { ...(answer.body as Doc), id: 0 } } : answer),
  }),
  mutant("EXT-JR-03.accepts", { rules: { rpc: { notRequests: "served" } } }),
  mutant("EXT-JR-04.as-32602", { answer: rpcError("any", "method", (error) => ({ ...error, code: -32602 })) }),
  mutant("EXT-JR-05.answers", { rules: { rpc: { notifications: "answered" } } }, "EXT-JR-07"),
  mutant("EXT-JR-06.null-as-notification", { rules: { rpc: { nullIds: "notifications" } } }),
  mutant("EXT-JR-07.object-for-batch", { rules: { rpc: { batchOfOne: "an object" } } }),
  mutant("EXT-JR-07.empty-array", { rules: { rpc: { emptyBatch: "answered with nothing in it" } } }),
  mutant(
    "EXT-JR-08.out-of-range",
    { answer: rpcError("any", "server", (error) => ({ ...error, code: -31999 })) },
    "ERR-CMP-SET-01",
    "ERR-TA-SET-01",
    "ERR-TA-32000",
    "ERR-CMP-32603",
  ),
  mutant("EXT-JR-09.case-insensitive", { rules: { rpc: { memberCase: "any" } } }),
  mutant("EXT-JR-10.rpc-alias", { rules: { rpc: { reservedNames: "aliases" } } }),
];

function isEmptyList(result: Value | undefined): boolean {
  const accounts = isObject(result) ? result["token_accounts"] : undefined;
  return Array.isArray(accounts) && accounts.length === 0;
}

/** A malformed key is refused with another cause's error. */
function malformedKeyAs(cause: "params" | "server"): { readonly answer: ResponseMutation } {
  return {
    answer: rpcError("any", "key", (honest, { method, keyCause }) =>
      keyCause === "malformedKey"
        ? { ...documentedRefusals[method === "getTokenAccounts" ? "tokenAccounts" : "compression"][cause] }
        : honest,
    ),
  };
}

const isParseError = ({ body }: WireAnswer): boolean =>
  isObject(body as Value | undefined) && ((body as Doc)["error"] as Doc | undefined)?.["code"] === -32700;

/** After the first healthy answer every unknown key gets it, too. */
function cachedHealth(): ResponseMutation {
  let cached = false;
  return envelope("getIndexerHealth", (body, { cause, keyCause }) => {
    if (cause === null) cached = true;
    return cached && keyCause === "unknownKey" ? { jsonrpc: "2.0", result: "ok", id: body["id"] ?? null } : undefined;
  });
}
