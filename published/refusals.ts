// Why a described request refuses a value: the first keyword that does.
import type { Json } from "../harness/core/json.ts";
import type { DocumentLine } from "./documents.ts";
import { acceptedBy } from "./keywords.ts";
import { childOf, kindOfValue, kindsOf, type SchemaShape, stating, valuesOf } from "./shapes.ts";

export interface RequestRefusal {
  readonly text: string;
  readonly line: DocumentLine | null;
}

/** Null where an alternative accepts it. */
export function whyRefused(shape: SchemaShape, value: Json): RequestRefusal | null {
  if (shape.length === 0) return { text: "false: accepts nothing", line: null };
  const refusals = shape.map((alternative) => refusalBy([alternative], value));
  return refusals.includes(null) ? null : (refusals[0] ?? null);
}

function refusalBy(shape: SchemaShape, value: Json): RequestRefusal | null {
  const [alternative = []] = shape;
  const kinds = kindsOf(alternative);
  const kind = kindOfValue(value);
  if (kinds && !kinds.includes(kind))
    return {
      text: `refuses ${kind === "whole" ? "number" : kind}`,
      line: stating(alternative, "type", "properties", "items"),
    };
  const values = valuesOf(alternative);
  if (values && !values.includes(JSON.stringify(value)))
    return { text: `only ${values.join(", ")}`, line: stating(alternative, "enum", "const") };
  const bounded = typeof value === "number" || typeof value === "string" ? refusedBound(alternative, value) : null;
  if (bounded) return bounded;
  if (Array.isArray(value)) return refusedItems(shape, value as readonly Json[]);
  return typeof value === "object" && value !== null
    ? refusedMembers(shape, value as { readonly [name: string]: Json })
    : null;
}

function refusedBound(alternative: SchemaShape[number], value: number | string): RequestRefusal | null {
  const size = typeof value === "number" ? value : value.length;
  const names = typeof value === "number" ? (["minimum", "maximum"] as const) : (["minLength", "maxLength"] as const);
  for (const node of alternative) {
    const [least, most] = names.map((name) => node[name]);
    const exceeded = [typeof least === "number" && size < least, typeof most === "number" && size > most].indexOf(true);
    const name = names[exceeded];
    if (name) return { text: `${name}: ${String(node[name])}`, line: stating([node], name) };
    const { pattern } = node;
    if (typeof value === "string" && typeof pattern === "string" && acceptedBy(pattern, [value])?.length === 0)
      return { text: `pattern: ${pattern}`, line: stating([node], "pattern") };
  }
  return null;
}

function refusedItems(shape: SchemaShape, items: readonly Json[]): RequestRefusal | null {
  const [alternative = []] = shape;
  for (const node of alternative) {
    const { maxItems, minItems } = node;
    if (typeof maxItems === "number" && items.length > maxItems)
      return { text: `maxItems: ${maxItems}`, line: stating([node], "maxItems") };
    if (typeof minItems === "number" && items.length < minItems)
      return { text: `minItems: ${minItems}`, line: stating([node], "minItems") };
  }
  for (const [nth, item] of items.entries()) {
    const child = childOf(shape, String(nth));
    const refusal = child.line === null ? null : whyRefused(child.shape, item);
    if (refusal) return refusal;
  }
  return null;
}

function refusedMembers(shape: SchemaShape, value: { readonly [name: string]: Json }): RequestRefusal | null {
  // In the order of their names: another order of a document says the same.
  for (const name of [...new Set(shape.flatMap((one) => one.flatMap(requiredIn)))].sort()) {
    const { is, requiredLine } = childOf(shape, name);
    if (is === "required" && !Object.hasOwn(value, name)) return { text: `requires ${name}`, line: requiredLine };
  }
  for (const [name, inner] of Object.entries(value)) {
    const child = childOf(shape, name);
    if (child.isClosed) return { text: `has no ${name}`, line: child.requiredLine };
    const refusal = child.line === null ? null : whyRefused(child.shape, inner);
    if (refusal) return { ...refusal, text: `${name}: ${refusal.text}` };
  }
  return null;
}

const requiredIn = ({ required }: { readonly required?: unknown }): readonly string[] =>
  Array.isArray(required) ? required.map(String) : [];
