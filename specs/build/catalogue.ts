// The catalogue of operations that the specs describe, with the schemas of requests and answers.
import { type Citations, filesIn, loadResolved, readYaml, type SpecSchemaNode } from "./load.ts";
import { type Site, sitesOf } from "./sites.ts";

export interface CatalogueOperation {
  readonly id: string;
  readonly api: string;
  readonly feature: string;
  readonly method: string;
  /** Path template below the API's base. */
  readonly path: string;
  /** Price of one call in credits; null where the interface doesn't show it. */
  readonly credits: number | null;
  /** The table of `errors` that its refusals come from. */
  readonly errors: string;
  /** Source of a regular expression: of its requests, those whose body matches can't be undone. */
  readonly irreversible?: string;
  readonly answers: readonly AnswerSchema[];
}

export interface AnswerSchema {
  /** An HTTP status, or `result` and `error` of a JSON-RPC method. */
  readonly name: string;
  readonly schema: SpecSchemaNode;
  readonly sites: readonly Site[];
  /** Constraints that no requirement cites; the lint of specs allows none. */
  readonly uncited: readonly string[];
}

/** The schema of a request, its envelope and its key apart. */
export interface RequestSchema {
  readonly operation: string;
  /** Of a method's params; of a REST operation's path parameters, and of the `entries` that its body lists. */
  readonly schema: SpecSchemaNode;
  /** Keywords whose breach a requirement has refused; for other keywords nothing requires a refusal. */
  readonly sites: readonly Site[];
  /** Requirements by which requests that fit are served. */
  readonly accepts: readonly string[];
}

interface OperationNode {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: SpecSchemaNode }[];
  readonly requestBody?: { readonly "x-entries"?: SpecSchemaNode };
  readonly "x-requirements": Citations;
  readonly "x-credits": number | "unknown";
  readonly "x-errors": string;
  readonly responses: Record<
    string,
    { content?: { "application/json"?: { schema: SpecSchemaNode } }; "x-requirements"?: Citations }
  >;
}

/** One file of specs/rpc/. */
export interface MethodFile {
  readonly method: string;
  readonly feature: string;
  readonly summary: string;
  readonly clause: string;
  readonly "x-credits": number | "unknown";
  readonly "x-errors": string;
  readonly "x-irreversible"?: string;
  readonly "x-requirements": Citations;
  readonly params: SpecSchemaNode;
  readonly result: SpecSchemaNode;
}

const creditsOf = (price: number | "unknown"): number | null => (price === "unknown" ? null : price);

/** REST operations, then JSON-RPC methods. */
export const operationsOf = (): CatalogueOperation[] => [...restOperations(), ...methodFiles().map(operationOf)];

/** Every JSON-RPC method, in the order of its file names. */
export const methodFiles = (): MethodFile[] => filesIn("rpc").map((file) => loadResolved(file) as MethodFile);

function operationOf(method: MethodFile): CatalogueOperation {
  const answers = [
    answerOf("result", successOf(method)),
    answerOf("error", loadResolved("nouns/RpcError.yaml") as SpecSchemaNode),
  ];
  return {
    id: method.method,
    api: "rpc",
    feature: method.feature,
    method: "POST",
    path: "/",
    credits: creditsOf(method["x-credits"]),
    errors: method["x-errors"],
    ...(method["x-irreversible"] ? { irreversible: method["x-irreversible"] } : {}),
    answers,
  };
}

/** The success envelope with a method's own result and its examples in it. */
function successOf({ result }: MethodFile): SpecSchemaNode {
  const envelope = loadResolved("nouns/RpcResult.yaml") as SpecSchemaNode;
  const examples = (result.examples ?? []).map((example, index) => ({
    jsonrpc: "2.0",
    id: index + 1,
    result: example,
  }));
  return { ...envelope, properties: { ...envelope.properties, result }, examples };
}

const answerOf = (name: string, schema: SpecSchemaNode): AnswerSchema => ({ name, schema, ...sitesOf(schema) });

/** The requests of each operation, REST operations first. */
export const requestSchemas = (): RequestSchema[] => [
  ...restNodes().map(([, , node]) =>
    requestOf(node.operationId, parametersOf(node), node["x-requirements"], node.requestBody ? "requestBody" : "path"),
  ),
  ...methodFiles().map(({ method, params, "x-requirements": citations }) =>
    requestOf(method, params, citations, "params"),
  ),
];

/** The envelope of JSON-RPC requests, with any params. */
export function envelopeOfRequests(): RequestSchema {
  const names = methodFiles().map(({ method }) => method);
  const schema = JSON.stringify(loadResolved("nouns/RpcRequest.yaml")).replaceAll("<methods>", names.join("|"));
  return requestOf("envelope", JSON.parse(schema) as SpecSchemaNode, {}, "");
}

const requestOf = (operation: string, schema: SpecSchemaNode, citations: Citations, place: string): RequestSchema => ({
  operation,
  schema,
  sites: sitesOf(schema).sites,
  accepts: Object.keys(citations).filter((id) => citations[id]?.includes(place)),
});

function parametersOf({ parameters = [], requestBody }: OperationNode): SpecSchemaNode {
  const entries = requestBody?.["x-entries"];
  const properties = {
    ...Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    ...(entries ? { entries } : {}),
  };
  const members = Object.entries(properties);
  const isShown = members.every(([, { examples }]) => examples);
  return {
    type: "object",
    properties,
    ...(isShown
      ? { examples: [Object.fromEntries(members.map(([name, { examples = [] }]) => [name, examples[0]]))] }
      : {}),
  };
}

/** @throws Error where the tag of an operation names no API */
function restOperations(): CatalogueOperation[] {
  const { tags } = readYaml("openapi.yaml") as {
    tags: readonly { readonly name: string; readonly "x-api"?: string }[];
  };
  const apiOf = new Map(tags.map((tag) => [tag.name, tag["x-api"]]));
  return restNodes().map(([path, method, node]): CatalogueOperation => {
    const feature = node.tags[0] ?? "";
    const api = apiOf.get(feature);
    if (!api) throw new Error(`${node.operationId}: no tag ${feature} with an x-api in specs/openapi.yaml`);
    return {
      id: node.operationId,
      api,
      feature,
      method: method.toUpperCase(),
      path,
      credits: creditsOf(node["x-credits"]),
      errors: node["x-errors"],
      answers: answersOf(node),
    };
  });
}

/** Every REST operation with its path and method. */
export function restNodes(): [path: string, method: string, node: OperationNode][] {
  const { paths } = loadResolved("openapi.yaml") as { paths: Record<string, Record<string, OperationNode>> };
  return Object.entries(paths).flatMap(([path, nodes]) =>
    Object.entries(nodes).map(([method, node]): [string, string, OperationNode] => [path, method, node]),
  );
}

const answersOf = (node: OperationNode): AnswerSchema[] =>
  Object.entries(node.responses).flatMap(([status, { content }]) => {
    const schema = content?.["application/json"]?.schema;
    return schema ? [answerOf(status, schema)] : [];
  });
