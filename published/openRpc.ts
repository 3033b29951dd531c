// The methods that an OpenRPC document describes.
import type { Operation } from "../harness/core/interface.ts";
import { type DocumentNode, followed, lineAt, nodeIn, type PublishedDocument } from "./documents.ts";
import type { Published, PublishedOperation } from "./publishedOperation.ts";
import { keywordList, type SchemaShape, shapeOf } from "./shapes.ts";

export function openRpcOperations(document: PublishedDocument, operations: readonly Operation[]): Published {
  const methods = keywordList(document.root, "methods").map(followed);
  const found = methods.flatMap((method) => {
    const operation = operations.find(({ id, api }) => api === "rpc" && id === method["name"]);
    return operation ? [methodOf(document, method, operation)] : [];
  });
  return { operations: found, others: methods.length - found.length };
}

function methodOf(document: PublishedDocument, method: DocumentNode, operation: Operation): PublishedOperation {
  const result = followed(method["result"]);
  const schema = result["schema"];
  const answer = schema === undefined ? null : { shape: shapeOf(schema, result), line: lineAt(result, "schema") };
  return {
    ...{ operation, document, line: lineAt(method, "name"), isShared: false, path: null, body: null, bodyTypes: [] },
    ...{ carriers: [], parameters: [] },
    request: paramsOf(method),
    answers: new Map(answer ? [["result", answer]] : []),
    codes: keywordList(method, "errors")
      .map(followed)
      .flatMap((error) => {
        const { code, message } = error;
        const text = typeof message === "string" ? message : null;
        return typeof code === "number" ? [{ code, message: text, line: lineAt(error, "code") }] : [];
      }),
  };
}

/** Params by name as an object, by position as a list, and either way as both; a single one called params as itself. */
function paramsOf(method: DocumentNode): SchemaShape | null {
  if (method["params"] === undefined) return null;
  const params = keywordList(method, "params").map(followed);
  const [only] = params;
  if (only && params.length === 1 && only["name"] === "params") return shapeOf(only["schema"], only);
  const names = params.map(({ name }) => String(name));
  const schemas = params.map((param) => param["schema"] ?? true);
  const required = params.flatMap(({ required: is, name }) => (is === true ? [String(name)] : []));
  const properties = nodeIn(method, Object.fromEntries(names.map((name, nth) => [name, schemas[nth]])));
  const byName = nodeIn(method, { type: "object", properties, required: nodeIn(method, required) });
  const count = params.findLastIndex(({ required: is }) => is === true) + 1;
  const byPosition = nodeIn(method, { type: "array", prefixItems: nodeIn(method, schemas), minItems: count });
  const structure = method["paramStructure"];
  return structure === "by-name" ? [[byName]] : structure === "by-position" ? [[byPosition]] : [[byName], [byPosition]];
}
