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

/** Those of an operation replace those of its path that have the same name and place. */
export function parametersOf(item: DocumentNode, operation: DocumentNode): readonly Parameter[] {
  const own = parametersIn(operation);
  const isReplaced = (parameter: Parameter): boolean =>
    own.some(({ name, in: place }) => name === parameter.name && place === parameter.in);
  return [...parametersIn(item).filter((parameter) => !isReplaced(parameter)), ...own];
}

function parametersIn(node: DocumentNode): readonly Parameter[] {
  const { parameters } = node;
  return (Array.isArray(parameters) ? (parameters as readonly unknown[]) : []).flatMap((one) => {
    const parameter = followed(one);
    const { name, in: place, content } = parameter;
    const [media] = isNode(content) ? Object.values(content).map(followed) : [];
    const schema = parameter["schema"] ?? media?.["schema"];
    return typeof name === "string" && typeof place === "string"
      ? [{ name, in: place, schema, node: parameter, line: lineAt(parameter) }]
      : [];
  });
}

/** Media types of JSON bodies, the plainest first. */
const jsonTypes = [/^application\/json\b/i, /^application\/[\w.-]+\+json\b/i, /^(application|\*)\/\*/];

/** The schema of a JSON body; null where there is none. */
export function contentOf(holder: DocumentNode): {
  readonly shape: SchemaShape | null;
  readonly types: readonly string[];
} {
  const content = isNode(holder["content"]) ? holder["content"] : {};
  const types = Object.keys(content);
  const type = jsonTypes.map((form) => types.find((one) => form.test(one))).find((one) => one !== undefined);
  const media = followed(content[type ?? ""]);
  return { shape: media["schema"] === undefined ? null : shapeOf(media["schema"], media), types };
}

export const jsonBodyOf = (node: DocumentNode) => contentOf(followed(node["requestBody"]));
