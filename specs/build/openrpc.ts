// Documents for other tools, from which nothing is judged: OpenRPC, and OpenAPI without references.
import type { MethodFile } from "./catalogue.ts";
import { errorTables } from "./errorTables.ts";
import { loadResolved } from "./load.ts";

/** A schema without our own keywords, which mean nothing to other tools. */
const plain = (schema: unknown): unknown =>
  JSON.parse(JSON.stringify(schema, (name, value: unknown) => (name.startsWith("x-") ? undefined : value)));

/** The OpenAPI document of the REST endpoints, in one file. */
export const openApiDocument = (): unknown => plain(loadResolved("openapi.yaml"));

interface Descriptor {
  readonly name: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: unknown;
}

/**
 * By-name params as they are, by-position params one by one. A flat list of any length, which OpenRPC can't state,
 * becomes its first element, with the others in its description (EXT-SPEC-02).
 */
function descriptorsOf({ params }: MethodFile): readonly Descriptor[] {
  if (params.type === "object")
    return Object.entries(params.properties ?? {}).map(([name, schema]) => ({ name, schema: plain(schema) }));
  if (params.prefixItems)
    return params.prefixItems.map((schema, index) => ({
      name: typeof schema["title"] === "string" ? schema["title"] : `params${index}`,
      required: index === 0,
      schema: plain(schema),
    }));
  if (!params.items) return [];
  const description = `${String(params["description"])} Any number of them may follow.`;
  return [{ name: "first", description, schema: plain(params.items) }];
}

/** An OpenRPC 1.3 document of all methods. */
export function openRpcOf(methods: readonly MethodFile[]): unknown {
  const rowsOf = new Map(errorTables().map(({ name, rows }) => [name, rows]));
  return {
    openrpc: "1.3.2",
    info: { title: "Blockchain data platform, JSON-RPC methods", version: "2.0" },
    methods: methods.map((method) => ({
      name: method.method,
      summary: method.summary,
      description: method.clause,
      paramStructure: method.params.type === "array" ? "by-position" : "by-name",
      params: descriptorsOf(method),
      result: { name: "result", schema: plain(method.result) },
      errors: (rowsOf.get(method["x-errors"]) ?? []).map(({ code, message = "The interface shows no text." }) => ({
        code,
        message,
      })),
    })),
  };
}
