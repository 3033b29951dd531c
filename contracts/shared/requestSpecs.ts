// Request specs of which checks are made: usage requests, JSON-RPC calls, and undescribed requests.
import type { Asker, Carrier, KeyText, PathPart, RequestSpec } from "../../harness/core/requestSpec.ts";
import { asSpelledBefore, type Template } from "../../harness/core/template.ts";
import type { MethodName } from "../../specs/generated/operations.ts";

/** Whose key: a role's, none (`anonymous`), a well-formed one of no project (`unknownKey`), or a text. */
export type As = Asker | "anonymous" | "unknownKey" | { readonly key: string };

/** Whose project: a role's, or that with this id. */
type Of = Asker | { readonly id: string };

export interface UsageRequest {
  readonly as: As;
  readonly of?: Of;
  readonly keyIn?: Carrier["in"];
  /** The carrier's name, where it isn't the documented one. */
  readonly keyName?: string;
  readonly again?: number;
}

const keyTextOf = (as: Exclude<As, "anonymous">): KeyText =>
  typeof as === "object" ? { text: as.key } : as === "unknownKey" ? { likeKeyOf: "owner" } : { keyOf: as };

export const carriersOf = (as: As, keyIn: Carrier["in"] = "either", keyName?: string): readonly Carrier[] =>
  as === "anonymous" ? [] : [{ in: keyIn, ...(keyName ? { name: keyName } : {}), key: keyTextOf(as) }];

const projectOf = (as: As, of: Of | undefined): PathPart => {
  if (typeof of === "object") return of;
  return { projectOf: of ?? (typeof as === "string" && as !== "anonymous" && as !== "unknownKey" ? as : "owner") };
};

export const usagePath = (id: PathPart): readonly PathPart[] => ["/v0/admin/projects/", id, "/usage"];

/** GET {admin_url}/v0/admin/projects/{id}/usage (§4.1); by default of the key's own project. */
export const usageRequest = (usageRequest: UsageRequest): RequestSpec => {
  const { as, of, keyIn, keyName, again } = usageRequest;
  return {
    operation: "getProjectUsage",
    api: "admin",
    method: "GET",
    path: usagePath(projectOf(as, of)),
    carriers: carriersOf(as, keyIn, keyName),
    ...(again === undefined ? {} : { again }),
  };
};

export const ownersUsage = usageRequest({ as: "owner" });

/** A request on the admin API that the interface doesn't describe; no law judges the answer. */
export const undescribed = (method: string, path: readonly PathPart[], as: As): RequestSpec => ({
  operation: null,
  api: "admin",
  method,
  path,
  carriers: carriersOf(as),
});

interface RpcRequest {
  readonly as?: As;
  readonly id?: string | number;
  readonly again?: number;
}

/** A request of one method, with the key and id of the options. */
export type Ask = (options?: RpcRequest) => RequestSpec;

/** Different requests have different ids, so that swapped answers show. */
function idFor(...asked: readonly unknown[]): number {
  const digest = [...asSpelledBefore(JSON.stringify(asked))].reduce(
    (hash, char) => (hash * 31 + char.charCodeAt(0)) % 999_983,
    7,
  );
  return digest + 1;
}

/** POST {rpc_url}/ with the key in the query (§4.3): the method's own laws judge the answer. */
export const jsonRpcRequest =
  (method: MethodName) =>
  (params?: Template, { as = "owner", id = idFor(method, params, as), again }: RpcRequest = {}): RequestSpec => ({
    operation: method,
    api: "rpc",
    method: "POST",
    path: ["/"],
    carriers: carriersOf(as, "query"),
    headers: [["content-type", "application/json"]],
    json: { jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) },
    ...(again === undefined ? {} : { again }),
  });

/** A body for the JSON-RPC API that the interface doesn't describe; no law judges the answer. */
export const rawRpc = (body: string | { readonly json: Template }, change: Partial<RequestSpec> = {}): RequestSpec => ({
  operation: null,
  api: "rpc",
  method: "POST",
  path: ["/"],
  carriers: carriersOf("owner", "query"),
  headers: [["content-type", "application/json"]],
  ...(typeof body === "string" ? { body } : { json: body.json }),
  ...change,
});
