// Which operations of the interface documents describe, and what they say of each.
import type { Operation } from "../harness/core/interface.ts";
import { type DocumentNode, followed, isNode, lineAt, type PublishedDocument } from "./documents.ts";
import { contentOf, type Endpoint, jsonBodyOf, type Parameter, parametersOf } from "./endpoints.ts";
import { openRpcOperations } from "./openRpc.ts";
import type { Published, PublishedCarrier, PublishedOperation } from "./publishedOperation.ts";
import { methodsNamed, pathOf, requestOfEndpoint, requestOfMethod } from "./requests.ts";

const httpMethods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

export function publishedIn(documents: readonly PublishedDocument[], operations: readonly Operation[]): Published {
  const found = documents.map((document) =>
    document.kind === "openrpc" ? openRpcOperations(document, operations) : endpointsIn(document, operations),
  );
  return {
    operations: found.flatMap((one) => one.operations),
    others: found.reduce((sum, one) => sum + one.others, 0),
  };
}

function endpointsIn(document: PublishedDocument, operations: readonly Operation[]): Published {
  const { paths } = document.root;
  let others = 0;
  const found = Object.entries(isNode(paths) ? paths : {}).flatMap(([template, item]) => {
    const node = followed(item);
    return httpMethods
      .filter((method) => isNode(node[method]))
      .flatMap((method) => {
        const described = endpointOf({ document, template, item: node, method }, operations);
        others += Number(described.length === 0);
        return described;
      });
  });
  return { operations: found, others };
}

/** Read only where it is one of these: what else a document has may be unfinished. */
function endpointOf(endpoint: Endpoint, operations: readonly Operation[]): readonly PublishedOperation[] {
  const named = methodsNamed(endpoint, operations);
  if (named.length > 0) return named.map((operation) => methodAt(endpoint, operation, named.length > 1));
  return operations.flatMap((operation) => {
    const path = pathOf(endpoint, operation, operations);
    return path === null ? [] : [describedAt(endpoint, operation, path)];
  });
}

function commonAt({ document, item, method }: Endpoint) {
  const node = followed(item[method]);
  const body = jsonBodyOf(node);
  const parameters = parametersOf(item, node);
  return {
    ...{ document, node, line: lineAt(item, method), body: body.shape, bodyTypes: body.types, codes: [] },
    ...{ parameters, carriers: carriersOf(document, node, parameters), answers: answersOf(node) },
  };
}

function methodAt(endpoint: Endpoint, operation: Operation, isShared: boolean): PublishedOperation {
  const { parameters, ...common } = commonAt(endpoint);
  return {
    ...{ ...common, operation, isShared, path: null },
    request: requestOfMethod(common.body, operation.id),
    parameters: withoutKeys(parameters, common.carriers),
  };
}

const withoutKeys = (parameters: readonly Parameter[], carriers: readonly PublishedCarrier[]): readonly Parameter[] =>
  parameters.filter(
    (parameter) =>
      parameter.in !== "path" && !carriers.some((key) => key.name === parameter.name && key.in === parameter.in),
  );

function describedAt(endpoint: Endpoint, operation: Operation, template: string): PublishedOperation {
  const { parameters, ...common } = commonAt(endpoint);
  const { document, method } = endpoint;
  const line = lineAt(followed(document.root["paths"]), endpoint.template);
  return {
    ...{ ...common, operation, isShared: false, path: { method: method.toUpperCase(), template, line } },
    request: requestOfEndpoint(operation, template, parameters, common.body, common.node),
    parameters: withoutKeys(parameters, common.carriers),
  };
}

function answersOf(node: DocumentNode): PublishedOperation["answers"] {
  const responses = followed(node["responses"]);
  return new Map(
    Object.entries(responses).map(([status, response]) => [
      status,
      { shape: contentOf(followed(response)).shape, line: lineAt(responses, status) },
    ]),
  );
}

/** Of each scheme that it accepts, and of parameters that look like one. */
function carriersOf(
  { root }: PublishedDocument,
  node: DocumentNode,
  parameters: readonly Parameter[],
): readonly PublishedCarrier[] {
  const security = node["security"] ?? root["security"];
  const schemes = followed(followed(root["components"])["securitySchemes"]);
  // Each of them is enough; schemes that one names together are needed together.
  const choices = (Array.isArray(security) ? (security as readonly unknown[]) : []).filter(isNode);
  const bySchemes = choices.flatMap((choice) => {
    const names = Object.keys(choice);
    return names.flatMap((scheme) => {
      const described = followed(schemes[scheme]);
      const { type, in: place, name } = described;
      return type === "apiKey" && typeof place === "string" && typeof name === "string"
        ? [{ in: place, name, isAlone: names.length === 1, line: lineAt(described, "name") }]
        : [];
    });
  });
  const isKey = ({ name }: Parameter): boolean => /^(x-)?api[-_]?key$/i.test(name);
  const byParameters = parameters
    .filter(isKey)
    .map(({ in: place, name, line }) => ({ in: place, name, isAlone: true, line }));
  return [...bySchemes, ...byParameters];
}
