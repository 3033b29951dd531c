// Which operations do the specs describe, and which schema has each answer?
import { loadResolved, type SchemaNode } from "./load.ts";
import { type Site, sitesOf } from "./sites.ts";

export interface Operation {
  readonly id: string;
  readonly surface: string;
  readonly part: string;
  readonly method: string;
  readonly path: string;
  readonly credits: number | null;
  readonly errors: string;
  readonly responses: readonly AnswerSchema[];
}

export interface AnswerSchema {
  readonly status: number;
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

const surfaceOfTag: Record<string, string> = { usage: "admin", wallet: "api" };

/** Reads specs/openapi.yaml; throws where an operation says too little to be judged. */
export function operationsOf(): Operation[] {
  const { paths } = loadResolved("openapi.yaml") as { paths: Record<string, Record<string, OperationNode>> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, node]): Operation => {
      const part = node.tags[0] ?? "";
      const surface = surfaceOfTag[part];
      if (!surface) throw new Error(`${node.operationId}: no surface for the tag ${part}`);
      const credits = node["x-credits"] === "unknown" ? null : node["x-credits"];
      return { id: node.operationId, surface, part, method: method.toUpperCase(), path, credits, errors: node["x-errors"], responses: answersOf(node) };
    }),
  );
}

const answersOf = (node: OperationNode): AnswerSchema[] =>
  Object.entries(node.responses).flatMap(([status, { content }]) => {
    const schema = content?.["application/json"]?.schema;
    return schema ? [{ status: Number(status), schema, ...sitesOf(schema) }] : [];
  });
