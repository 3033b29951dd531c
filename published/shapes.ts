// What a schema accepts: alternatives, each a conjunction of schemas, with references and allOf, anyOf, oneOf followed.
import { CommandLineError } from "../harness/core/commandLineError.ts";
import { type DocumentLine, type DocumentNode, isNode, lineAt, lineText, nodeIn, referredBy } from "./documents.ts";

/** Schemas that hold together. */
export type Alternative = readonly DocumentNode[];

/** Any of these; none for what accepts nothing, such as the schema `false`. */
export type SchemaShape = readonly Alternative[];

/** A JSON type; whole numbers apart from others. */
export type ValueKind = "null" | "boolean" | "whole" | "fraction" | "string" | "array" | "object";

const kindsByType: { readonly [type: string]: readonly ValueKind[] } = {
  null: ["null"],
  boolean: ["boolean"],
  integer: ["whole"],
  number: ["whole", "fraction"],
  string: ["string"],
  array: ["array"],
  object: ["object"],
};

/** More than that are as if nothing had been said but by the schema itself. */
const most_alternatives = 64;

/** Of too many it is the first alone. */
const both = (one: SchemaShape, other: SchemaShape): SchemaShape =>
  one.length * other.length > most_alternatives ? one : combined(one, other);

const combined = (one: SchemaShape, other: SchemaShape): SchemaShape =>
  one.flatMap((left) => other.map((right) => [...left, ...right.filter((node) => !left.includes(node))]));

/** Each schema once, as references and aliases multiply; `open` while it is being read. */
const known = new WeakMap<object, SchemaShape | "open">();

/** Each takes a place on the stack. */
const deepest = 500;
let depth = 0;

/** @throws CommandLineError for what is no schema, and for one that refers to itself before it says anything */
export function shapeOf(schema: unknown, parent: object): SchemaShape {
  if (schema === undefined || schema === true) return [[]];
  if (schema === false) return [];
  if (!isNode(schema))
    throw new CommandLineError(
      `${lineText(lineAt(parent))}: a schema is neither an object nor a boolean. Fix the document.`,
    );
  const earlier = known.get(schema);
  if (earlier === "open")
    throw new CommandLineError(
      `${lineText(lineAt(schema))}: the schema refers to itself in a circle. Fix the document.`,
    );
  if (earlier) return earlier;
  known.set(schema, "open");
  depth += 1;
  try {
    if (depth > deepest)
      throw new CommandLineError(
        `${lineText(lineAt(schema))}: schemas refer to one another too deeply to be read. Fix the document.`,
      );
    const shape = shapeIn(schema);
    known.set(schema, shape);
    return shape;
  } finally {
    depth -= 1;
    if (known.get(schema) === "open") known.delete(schema);
  }
}

function shapeIn(schema: DocumentNode): SchemaShape {
  const inner = (one: unknown): SchemaShape => shapeOf(one, schema);
  let shape: SchemaShape = [[schema]];
  if (schema["$ref"] !== undefined) shape = both(shape, inner(referredBy(schema)));
  for (const one of keywordList(schema, "allOf")) shape = both(shape, inner(one));
  for (const keyword of ["anyOf", "oneOf"])
    if (schema[keyword] !== undefined) shape = both(shape, keywordList(schema, keyword).flatMap(inner));
  if (schema["nullable"] === true) shape = [...shape, [nodeIn(schema, { type: "null" })]];
  return shape.length > most_alternatives ? [[schema]] : shape;
}

/** @throws CommandLineError where it isn't a list */
export function keywordList(node: DocumentNode, keyword: string): readonly unknown[] {
  const list = node[keyword];
  if (list === undefined) return [];
  if (Array.isArray(list)) return list;
  throw new CommandLineError(`${lineText(lineAt(node, keyword))}: ${keyword} isn't a list. Fix the document.`);
}

const membersAt = (node: DocumentNode, keyword: string): DocumentNode => {
  const members = node[keyword];
  if (members === undefined) return {};
  if (isNode(members)) return members;
  throw new CommandLineError(`${lineText(lineAt(node, keyword))}: ${keyword} isn't an object. Fix the document.`);
};

export function kindOfValue(value: unknown): ValueKind {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "whole" : "fraction";
  return typeof value as "boolean" | "string" | "object";
}

/** Those that one schema accepts; null where it doesn't say. Members and items alone speak of objects and arrays. */
function kindsIn(node: DocumentNode): readonly ValueKind[] | null {
  const { type, properties, required, items, prefixItems } = node;
  const values = valuesIn(node);
  if (type === undefined) {
    if (values) return [...new Set(values.map(kindOfValue))];
    if (properties !== undefined || required !== undefined) return ["object"];
    return items !== undefined || prefixItems !== undefined ? ["array"] : null;
  }
  return [type].flat().flatMap((name) => {
    const kinds = typeof name === "string" ? kindsByType[name] : undefined;
    if (kinds) return kinds;
    throw new CommandLineError(
      `${lineText(lineAt(node, "type"))}: type is ${JSON.stringify(name)}, which isn't a type of JSON Schema. ` +
        "Fix the document.",
    );
  });
}

const valuesIn = (node: DocumentNode): readonly unknown[] | null =>
  node["const"] !== undefined ? [node["const"]] : node["enum"] === undefined ? null : keywordList(node, "enum");

