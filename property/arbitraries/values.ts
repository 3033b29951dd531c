// Values that fit a schema; texts whose meaning only a platform knows come from sample data
import fc from "fast-check";
import type { Json } from "../../harness/core/json.ts";
import type { ParamsSchema } from "../../specs/generated/requests.ts";

/** Numbers without bounds in the schema are small, as larger ones are unspecified. */
const unbounded = { least: 1, most: 10 };

/** Null for texts that a schema can't describe. */
export function valueArbitrary(node: ParamsSchema): fc.Arbitrary<Json> | null {
  if ("const" in node) return fc.constant(node["const"] as Json);
  if (Array.isArray(node["enum"])) return fc.constantFrom(...(node["enum"] as readonly Json[]));
  const made = [node.type ?? []].flat().flatMap((type) => ofType[type]?.(node) ?? []);
  return made.length > 0 ? fc.oneof(...made) : null;
}

const ofType: { readonly [type: string]: (node: ParamsSchema) => fc.Arbitrary<Json> | null } = {
  null: () => fc.constant(null),
  boolean: () => fc.boolean(),
  integer: numberOf,
  number: numberOf,
  array: listOf,
  object: objectOf,
};

const limitOf = (node: ParamsSchema, keyword: string): number | undefined =>
  typeof node[keyword] === "number" ? node[keyword] : undefined;

function numberOf(node: ParamsSchema): fc.Arbitrary<number> {
  const step = limitOf(node, "multipleOf") ?? 1;
  const least = limitOf(node, "minimum") ?? unbounded.least;
  const most = limitOf(node, "maximum") ?? Math.max(unbounded.most, least);
  return fc.integer({ min: Math.ceil(least / step), max: Math.floor(most / step) }).map((times) => times * step);
}

function listOf(node: ParamsSchema): fc.Arbitrary<Json> | null {
  const item = node.items ? valueArbitrary(node.items) : null;
  const minLength = limitOf(node, "minItems") ?? 0;
  if (!item) return minLength === 0 ? fc.constant([]) : null;
  return fc.array(item, { minLength, maxLength: limitOf(node, "maxItems") ?? minLength + 5 });
}

/** Optional members are sometimes left out. */
function objectOf({ properties = {}, required = [] }: ParamsSchema): fc.Arbitrary<Json> | null {
  const members = Object.entries(properties).flatMap(([name, node]) => {
    const value = valueArbitrary(node);
    return value ? [[name, value] as const] : [];
  });
  const known = Object.fromEntries(members);
  if (required.some((name) => !Object.hasOwn(known, name))) return null;
  return fc.record<{ [member: string]: Json }>(known, { requiredKeys: required as string[] });
}
