// What does a JSON text say, exactly? Plain values for schemas, decimal-exact ones for arithmetic.
import Big from "big.js";
import { type JSONPath, visit } from "jsonc-parser";

export type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json };

export interface ParsedJson {
  /** As `JSON.parse` gives it; numbers are doubles. */
  readonly value: Json;
  /** The literal of every number by JSON pointer, e.g. `{"/creditsUsed": "1.0"}`. */
  readonly literals: ReadonlyMap<string, string>;
  /** Pointers of members that their object names more than once. */
  readonly duplicates: readonly string[];
}

export const pointerOf = (path: JSONPath): string => path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

/** Strict RFC 8259; null where the text is no JSON. */
export function parseJson(text: string): ParsedJson | null {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    return null;
  }
  const literals = new Map<string, string>();
  const seen = new Set<string>();
  const duplicates: string[] = [];
  visit(text, {
    onObjectProperty: (name, _offset, _length, _line, _column, pathSupplier) => {
      const pointer = pointerOf([...pathSupplier(), name]);
      if (seen.has(pointer)) duplicates.push(pointer);
      seen.add(pointer);
    },
    onLiteralValue: (literal: unknown, offset, length, _line, _column, pathSupplier) => {
      if (typeof literal === "number") literals.set(pointerOf(pathSupplier()), text.slice(offset, offset + length));
    },
  });
  return { value, literals, duplicates };
}

/** The value at a JSON pointer; undefined where there is none. */
export function valueAt(root: Json | undefined, pointer: string): Json | undefined {
  let here: Json | undefined = root;
  for (const raw of pointer.split("/").slice(1)) {
    const step = raw.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof here !== "object" || here === null || !Object.hasOwn(here, step)) return undefined;
    here = (here as { readonly [member: string]: Json })[step];
  }
  return here;
}

/** The number at a pointer as an exact decimal; undefined where there is none. */
export function exactAt(json: ParsedJson, pointer: string): Big | undefined {
  const literal = json.literals.get(pointer);
  return literal === undefined ? undefined : new Big(literal);
}

/** Members sorted, no white space: equal values have equal texts. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return value === undefined ? "null" : JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`)
    .join(",")}}`;
}
