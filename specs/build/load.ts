// What do the spec files say, with every $ref followed?
import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

export const specsDir = resolve(dirname(fileURLToPath(import.meta.url)), "..");

/** Requirement ids with the keywords of the node that carry them, e.g. `{ "USG-FLD-01": ["present", "type"] }`. */
export type Citations = Record<string, readonly string[]>;

/** A JSON Schema node as read from YAML, `$ref`s replaced by what they point to. */
export interface SchemaNode {
  type?: string | string[];
  required?: string[];
  properties?: Record<string, SchemaNode>;
  items?: SchemaNode;
  prefixItems?: SchemaNode[];
  examples?: unknown[];
  "x-requirements"?: Citations;
  [keyword: string]: unknown;
}

export const readYaml = (file: string): unknown => parse(readFileSync(join(specsDir, file), "utf8"));

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Reads one YAML file below specs/ and replaces relative file references by their contents.
 * Siblings of a `$ref` are laid over what it points to, citations are united.
 */
export function loadResolved(file: string): unknown {
  return follow(readYaml(file), file);
}

function follow(node: unknown, file: string): unknown {
  if (Array.isArray(node)) return node.map((item) => follow(item, file));
  if (!isObject(node)) return node;
  const siblings = Object.fromEntries(
    Object.entries(node)
      .filter(([key]) => key !== "$ref")
      .map(([key, value]) => [key, follow(value, file)]),
  );
  const ref = node["$ref"];
  if (typeof ref !== "string") return siblings;
  const referred = loadResolved(relative(specsDir, resolve(specsDir, dirname(file), ref)));
  if (!isObject(referred)) throw new Error(`${file}: ${ref} is not an object`);
  return { ...referred, ...siblings, ...citationsOf(referred, siblings) };
}

function citationsOf(referred: Record<string, unknown>, siblings: Record<string, unknown>): object {
  const [inner, outer] = [referred["x-requirements"], siblings["x-requirements"]];
  return isObject(inner) && isObject(outer) ? { "x-requirements": { ...inner, ...outer } } : {};
}
