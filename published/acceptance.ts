// What a document accepts beyond the common: null, long lists, names in place of addresses.
import { acceptedBy, type DocumentReading, judgedType, reading, silent, typeText } from "./keywords.ts";
import { kindsOf, ofKind, type SchemaShape, stating, type ValueKind } from "./shapes.ts";

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
  const [alternative = []] = ofKind(shape, ["string"]);
  const stated = alternative.map((node) => node["pattern"]).find((one) => typeof one === "string");
  if (typeof stated !== "string") return silent;
  const accepted = acceptedBy(stated, ["name.sol", "some.name.com"]);
  return reading(accepted === null ? null : accepted.length > 0, `pattern: ${stated}`, stating(alternative, "pattern"));
}

/** Whether a list may have so many items. */
export function listOfLength(shape: SchemaShape, count: number): DocumentReading {
  const [alternative = []] = ofKind(shape, ["array"]);
  const most = alternative.map(({ maxItems }) => maxItems).find((one) => typeof one === "number");
  return typeof most === "number"
    ? reading(most >= count, `maxItems: ${most}`, stating(alternative, "maxItems"))
    : silent;
}

/** Whether it may be of a kind; silent where it says nothing of kinds. */
export function kindReading(shape: SchemaShape, kind: ValueKind): DocumentReading {
  const kinds = [...new Set(shape.flatMap((alternative) => kindsOf(alternative) ?? []))];
  const line = shape.map((alternative) => stating(alternative, "type", "enum")).find(Boolean) ?? null;
  return kinds.length === 0 ? silent : reading(kinds.includes(kind), typeText(kinds), line);
}
