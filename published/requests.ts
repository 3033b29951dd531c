// The requests that OpenAPI documents describe, in the form in which the interface describes its own.
import { CommandLineError } from "../harness/core/commandLineError.ts";
import type { Operation } from "../harness/core/interface.ts";
import { type DocumentNode, followed, isNode, nodeIn } from "./documents.ts";
import { type Endpoint, jsonBodyOf, type Parameter } from "./endpoints.ts";
import { childOf, kindsOf, memberNames, type SchemaShape, valuesOf } from "./shapes.ts";

/** The only values of a member that a shape lists. */
const valuesAt = (shape: SchemaShape, name: string): readonly string[] => [
  ...new Set(childOf(shape, name).shape.flatMap((alternative) => valuesOf(alternative) ?? [])),
];

/**
 * The JSON-RPC methods that an endpoint serves: those that its body names; else that of its path, or of its name where
 * documents have one path for all methods.
 */
export function methodsNamed(endpoint: Endpoint, all: readonly Operation[]): readonly Operation[] {
  const { template, item, method } = endpoint;
  if (method !== "post") return [];
  const operations = all.filter(({ api }) => api === "rpc");
  const node = followed(item[method]);
  const named = namedIn(node);
  if (named.length > 0) return operations.filter(({ id }) => named.includes(JSON.stringify(id)));
  const last = template.split("/").at(-1);
  const names = [last, node["operationId"], node["summary"], item["summary"]];
  return operations.filter(({ id }) => names.includes(id)).slice(0, 1);
}

/** None where the body can't be read: if it is one of the interface's by name, that is told when all of it is read. */
function namedIn(node: DocumentNode): readonly string[] {
  try {
    const { shape } = jsonBodyOf(node);
    return shape === null ? [] : valuesAt(shape, "method");
  } catch (error) {
    if (error instanceof CommandLineError) return [];
    throw error;
  }
}

/** Of the alternatives of a body, those for this method. */
function bodiesFor(body: SchemaShape, method: string): SchemaShape {
  const fitting = body.filter((alternative) => {
    const values = valuesAt([alternative], "method");
    return values.length === 0 || values.includes(JSON.stringify(method));
  });
  return fitting.length > 0 ? fitting : body;
}

/** Params; null where none are described. */
export function requestOfMethod(body: SchemaShape | null, method: string): SchemaShape | null {
  if (body === null) return null;
  const params = childOf(bodiesFor(body, method), "params");
  return params.line === null ? null : params.shape;
}

export const steps = (template: string): readonly string[] => template.split("/").filter((step) => step !== "");
const isVariable = (step: string): boolean => step.startsWith("{");
const version = /^v\d+$/;

/** Whether paths have the same fixed steps, variables where the other has them, and versions that may differ. */
export function fits(ours: readonly string[], theirs: readonly string[], isExact: boolean): boolean {
  return (
    ours.length === theirs.length &&
    ours.every((step, nth) => {
      const other = theirs[nth] ?? "";
      if (isVariable(step) || isVariable(other)) return isVariable(step) && isVariable(other);
      return step === other || (!isExact && version.test(step) && version.test(other));
    })
  );
}

/** The paths of servers, below which those of a document are. */
function prefixesOf({ document, item, method }: Endpoint): readonly string[] {
  const servers =
    [followed(item[method])["servers"], item["servers"], document.root["servers"]].find(Array.isArray) ?? [];
  const paths = (servers as readonly unknown[]).map((server) => {
    const { url, variables } = followed(server);
    if (typeof url !== "string") return "";
    const filled = Object.entries(followed(variables)).reduce(
      (text, [name, variable]) => text.replaceAll(`{${name}}`, String(followed(variable)["default"])),
      url,
    );
    return filled.replace(/^([a-z][\w+.-]*:)?\/\/[^/]*/i, "").replace(/\/$/, "");
  });
  return ["", ...new Set(paths.filter((path) => path !== ""))];
}

/** The path below the host by which it describes an operation, perhaps in another version; null where it doesn't. */
export function pathOf(endpoint: Endpoint, operation: Operation, all: readonly Operation[]): string | null {
  if (operation.api === "rpc") return null;
  const candidates = prefixesOf(endpoint).map((prefix) => `${prefix}${endpoint.template}`);
  const ours = steps(operation.path);
  const isMethod = endpoint.method.toUpperCase() === operation.method;
  for (const isExact of [true, false]) {
    const found = candidates.find((path) => fits(ours, steps(path), isExact));
    // A path with another method is that of this operation only where none has both.
    if (found !== undefined && (isMethod || !hasMethod(endpoint, operation.method))) return found;
  }
  const { operationId } = followed(endpoint.item[endpoint.method]);
  const isOther = all.some(({ path }) => candidates.some((candidate) => fits(steps(path), steps(candidate), false)));
  return operationId === operation.id && !isOther ? (candidates.at(-1) ?? null) : null;
}

const hasMethod = ({ item }: Endpoint, method: string): boolean => isNode(item[method.toLowerCase()]);

/** Path parameters under the names that the interface gives them, and the list in the body as `entries`. */
export function requestOfEndpoint(
  { path }: Operation,
  template: string,
  parameters: readonly Parameter[],
  body: SchemaShape | null,
  node: DocumentNode,
): SchemaShape {
  const variable = (step: string): string => step.slice(1, -1);
  const theirs = steps(template).filter(isVariable).map(variable);
  const properties: { [name: string]: unknown } = {};
  for (const [nth, ours] of steps(path).filter(isVariable).map(variable).entries()) {
    const parameter = parameters.find(({ name, in: place }) => place === "path" && name === theirs[nth]);
    if (parameter?.schema !== undefined) properties[ours] = parameter.schema;
  }
  const entries = body === null ? null : listIn(body);
  const own = [nodeIn(node, { type: "object", properties: nodeIn(node, properties) })];
  if (entries === null) return [own];
  // A shape isn't a schema: it stands beside as one that accepts each of its alternatives.
  properties["entries"] = nodeIn(node, {
    anyOf: nodeIn(
      node,
      entries.map((all) => nodeIn(node, { allOf: nodeIn(node, [...all]) })),
    ),
  });
  return [own];
}

/** The list of a body: itself, or its only member that is one. */
function listIn(body: SchemaShape): SchemaShape | null {
  const isList = (shape: SchemaShape): boolean =>
    shape.length > 0 && shape.every((alternative) => kindsOf(alternative)?.join() === "array");
  if (isList(body)) return body;
  const lists = memberNames(body)
    .map((name) => childOf(body, name).shape)
    .filter(isList);
  return lists.length === 1 ? (lists[0] ?? null) : null;
}
