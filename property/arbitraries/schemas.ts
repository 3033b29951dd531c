// Standing of a request by its schema: valid, invalid, open or disputed between two validators
import { Validator as Second } from "@cfworker/json-schema";
import { isObject, type Json, pointerFromPath, stepsOf, valueAt } from "../../harness/core/json.ts";
import type { ParamsSchema, RequestShape } from "../../specs/generated/requests.ts";
import type { SchemaError, Validator } from "../../specs/generated/requestValidators.js";
import type { RequirementId } from "../../specs/generated/requirements.ts";

/** A request's schema with its first validator, ajv; the second one interprets the schema. */
export interface Request extends Omit<RequestShape, "operation"> {
  readonly operation: string;
  readonly validate: Validator;
}

/** `valid`, `invalid`: by both validators · `open`: unspecified (`x-open`) · `disputed`: the validators differ. */
export type ParamsValidity = "valid" | "invalid" | "open" | "disputed";

const draft = "2020-12";
const compiled = new WeakMap<object, Second>();

/** Whether an instance fits, by @cfworker/json-schema. */
export function fitsSecond(schema: object, instance: Json | undefined): boolean {
  const validator = compiled.get(schema) ?? new Second(schema, draft, false);
  compiled.set(schema, validator);
  return validator.validate(instance).valid;
}

/** A node of the schema and a place of the instance that it describes. */
export interface SchemaPlace {
  readonly at: string;
  readonly value: Json;
  readonly node: ParamsSchema;
}

/** The root and all places below it that the schema describes, outermost first. */
export function schemaPlacesIn(value: Json, node: ParamsSchema, at = ""): readonly SchemaPlace[] {
  const { properties = {}, prefixItems = [], items } = node;
  const children = Array.isArray(value)
    ? (value as readonly Json[]).map((item, nth) => [String(nth), item, prefixItems[nth] ?? items] as const)
    : isObject(value)
      ? Object.entries(value).map(
          ([name, item]) => [name, item, Object.hasOwn(properties, name) ? properties[name] : undefined] as const,
        )
      : [];
  return [
    { at, value, node },
    ...children.flatMap(([name, item, child]) =>
      child ? schemaPlacesIn(item, child, `${at}${pointerFromPath([name])}`) : [],
    ),
  ];
}

/** Whether an `x-open` matches at any place of the instance. */
export const isOpen = (params: Json, { schema }: Pick<Request, "schema">): boolean =>
  schemaPlacesIn(params, schema).some(({ node, value }) =>
    Object.values(node["x-open"] ?? {}).some((open) => fitsSecond(open, value)),
  );

export function errorsIn(params: Json, { validate }: Request): readonly SchemaError[] {
  return validate(params) ? [] : (validate.errors ?? []);
}

export function validityOf(params: Json, request: Request): ParamsValidity {
  if (isOpen(params, request)) return "open";
  const isValid = errorsIn(params, request).length === 0;
  return isValid !== fitsSecond(request.schema, params) ? "disputed" : isValid ? "valid" : "invalid";
}

/** The site of an error: elements of lists are `*`, and a missing member is where it should be. */
function siteOf(
  { instancePath, keyword, params }: SchemaError,
  { schema }: Request,
): readonly [at: string, keyword: string] {
  const isMissing = keyword === "required";
  return [
    starredBySchema(isMissing ? `${instancePath}/${String(params["missingProperty"])}` : instancePath, schema),
    isMissing ? "present" : keyword,
  ];
}

/** `/0/3` is `/0/*` where the schema has prefix items for the first step and items for the second. */
export function starredBySchema(pointer: string, schema: ParamsSchema): string {
  let node: ParamsSchema | undefined = schema;
  let at = "";
  for (const step of pointer.split("/").slice(1)) {
    const isElement: boolean = /^\d+$/.test(step) && !node?.prefixItems?.[Number(step)] && node?.items !== undefined;
    at += isElement ? "/*" : `/${step}`;
    node = isElement ? node?.items : (node?.prefixItems?.[Number(step)] ?? node?.properties?.[step]);
  }
  return at;
}

/** Whether exactly one keyword at one place is broken, by the first validator. */
export function breaksAlone(params: Json, at: string, keyword: string, request: Request): boolean {
  const broken = errorsIn(params, request).map((error) => siteOf(error, request));
  return (
    broken.length > 0 &&
    broken.every(([place, word]) => place === starredBySchema(at, request.schema) && word === keyword)
  );
}

/** The requirement by which valid params are served: that of their innermost place with one, else of the whole. */
export function servedBy(params: Json, { schema, accepts }: Request): RequirementId | undefined {
  const own = schemaPlacesIn(params, schema).flatMap(({ node, value }) =>
    (Object.entries(node["x-accepts"] ?? {}) as [RequirementId, object][]).flatMap(([id, served]) =>
      fitsSecond(served, value) ? [id] : [],
    ),
  );
  return own.at(-1) ?? accepts[0];
}

/** The instance with another value at a place, whose parent must exist; undefined removes the member. */
export function changedAt(params: Json, at: string, value: Json | undefined): Json {
  if (at === "") return value ?? null;
  const copy = structuredClone(params);
  const steps = stepsOf(at);
  const last = steps.at(-1) ?? "";
  const holder = valueAt(copy, pointerFromPath(steps.slice(0, -1))) as { [member: string]: Json } | Json[];
  if (Array.isArray(holder)) {
    if (value === undefined) holder.splice(Number(last), 1);
    else holder[Number(last)] = value;
  } else if (value === undefined) delete holder[last];
  else holder[last] = value;
  return copy;
}
