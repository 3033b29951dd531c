// Mutants of JSON-RPC envelopes: ids, paths, keys and JSON-RPC's own rules (§4.3, §5, §7.2)
import { protocol } from "../errors/causes.ts";
import { refusals } from "../generated/refusals.ts";
import { envelope, keyRefused, mutantsOf, rpcError, withHeaders } from "../platform/mutant.ts";
import type { RpcChange } from "../platform/rpcRules.ts";
import {
  bodyText,
  type Doc,
  isDocValue,
  type PlatformAnswer,
  type ResponseMutation,
  type RpcCall,
  type Value,
} from "../platform/wire.ts";

const rules = (rpc: RpcChange) => ({ rules: { rpc } });
const { tokenAccounts, compression, bundles } = refusals;

type BodyChange = Parameters<typeof envelope>[1];

const served = (change: BodyChange) =>
  envelope("any", (body, call) => (call.cause === null ? change(body, call) : undefined));
const refused = (change: BodyChange) =>
  envelope("any", (body, call) => (call.cause === null ? undefined : change(body, call)));
const withId = (change: (id: Value, call: RpcCall) => Value) =>
  served((body, call) => ({ ...body, id: change(body["id"] ?? null, call) }));

const restBody: ResponseMutation = (answer, { rpc }) => {
  const body = { statusCode: 401, message: "Missing or invalid API key", error: "Unauthorized" };
  return rpc?.keyCause === "noKey" ? { ...answer, status: 401, body } : answer;
};

const methodPaths = ["/getTokenAccounts", "/getMultipleNewAddressProofs", "/getCompressedBalance", "/getIndexerHealth"];

