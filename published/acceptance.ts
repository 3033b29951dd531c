// What a document accepts beyond the common: null, long lists, names in place of addresses.
import { type DocumentReading, judgedType, reading, silent, typeText } from "./keywords.ts";
import { whyRefused } from "./refusals.ts";
import { kindsOf, ofKind, possible, type SchemaShape, stating, type ValueKind } from "./shapes.ts";

interface Accepted {
  readonly type?: string;
  readonly pattern?: string;
  readonly minItems?: number;
}

/** A value that must be accepted although it isn't the common one. */
export function acceptance(shape: SchemaShape, value: unknown): DocumentReading {
  const { type, pattern, minItems } = value as Accepted;
  if (minItems !== undefined) return listOfLength(shape, minItems);
  if (pattern === undefined) return kindReading(shape, "null");
  const typed = type === undefined ? silent : judgedType(type, shape, false);
  if (typed.is === "contradicted") return typed;
  const texts = ofKind(shape, ["string"]);
  const patterns = texts.flatMap((one) =>
    one.flatMap(({ pattern: stated }) => (typeof stated === "string" ? [stated] : [])),
  );
  if (texts.length === 0 || texts.some((one) => one.every((node) => node["pattern"] === undefined))) return silent;
  const isAccepted = ["name.sol", "some.name.com"].some((name) => whyRefused(shape, name) === null);
  const line = texts.map((one) => stating(one, "pattern")).find(Boolean) ?? null;
  return reading(isAccepted, `pattern: ${[...new Set(patterns)].sort().join(" or ")}`, line);
}

/** Whether a list may have so many items. */
export function listOfLength(shape: SchemaShape, count: number): DocumentReading {
  const lists = ofKind(shape, ["array"]);
  const mosts = lists.map((one) =>
    Math.min(...one.map(({ maxItems }) => (typeof maxItems === "number" ? maxItems : Number.POSITIVE_INFINITY))),
  );
  const most = Math.max(...mosts);
  const line = lists.map((one) => stating(one, "maxItems")).find(Boolean) ?? null;
  return Number.isFinite(most) ? reading(most >= count, `maxItems: ${most}`, line) : silent;
}

/** Whether it may be of a kind; silent where it says nothing of kinds. */
export function kindReading(shape: SchemaShape, kind: ValueKind): DocumentReading {
  const stated = possible(shape).map(kindsOf);
  const kinds = [...new Set(stated.flatMap((some) => some ?? []))];
  const line = shape.map((alternative) => stating(alternative, "type", "enum")).find(Boolean) ?? null;
  const isOpen = stated.includes(null) && !kinds.includes(kind);
  return kinds.length === 0 || isOpen ? silent : reading(kinds.includes(kind), typeText(kinds), line);
}
