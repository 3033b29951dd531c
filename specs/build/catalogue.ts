// Which operations do the specs describe, and which schema has each answer?
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { loadResolved, type SchemaNode, specsDir } from "./load.ts";
import { type Site, sitesOf } from "./sites.ts";

export interface Operation {
  readonly id: string;
  readonly surface: string;
  readonly part: string;
  readonly method: string;
  readonly path: string;
  readonly credits: number | null;
  readonly errors: string;
  readonly answers: readonly AnswerSchema[];
}

export interface AnswerSchema {
  /** An HTTP status, or `result` and `error` of a JSON-RPC method. */
  readonly name: string;
  readonly schema: SchemaNode;
  readonly sites: readonly Site[];
  /** Constraints that no requirement cites; the spec lint wants none. */
  readonly uncited: readonly string[];
}

interface OperationNode {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly "x-credits": number | "unknown";
  readonly "x-errors": string;
  readonly responses: Record<string, { content?: { "application/json"?: { schema: SchemaNode } } }>;
}

/** One file of specs/rpc/. */
export interface Method {
  readonly method: string;
  readonly part: string;
  readonly summary: string;
  readonly clause: string;
  readonly "x-credits": number | "unknown";
  readonly "x-errors": string;
  readonly params: SchemaNode;
  readonly result: SchemaNode;
}

const surfaceOfTag: Record<string, string> = { usage: "admin", wallet: "api" };
const creditsOf = (price: number | "unknown"): number | null => (price === "unknown" ? null : price);

/** Everything that the specs describe: REST operations, then JSON-RPC methods. */
export const operationsOf = (): Operation[] => [...restOperations(), ...methods().map(operationOf)];

/** Every JSON-RPC method, in the order of its file names. */
export const methods = (): Method[] =>
  readdirSync(join(specsDir, "rpc"))
    .sort()
    .map((file) => loadResolved(`rpc/${file}`) as Method);

function operationOf(method: Method): Operation {
  const answers = [answerOf("result", successOf(method)), answerOf("error", loadResolved("nouns/RpcError.yaml") as SchemaNode)];
  return { id: method.method, surface: "rpc", part: method.part, method: "POST", path: "/", credits: creditsOf(method["x-credits"]), errors: method["x-errors"], answers };
}

/** The success envelope with a method's own result in its place, and so with its examples. */
function successOf({ result }: Method): SchemaNode {
  const envelope = loadResolved("nouns/RpcResult.yaml") as SchemaNode;
  const examples = (result.examples ?? []).map((example, index) => ({ jsonrpc: "2.0", id: index + 1, result: example }));
  return { ...envelope, properties: { ...envelope.properties, result }, examples };
}

const answerOf = (name: string, schema: SchemaNode): AnswerSchema => ({ name, schema, ...sitesOf(schema) });

/** Reads specs/openapi.yaml; throws where an operation says too little to be judged. */
function restOperations(): Operation[] {
  const { paths } = loadResolved("openapi.yaml") as { paths: Record<string, Record<string, OperationNode>> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, node]): Operation => {
      const part = node.tags[0] ?? "";
      const surface = surfaceOfTag[part];
      if (!surface) throw new Error(`${node.operationId}: no surface for the tag ${part}`);
      return { id: node.operationId, surface, part, method: method.toUpperCase(), path, credits: creditsOf(node["x-credits"]), errors: node["x-errors"], answers: answersOf(node) };
    }),
  );
}

const answersOf = (node: OperationNode): AnswerSchema[] =>
  Object.entries(node.responses).flatMap(([status, { content }]) => {
    const schema = content?.["application/json"]?.schema;
    return schema ? [answerOf(status, schema)] : [];
  });
