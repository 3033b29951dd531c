// The reader of spec files: YAML with its lines, and every $ref followed.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { type Document, isMap, isSeq, LineCounter, type Node, parseDocument } from "yaml";

export const specsDir = resolve(import.meta.dirname, "..");

/** Requirement ids with the keywords of the node that carry them, e.g. `{ "USG-FLD-01": ["present", "type"] }`. */
export type Citations = Record<string, readonly string[]>;

/** Where something is written: a path from the project's root, and the line from 1. */
export interface SpecLine {
  readonly file: string;
  readonly line: number;
}

/** Where the members of an object read from YAML are written; kept when references are followed, invisible to JSON. */
export const lines = Symbol("lines");

/** A JSON Schema node as read from YAML, `$ref`s replaced by what they point to. */
export interface SpecSchemaNode {
  type?: string | string[];
  required?: string[];
  properties?: Record<string, SpecSchemaNode>;
  items?: SpecSchemaNode;
  prefixItems?: SpecSchemaNode[];
  examples?: unknown[];
  "x-requirements"?: Citations;
  [lines]?: { readonly [member: string]: SpecLine };
  [keyword: string]: unknown;
}

/**
 * @param file path below specs/
 * @throws YAMLParseError where the file isn't valid YAML
 */
export function readYaml(file: string): unknown {
  const counter = new LineCounter();
  const document = parseDocument(readFileSync(join(specsDir, file), "utf8"), { lineCounter: counter });
  const [error] = document.errors;
  if (error) throw error;
  return located(document.contents, document, (offset) => ({
    file: `specs/${file}`,
    line: counter.linePos(offset).line,
  }));
}

/** Paths below specs/ of the files of one folder, in the order of their names. */
export const filesIn = (folder: string): readonly string[] =>
  readdirSync(join(specsDir, folder))
    .sort()
    .map((file) => `${folder}/${file}`);

/** The rows of all files of a folder: each file is a list, or has one under `rows`. */
export const rowsIn = (folder: string): readonly unknown[] =>
  filesIn(folder).flatMap((file) => {
    const found = readYaml(file) as readonly unknown[] | { readonly rows: readonly unknown[] };
    return "rows" in found ? found.rows : found;
  });

function located(node: unknown, document: Document, lineAt: (offset: number) => SpecLine): unknown {
  if (isSeq(node)) return node.items.map((item) => located(item, document, lineAt));
  // A null of YAML is a node, an empty document has none.
  if (!isMap<Node>(node)) return (node as Node | null)?.toJS(document) ?? null;
  const members = node.items.map(({ key, value }) => ({
    name: String(key),
    value: located(value, document, lineAt),
    line: lineAt(key.range?.[0] ?? 0),
  }));
  return {
    ...Object.fromEntries(members.map(({ name, value }) => [name, value])),
    [lines]: Object.fromEntries(members.map(({ name, line }) => [name, line])),
  };
}

type Located = Record<string, unknown> & { [lines]?: unknown };

export const isLocated = (value: unknown): value is Located =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Reads one YAML file below specs/ and replaces relative file references by their contents.
 * Siblings of a `$ref` replace members of what it points to; citations are united.
 */
export function loadResolved(file: string): unknown {
  return follow(readYaml(file), file);
}

function follow(node: unknown, file: string): unknown {
  if (Array.isArray(node)) return node.map((item) => follow(item, file));
  if (!isLocated(node)) return node;
  const siblings: Located = Object.fromEntries(
    Object.entries(node)
      .filter(([key]) => key !== "$ref")
      .map(([key, value]) => [key, follow(value, file)]),
  );
  siblings[lines] = node[lines];
  const ref = node["$ref"];
  if (typeof ref !== "string") return siblings;
  const referred = loadResolved(relative(specsDir, resolve(specsDir, dirname(file), ref)));
  if (!isLocated(referred)) throw new Error(`${file}: ${ref} is not an object`);
  return { ...referred, ...siblings, ...citationsOf(referred, siblings), [lines]: laidOver(referred, siblings) };
}

function citationsOf(referred: Located, siblings: Located): object {
  const inner = referred["x-requirements"];
  const outer = siblings["x-requirements"];
  return isLocated(inner) && isLocated(outer)
    ? { "x-requirements": { ...inner, ...outer, [lines]: laidOver(inner, outer) } }
    : {};
}

const laidOver = (inner: Located, outer: Located): object => ({
  ...(inner[lines] as object | undefined),
  ...(outer[lines] as object | undefined),
});