/** Null where none of several says it. */
function meetOf<One>(lists: readonly (readonly One[] | null)[]): readonly One[] | null {
  const stated = lists.flatMap((list) => (list ? [list] : []));
  const [first, ...others] = stated;
  return first ? first.filter((one) => others.every((list) => list.includes(one))) : null;
}

/** Null where it doesn't say. */
export const kindsOf = (alternative: Alternative): readonly ValueKind[] | null => meetOf(alternative.map(kindsIn));

/** The only values that it accepts; null where it doesn't list any. Compared as JSON. */
export function valuesOf(alternative: Alternative): readonly string[] | null {
  return meetOf(alternative.map((node) => valuesIn(node)?.map((value) => JSON.stringify(value)) ?? null));
}

/** Without what can't be, such as null of an alternative that has the type string besides. */
export const possible = (shape: SchemaShape): SchemaShape =>
  shape.filter((alternative) => kindsOf(alternative)?.length !== 0);

/** Alternatives that may be of such a kind. */
export const ofKind = (shape: SchemaShape, kinds: readonly ValueKind[]): SchemaShape =>
  possible(shape).filter((alternative) => kindsOf(alternative)?.some((kind) => kinds.includes(kind)) ?? true);

/** The first that says a keyword, and where. */
export function stating(alternative: Alternative, ...keywords: readonly string[]): DocumentLine | null {
  for (const node of alternative)
    for (const keyword of keywords) if (node[keyword] !== undefined) return lineAt(node, keyword);
  return null;
}

/** A member or an item: what is said of it, by each alternative that can have it. */
export interface Child {
  readonly shape: SchemaShape;
  /** Null where it is described nowhere. */
  readonly line: DocumentLine | null;
  /** `optional`: there is a list of required members without it. Null where nothing is said. */
  readonly is: "required" | "optional" | null;
  /** Where it says so, or where it would. */
  readonly requiredLine: DocumentLine | null;
  /** Nothing but what is described may be there. */
  readonly isClosed: boolean;
  /** Whether what is said of every item alone tells of an item at one place. */
  readonly isOfEvery: boolean;
}

/** @param step name of a member, place of an item, or `*` for every item */
export function childOf(shape: SchemaShape, step: string): Child {
  const isItem = step === "*" || (/^\d+$/.test(step) && ofKind(shape, ["array"]).length > 0);
  const parents = ofKind(shape, isItem ? ["array"] : ["object"]);
  const found = parents.map((alternative) => childIn(alternative, step, isItem));
  const described = found.filter(({ nodes, is }) => nodes.length > 0 || is === "required");
  const parent = parents[0]?.[0];
  const states = described.map(({ is }) => is);
  return {
    shape: described.flatMap(({ nodes }) =>
      nodes.reduce((whole: SchemaShape, [node, owner]) => both(whole, shapeOf(node, owner)), [[]]),
    ),
    line: described.find(({ line }) => line !== null)?.line ?? null,
    is: states.includes("optional")
      ? "optional"
      : states.length > 0 && states.length === parents.length && states.every((state) => state === "required")
        ? "required"
        : null,
    requiredLine: described.find(({ is }) => is !== null)?.requiredLine ?? (parent ? lineAt(parent) : null),
    isClosed: parents.length > 0 && described.length === 0 && found.every(({ isClosed }) => isClosed),
    isOfEvery: isItem && step !== "*" && !parents.some((one) => one.some((node) => placedIn(node, step) !== undefined)),
  };
}

function childIn(alternative: Alternative, step: string, isItem: boolean) {
  const owners = alternative.filter(
    (node) => (isItem ? itemIn(node, step) : membersAt(node, "properties")[step]) !== undefined,
  );
  const nodes = owners.map((owner) => {
    const node = isItem ? itemIn(owner, step) : membersAt(owner, "properties")[step];
    return [node, owner] as const;
  });
  const naming = alternative.find((node) => keywordList(node, "required").includes(step));
  // A list beside another part of the object says nothing of this one.
  const lists = [...(naming ? [naming] : []), ...owners.filter((node) => node["required"] !== undefined)];
  const [owner] = owners;
  return {
    nodes,
    line: owner
      ? lineAt(
          isItem ? owner : membersAt(owner, "properties"),
          isItem ? (owner["items"] === undefined ? "prefixItems" : "items") : step,
        )
      : null,
    is: isItem || lists.length === 0 ? null : naming ? ("required" as const) : ("optional" as const),
    requiredLine: lists[0] ? lineAt(lists[0], "required") : null,
    isClosed: alternative.some(
      (node) => node["additionalProperties"] === false || node["unevaluatedProperties"] === false,
    ),
  };
}

function itemIn(node: DocumentNode, step: string): unknown {
  return placedIn(node, step) ?? (Array.isArray(node["items"]) ? undefined : node["items"]);
}

/** What is said of an item at one place alone; `items` may be a list in older schemas. */
function placedIn(node: DocumentNode, step: string): unknown {
  const first = node["prefixItems"] ?? node["items"];
  return Array.isArray(first) ? (first as readonly unknown[])[Number(step)] : undefined;
}

/** Names of all members that it describes. */
export const memberNames = (shape: SchemaShape): readonly string[] => [
  ...new Set(
    ofKind(shape, ["object"]).flatMap((alternative) =>
      alternative.flatMap((node) => Object.keys(membersAt(node, "properties"))),
    ),
  ),
];
