// An OpenAPI or OpenRPC document of a user's own, as operations of the interface.
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import type { Interface, Operation } from "../harness/core/interface.ts";
import { isObject, type Json, pointerFromPath, valueAt } from "../harness/core/json.ts";
import { type FileSchema, formed, validatorOf } from "../harness/core/schema.ts";
import { readYamlFile } from "../harness/core/yamlFile.ts";
import type { CustomSpec } from "./definition.ts";

/** An answer that has a schema, and where in the document that is. */
export interface DescribedAnswer {
  readonly operation: string;
  /** An HTTP status, a range as `4XX`, `default`, or `result`. */
  readonly name: string;
  readonly at: string;
}

export interface Spec {
  readonly kind: Interface["apis"][keyof Interface["apis"]];
  /** Of its text. */
  readonly digest: string;
  readonly document: Json;
  readonly operations: readonly Operation[];
  readonly answers: readonly DescribedAnswer[];
}

/** Where a place's references lead in the end. @throws Error where they lead nowhere */
function followed(document: Json, at: string, steps = 0): string {
  const value = valueAt(document, at);
  const ref = isObject(value) ? value["$ref"] : undefined;
  if (typeof ref !== "string") return at;
  const to = decodeURIComponent(ref.slice(1));
  if (!ref.startsWith("#/") || steps > 99 || valueAt(document, to) === undefined)
    throw new Error(`the reference ${ref} doesn't resolve`);
  return followed(document, to, steps + 1);
}

function entriesAt(document: Json, place: string): readonly (readonly [name: string, at: string])[] {
  const at = followed(document, place);
  return Object.keys(valueAt(document, at) ?? {}).map((name) => [name, `${at}${pointerFromPath([name])}`]);
}

interface Called extends Pick<Operation, "method" | "path"> {
  readonly id: string;
  /** Where it is described. */
  readonly at: string;
  /** Where its answers have their schemas. */
  readonly schemas: readonly (readonly [answer: string, at: string])[];
}

function jsonAt(document: Json, response: string): string {
  const contents = entriesAt(document, `${followed(document, response)}/content`);
  const jsonTypes = [/^application\/json\s*(;|$)/i, /\+json\s*(;|$)/i, /^(application|\*)\/\*/];
  return jsonTypes.flatMap((type) => contents.find(([name]) => type.test(name)) ?? [])[1] ?? "";
}

const restOperations = (document: Json): readonly Called[] =>
  entriesAt(document, "/paths").flatMap(([path, item]) =>
    entriesAt(document, item).map(([method, at]) => ({
      id: valueAt(document, `${at}/operationId`) as string,
      at,
      path,
      method: method.toUpperCase(),
      schemas: entriesAt(document, `${at}/responses`).map(
        ([name, response]) => [name, `${jsonAt(document, response)}/schema`] as const,
      ),
    })),
  );

const rpcOperations = (document: Json): readonly Called[] =>
  entriesAt(document, "/methods").map(([, method]) => {
    const at = followed(document, method);
    const schema = `${followed(document, `${at}/result`)}/schema`;
    return {
      id: valueAt(document, `${at}/name`) as string,
      at,
      path: "/",
      method: "POST",
      schemas: [["result", schema]],
    };
  });

/** Of a config that is about operations of the interface alone. */
export const noSpec: Spec = { kind: "http", digest: "", document: {}, operations: [], answers: [] };

/**
 * @param schema whose part `document` such a document has to be of
 * @throws CommandLineError where it isn't
 */
export function readSpec(folder: string, { file: name, api, feature }: CustomSpec, schema: FileSchema): Spec {
  const file = join(folder, name);
  if (!existsSync(file)) throw new CommandLineError(`There is no ${file}, which the config names as its spec.`);
  const document = formed(readYamlFile(file), schema, "OpenAPI 3.1 and OpenRPC", "document") as Json;
  const isRpc = valueAt(document, "/openrpc") !== undefined;
  const called = (isRpc ? rpcOperations : restOperations)(document).filter(({ id }) => typeof id === "string");
  const twice = called.find(({ id }, nth) => called.findIndex((one) => one.id === id) !== nth);
  if (twice || called.length === 0)
    throw new CommandLineError(`${file} has ${twice ? `two operations ${twice.id}` : "no named operation"}. Fix it.`);
  const answers = called.flatMap(({ id: operation, schemas }) =>
    schemas.flatMap(([name, at]) => (valueAt(document, at) === undefined ? [] : [{ operation, name, at }])),
  );
  const operations = called.map(({ id, at, method, path }) => {
    const credits = Number(valueAt(document, `${at}/x-credits`) ?? -1);
    const isOnce = !(valueAt(document, `${at}/x-repeatable`) ?? (isRpc || ["GET", "HEAD"].includes(method)));
    const own = { id, api, feature, method, path, errors: feature, isOnce };
    return {
      ...own,
      credits: credits >= 0 && credits < 1e9 ? credits : null,
      answers: answers.flatMap(({ operation, name }) => (operation === id ? [name] : [])),
      // Forms tell the answers of a platform from those of a proxy before it: the interface's alone are known well.
      members: {},
    } as Operation;
  });
  const digest = createHash("sha256").update(readFileSync(file)).digest("hex").slice(0, 16);
  return { kind: isRpc ? "json-rpc" : "http", digest, document, operations, answers };
}

/** An OpenAPI document of answers to JSON-RPC methods: `<method>Answer`, and `components` as they are. */
export function typesSource({ document, answers }: Spec): string {
  const own = valueAt(document, "/components/schemas") as object | undefined;
  const envelope = (result: Json = {}): object => ({ type: "object", required: ["result"], properties: { result } });
  const all = answers.map(({ operation, at }) => [`${operation}Answer`, envelope(valueAt(document, at))] as const);
  const components = { schemas: { ...own, ...Object.fromEntries(all) } };
  return JSON.stringify({ openapi: "3.1.0", info: { title: "Answers", version: "1" }, paths: {}, components });
}

/** Judges by a schema in the document: what is wrong, or null. @throws Error where a reference leads nowhere */
export function validatorAt({ document, digest }: Spec, at: string) {
  const schema = { ...(document as object), $id: `https://assay.example/custom/${digest}` } as FileSchema;
  const validate = validatorOf(schema, encodeURI(at));
  return (value: Json | undefined) => (validate(value) ? null : (validate.errors?.[0] ?? null));
}
