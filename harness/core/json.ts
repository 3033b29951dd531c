// JSON with exact numbers: plain values for schemas, decimals for arithmetic.
import Big from "big.js";
import { type JSONPath, visit } from "jsonc-parser";

export type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json };

export interface ParsedJson {
  /** As `JSON.parse` gives it; numbers are doubles. */
  readonly value: Json;
  /** Literals of numbers that JavaScript writes differently, by JSON pointer, e.g. `{"/total": "1.0"}`. */
  readonly literals: ReadonlyMap<string, string>;
  readonly duplicates: readonly string[];
}

export const isObject = (value: Json | undefined): value is { readonly [member: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The items of an array; none of anything else. */
export const listOf = (value: Json | undefined): readonly Json[] =>
  Array.isArray(value) ? (value as readonly Json[]) : [];

export const pointerFromPath = (path: JSONPath): string =>
  path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

/** As PHP reads by default; what walks a value takes a place on the stack for each level. */
const deepest = 512;

export const isDeeper = (value: Json, levels: number): boolean =>
  typeof value === "object" &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner: Json) => isDeeper(inner, levels - 1)));

/** All pointers of one text: a member's name of a megabyte would be in the pointer of each number below it. */
const mostPointers_chars = 20_000_000;

const tooMuch = (): RangeError => new RangeError("JSON nested too deeply, or with too long names, to be read");

/** Strict RFC 8259; null where the text isn't JSON. @throws RangeError where it is more than is read */
export function parseJson(text: string): ParsedJson | null {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    return null;
  }
  if (isDeeper(value, deepest)) throw tooMuch();
  // A text that JavaScript writes the same has neither such literals nor duplicates.
  if (JSON.stringify(value) === text) return { value, literals: new Map(), duplicates: [] };
  return { value, ...literalsIn(text) };
}

function literalsIn(text: string): Omit<ParsedJson, "value"> {
  const literals = new Map<string, string>();
  // Member names of the open objects, innermost last. Bodies may be large: pointers are made for what is recorded only.
  const open: Set<string>[] = [];
  const duplicates: string[] = [];
  let left_chars = mostPointers_chars;
  const counted = (pointer: string): string => {
    left_chars -= pointer.length;
    if (left_chars < 0) throw tooMuch();
    return pointer;
  };
  visit(text, {
    onObjectBegin: () => {
      open.push(new Set());
    },
    onObjectEnd: () => {
      open.pop();
    },
    onObjectProperty: (name, _offset, _length, _line, _column, pathSupplier) => {
      const names = open.at(-1);
      if (names?.has(name)) duplicates.push(counted(pointerFromPath([...pathSupplier(), name])));
      names?.add(name);
    },
    onLiteralValue: (literal: unknown, offset, length, _line, _column, pathSupplier) => {
      if (typeof literal !== "number") return;
      const written = text.slice(offset, offset + length);
      if (written !== String(literal)) literals.set(counted(pointerFromPath(pathSupplier())), written);
      else if (duplicates.length > 0) literals.delete(counted(pointerFromPath(pathSupplier())));
    },
  });
  return { literals, duplicates };
}

/** Laws and specs use few pointers over and over; the bound keeps out those made from answers. */
const knownSteps = new Map<string, readonly string[]>();
const mostKnown = 5_000;

/** The steps of a pointer, unescaped. */
export function stepsOf(pointer: string): readonly string[] {
  const known = knownSteps.get(pointer);
  if (known) return known;
  const raw = pointer === "" ? [] : pointer.slice(1).split("/");
  const steps = pointer.includes("~") ? raw.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~")) : raw;
  if (knownSteps.size < mostKnown) knownSteps.set(pointer, steps);
  return steps;
}

/** The same as libraries take them: indices of lists are numbers. */
export const pathFromPointer = (pointer: string): (string | number)[] =>
  stepsOf(pointer).map((step) => (/^\d+$/.test(step) ? Number(step) : step));

/** What a text says, without exact numbers; undefined where it isn't JSON, or nested too deep. */
export function plainValueIn(text: string): Json | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return isDeeper(value, deepest) ? undefined : value;
  } catch {
    return undefined;
  }
}

export const jsonOrNull = (text: string): unknown => plainValueIn(text) ?? null;

/** The value at a JSON pointer; undefined where there is none. */
export function valueAt(root: Json | undefined, pointer: string): Json | undefined {
  let here: Json | undefined = root;
  for (const step of stepsOf(pointer)) {
    if (typeof here !== "object" || here === null || !Object.hasOwn(here, step)) return undefined;
    here = (here as { readonly [member: string]: Json })[step];
  }
  return here;
}

/** The pointer with `*` in place of each array index. */
export const starred = (pointer: string): string => pointer.replace(/\/\d+(?=\/|$)/g, "/*");

/** Pointers of all numbers. */
export function numbersIn(value: Json | undefined, at = ""): readonly string[] {
  if (typeof value === "number") return [at];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => numbersIn(member, `${at}${pointerFromPath([name])}`));
}

/** The literal of the number at a pointer; undefined where there is none. */
export function literalAt(json: ParsedJson, pointer: string): string | undefined {
  const value = valueAt(json.value, pointer);
  return typeof value === "number" ? (json.literals.get(pointer) ?? String(value)) : undefined;
}

/** The number at a pointer as an exact decimal; undefined where there is none. */
export function exactAt(json: ParsedJson, pointer: string): Big | undefined {
  const literal = literalAt(json, pointer);
  return literal === undefined ? undefined : new Big(literal);
}

/** JSON with sorted members and no white space, so that equal values have equal texts. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return value === undefined ? "null" : JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`)
    .join(",")}}`;
}