export const mutants = mutantsOf({
  "RPC-PATH-01.rpc-suffix": [rules({ paths: ["/rpc"] }), "GEN-POST-01"],
  "RPC-PATH-01.method-path": [rules({ paths: methodPaths }), "GEN-POST-01"],
  "RPC-ENV-01.number": served((body) => ({ ...body, jsonrpc: 2 })),
  "RPC-ENV-01.absent": served(({ jsonrpc: _, ...rest }) => rest),
  "RPC-ENV-01.one-dot-zero": served((body) => ({ ...body, jsonrpc: "1.0" })),
  "RPC-ENV-02.numeric-coercion": withId((id) => (typeof id === "string" && /^\d+$/.test(id) ? Number(id) : id)),
  "RPC-ENV-02.lowercased": withId((id) => (typeof id === "string" ? id.toLowerCase() : id)),
  "RPC-ENV-02.truncated": withId((id) => (typeof id === "string" ? id.slice(0, 36) : id)),
  "RPC-ENV-03.stringified": [withId((id) => (typeof id === "number" ? String(id) : id)), "BND-ID-01"],
  "RPC-ENV-03.int32": [withId((id) => (typeof id === "number" ? id | 0 : id)), "BND-ID-01"],
  "RPC-ENV-03.always-one": [withId((id) => (typeof id === "number" ? 1 : id)), "BND-ID-01"],
  "RPC-ENV-04.error-null": [served((body) => ({ ...body, error: null })), "EXT-JR-01"],
  "RPC-ENV-04.unwrapped": [served((body) => body["result"] ?? null), "RPC-ENV-01"],
  "RPC-ENV-04.result-missing": [
    served(({ result, ...rest }) => (isEmptyList(result) ? rest : { ...rest, result: result ?? null })),
    "EXT-JR-01",
  ],
  "RPC-ENV-05.code-string": rpcError("any", "params", (error) => ({ ...error, code: String(error["code"]) })),
  "RPC-ENV-05.message-missing": rpcError("any", "any", ({ message: _, ...rest }) => rest),
  "RPC-ENV-05.error-string": rpcError("any", "any", ({ message }) => message ?? null),
  "RPC-ENV-06.result-null": [refused((body) => ({ ...body, result: null })), "EXT-JR-01"],
  "RPC-ENV-07.auth-id-null": refused((body, { cause }) => (cause === "key" ? { ...body, id: null } : undefined)),
  "RPC-ENV-07.limit-id-absent": refused(({ id, ...rest }, { cause }) =>
    cause === "rate" ? rest : { ...rest, id: id ?? null },
  ),
  "RPC-ENV-07.param-id-one": refused((body, { cause }) => (cause === "params" ? { ...body, id: 1 } : undefined)),
  "RPC-ENV-08.cached-envelope": [
    rules({ cache: "of whole envelopes" }),
    "RPC-ENV-02",
    "RPC-ENV-03",
    "EXT-JR-06",
    "EXT-JR-07",
    "BND-ID-01",
    "BST-CTX-01",
    "BST-ELT-07",
  ],
  "RPC-ENV-08.cross-talk": [
    rules({ echoes: "the id of the latest call of its method" }),
    "RPC-ENV-02",
    "RPC-ENV-03",
    "RPC-ENV-07",
  ],
  "RPC-ENV-09.rejects-string-id": rules({ stringIds: "refused" }),
  "RPC-ENV-09.requires-meta": [rules({ requiredMember: "meta" }), "VER-RPC-01"],

  "GEN-POST-01.get-only": [rules({ verbs: ["GET"] }), "RPC-PATH-01"],
  "GEN-POST-01.put-required": [
    {
      rules: { rpc: { verbs: ["PUT"] } },
      answer: (answer, { path }) =>
        path === "/" && answer.status === 405
          ? { ...answer, status: 404, body: { statusCode: 404, message: "Cannot POST /", error: "Not Found" } }
          : answer,
    },
    "RPC-PATH-01",
  ],
  "GEN-SURF-01.indexer-health-missing": rules({ unknownMethods: ["getIndexerHealth"] }),
  "GEN-SURF-01.bundle-status-missing": [rules({ unknownMethods: ["getBundleStatuses"] }), "BND-USE-01"],
  "GEN-SURF-01.case-folded": [rules({ methodNames: "in lower case" }), "SIM-EXIST-01"],
  "GEN-JSON-01.rpc-error-text-plain": (answer, { rpc }) =>
    rpc?.cause ? withHeaders(answer, { "content-type": "text/plain" }) : answer,
  "GEN-JSON-02.wants-json-rpc-type": rules({ mediaTypes: ["application/json-rpc"] }),
  "GEN-JSON-03.truncated": (answer) => {
    const text = bodyText(answer.body);
    return typeof text === "string" && text.length > 8192 ? { ...answer, body: { raw: text.slice(0, 8192) } } : answer;
  },

  "AUTH-RPC-QRY-01.header-only": [rules({ keyIn: "header" }), "AUTH-ALL-03"],
  "AUTH-RPC-MISS-01.code-32600": [keyRefused("noKey", protocol.invalid), "ERR-CMP-32001", "ERR-TA-32001"],
  "AUTH-RPC-MISS-01.rest-body": [restBody, "ERR-CMP-32001", "ERR-TA-32001"],
  "AUTH-RPC-MISS-01.compression-open": [
    rules({ openMethods: ["getMultipleNewAddressProofs", "getCompressedBalance", "getIndexerHealth"] }),
    "AUTH-ALL-01",
    "AUTH-RPC-UNKN-01",
    "AUTH-RPC-MALF-01",
    "ERR-CMP-32001",
  ],
  "AUTH-RPC-MALF-01.code-32602": malformedKeyAs("params"),
  "AUTH-RPC-MALF-01.internal": malformedKeyAs("server"),
  "AUTH-RPC-MALF-01.empty-accepted": rules({ blankKey: "let through" }),
  "AUTH-RPC-UNKN-01.code-32003": [
    keyRefused("unknownKey", { ...tokenAccounts.permission }, "getTokenAccounts"),
    "ERR-TA-32001",
  ],
  "AUTH-RPC-UNKN-01.code-32004": [
    keyRefused("unknownKey", { ...tokenAccounts.notFound }),
    "ERR-CMP-32001",
    "ERR-CMP-SET-01",
    "ERR-TA-32001",
    "AUTH-RPC-BUNDLE-01",
  ],
  "AUTH-RPC-UNKN-01.health-cached": [cachedHealth(), "ERR-CMP-32001"],
  "AUTH-ALL-01.health-public": [
    rules({ openMethods: ["getIndexerHealth"] }),
    "AUTH-RPC-MISS-01",
    "AUTH-RPC-UNKN-01",
    "AUTH-RPC-MALF-01",
    "ERR-CMP-32001",
  ],
  "AUTH-ALL-01.bundle-status-public": [
    rules({ openMethods: ["getBundleStatuses"] }),
    "AUTH-RPC-BUNDLE-01",
    "AUTH-RPC-UNKN-01",
    "AUTH-RPC-MALF-01",
  ],
  "AUTH-RPC-QRY-01.bundle-path-key": envelope("any", (body, { method, cause }) =>
    cause === null && ["sendBundle", "getBundleStatuses"].includes(method)
      ? { jsonrpc: "2.0", error: { ...bundles.key }, id: body["id"] ?? null }
      : undefined,
  ),
  "AUTH-ALL-03.admin-key-class": { rules: { keyClass: "not for usage" } },
  "AUTH-ALL-03.rpc-key-class": [{ rules: { keyClass: "not for JSON-RPC" } }, "AUTH-RPC-QRY-01"],

  "EXT-JR-01.both": [refused((body) => ({ ...body, result: null })), "RPC-ENV-06"],
  "EXT-JR-02.html-400": (answer, call) =>
    isParseError(answer)
      ? {
          ...withHeaders(answer, { "content-type": "text/html" }),
          status: 400,
          body: { raw: `<html><body>${call.path}</body></html>` },
        }
      : answer,
  "EXT-JR-02.id-made-up": (answer) =>
    isParseError(answer) ? { ...answer, body: { ...(answer.body as Doc), id: 0 } } : answer,
  "EXT-JR-03.accepts": rules({ notRequests: "served" }),
  "EXT-JR-04.as-32602": rpcError("any", "method", { code: -32602 }),
  "EXT-JR-05.answers": [rules({ notifications: "answered" }), "EXT-JR-07"],
  "EXT-JR-06.null-as-notification": rules({ nullIds: "notifications" }),
  "EXT-JR-07.object-for-batch": rules({ batchOfOne: "an object" }),
  "EXT-JR-07.empty-array": rules({ emptyBatch: "answered with nothing in it" }),
  "EXT-JR-08.out-of-range": [
    rpcError("any", "server", { code: -31999 }),
    "ERR-CMP-SET-01",
    "ERR-TA-SET-01",
    "ERR-TA-32000",
    "ERR-CMP-32603",
  ],
  "EXT-JR-09.case-insensitive": rules({ memberCase: "any" }),
  "EXT-JR-10.rpc-alias": rules({ reservedNames: "aliases" }),
});

function isEmptyList(result: Value | undefined): boolean {
  const accounts = isDocValue(result) ? result["token_accounts"] : undefined;
  return Array.isArray(accounts) && accounts.length === 0;
}

/** A malformed key is refused with another cause's error. */
function malformedKeyAs(cause: "params" | "server"): ResponseMutation {
  return rpcError("any", "key", (honest, { method, keyCause }) =>
    keyCause === "malformedKey" ? { ...(method === "getTokenAccounts" ? tokenAccounts : compression)[cause] } : honest,
  );
}

const isParseError = ({ body }: PlatformAnswer): boolean =>
  isDocValue(body as Value | undefined) && ((body as Doc)["error"] as Doc | undefined)?.["code"] === -32700;

/** After the first healthy answer every unknown key gets it, too. */
function cachedHealth(): ResponseMutation {
  let cached = false;
  return envelope("getIndexerHealth", (body, { cause, keyCause }) => {
    if (cause === null) cached = true;
    return cached && keyCause === "unknownKey" ? { jsonrpc: "2.0", result: "ok", id: body["id"] ?? null } : undefined;
  });
}
