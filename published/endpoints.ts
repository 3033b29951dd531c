// An operation of an OpenAPI document: its parameters and its bodies.
import { type DocumentLine, type DocumentNode, followed, isNode, lineAt, type PublishedDocument } from "./documents.ts";
import { type SchemaShape, shapeOf } from "./shapes.ts";

/** An operation of an OpenAPI document. */
export interface Endpoint {
  readonly document: PublishedDocument;
  readonly template: string;
  readonly item: DocumentNode;
  readonly method: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: unknown;
  readonly node: DocumentNode;
  readonly line: DocumentLine;
}

export function parametersIn(node: DocumentNode): readonly Parameter[] {
  const { parameters } = node;
  return (Array.isArray(parameters) ? (parameters as readonly unknown[]) : []).flatMap((one) => {
    const parameter = followed(one);
    const { name, in: place, schema } = parameter;
    return typeof name === "string" && typeof place === "string"
      ? [{ name, in: place, schema, node: parameter, line: lineAt(parameter) }]
      : [];
  });
}

const isJsonType = (type: string): boolean => /^(application\/([\w.+-]+\+)?json|\*\/\*|application\/\*)\b/i.test(type);

/** The schema of a JSON body; null where there is none. */
export function contentOf(holder: DocumentNode): {
  readonly shape: SchemaShape | null;
  readonly types: readonly string[];
} {
  const content = isNode(holder["content"]) ? holder["content"] : {};
  const types = Object.keys(content);
  const media = followed(content[types.find(isJsonType) ?? ""]);
  return { shape: media["schema"] === undefined ? null : shapeOf(media["schema"], media), types };
}

export const jsonBodyOf = (node: DocumentNode) => contentOf(followed(node["requestBody"]));
