// YAML files written by people, and their problems, reported with a line.
import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import type { ErrorObject } from "ajv/dist/2020.js";
import { isMap, isSeq, LineCounter, parseDocument } from "yaml";
import { CommandLineError, suggestion } from "./commandLineError.ts";
import { pathFromPointer, stepsOf } from "./json.ts";
import { describeSchemaError } from "./schemaWords.ts";

export interface FilePlace {
  readonly line: number;
  readonly column: number;
}

export interface YamlFile {
  readonly file: string;
  readonly value: unknown;
  /** Line and column, from 1, of the value at a path, or of the nearest enclosing value where there is none. */
  placeOf(path: readonly (string | number)[]): FilePlace;
}

/** Each file as it was last read: one command reads its target several times. */
const lastRead = new Map<string, { readonly text: string; readonly yaml: YamlFile }>();

/** Far more than people write; devices and pipes may have no end. */
const largest_bytes = 1024 * 1024;

/** @param most_bytes that are read */
export function beginningOf(file: string, most_bytes: number): Buffer {
  const bytes = Buffer.alloc(most_bytes);
  const descriptor = openSync(file, "r");
  let length = 0;
  try {
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = readSync(descriptor, bytes, length, bytes.length - length, null);
  } finally {
    closeSync(descriptor);
  }
  return bytes.subarray(0, length);
}

/** @throws CommandLineError where the file is longer */
function textOf(file: string): string {
  const bytes = beginningOf(file, largest_bytes + 1);
  if (bytes.length > largest_bytes)
    throw new CommandLineError(
      `${file} has more than ${largest_bytes} bytes, too many for a file written by hand. Name another.`,
    );
  return bytes.toString();
}

/** @throws CommandLineError where the file can't be read or isn't YAML */
export function readYamlFile(file: string): YamlFile {
  const last = lastRead.get(file);
  // A pipe can be read only once.
  if (last && existsSync(file) && statSync(file).isFIFO()) return last.yaml;
  let text: string;
  try {
    text = textOf(file);
  } catch (error) {
    if (error instanceof CommandLineError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandLineError(`${file} can't be read (${code}). Name a readable YAML file.`);
  }
  const yaml = last?.text === text ? last.yaml : yamlOf(file, text);
  lastRead.set(file, { text, yaml });
  return yaml;
}

/** @throws CommandLineError where the text isn't YAML */
export function yamlOf(file: string, text: string): YamlFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [error] = document.errors;
  if (error) {
    const { line, col: column } = lines.linePos(error.pos[0]);
    throw new CommandLineError(`${file}:${line}:${column} isn't valid YAML: ${error.message}. Fix it and retry.`);
  }
  const placeOf = (path: readonly (string | number)[]): FilePlace => {
    let node: unknown = document.contents;
    let offset = document.contents?.range[0] ?? 0;
    for (const step of path) {
      const pair = isMap(node) ? node.items.find(({ key }) => String(key) === String(step)) : undefined;
      const next = pair ? pair.value : isSeq(node) ? node.items[Number(step)] : undefined;
      const start = rangeOf(pair?.key) ?? rangeOf(next);
      if (start === undefined) break;
      node = next;
      offset = start;
    }
    const { line, col: column } = lines.linePos(offset);
    return { line, column };
  };
  try {
    const value: unknown = document.toJS();
    // Endless where an alias names what it is in.
    JSON.stringify(value);
    return { file, value, placeOf };
  } catch (error) {
    if (error instanceof TypeError)
      throw new CommandLineError(`${file}: an alias names what it is in, so that it has no end. Write it out.`);
    // Aliases that multiply, or that name no anchor.
    throw new CommandLineError(`${file}: its aliases can't be resolved (${(error as Error).message}). Write them out.`);
  }
}

const rangeOf = (node: unknown): number | undefined =>
  (node as { readonly range?: readonly number[] } | null | undefined)?.range?.[0];

/** Null where the file does not exist. */
export const yamlFileIfAny = (file: string): YamlFile | null => (existsSync(file) ? readYamlFile(file) : null);

/** Whether a value is of a form; its errors say why the last one wasn't. */
export interface Validator {
  (value: unknown): boolean;
  errors?: readonly ErrorObject[] | null;
}

/**
 * What a file holds.
 * @param root the schema that the validator is made from
 * @param shownIn where people find the form
 * @throws CommandLineError with all that isn't of that form
 */
export function formedBy(yaml: YamlFile, validate: Validator, root: SchemaNode, shownIn: string): unknown {
  if (validate(yaml.value)) return yaml.value;
  throw new CommandLineError(`${problemsOf(yaml, validate.errors ?? [], root)} The format is in ${shownIn}.`);
}

/** The keywords of a JSON Schema that name fields, and those that describe one. */
export interface SchemaNode {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly properties?: { readonly [name: string]: SchemaNode };
  readonly additionalProperties?: SchemaNode | boolean;
  readonly items?: SchemaNode;
  readonly $ref?: string;
  readonly $defs?: { readonly [name: string]: SchemaNode };
}

/** Keywords that only say that others failed. */
const composed = ["anyOf", "oneOf", "allOf", "if", "propertyNames"];

/** Of several forms one has this type, and says more of what is wrong. */
const isOtherForm = ({ keyword, instancePath }: ErrorObject, errors: readonly ErrorObject[]): boolean =>
  keyword === "type" &&
  errors.some((other) => ![...composed, "type"].includes(other.keyword) && other.instancePath.startsWith(instancePath));

/** Those that say what is wrong. */
function plain(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const plain = errors.filter((error) => !composed.includes(error.keyword) && !isOtherForm(error, errors));
  return (plain.length > 0 ? plain : errors).map((error) =>
    error.keyword === "type" ? { ...error, params: { type: typesAt(error.instancePath, plain) } } : error,
  );
}

/** The types of all forms that a value could have had. */
const typesAt = (instancePath: string, errors: readonly ErrorObject[]): readonly unknown[] => [
  ...new Set(
    errors.flatMap((error) =>
      error.keyword === "type" && error.instancePath === instancePath ? [error.params["type"] as unknown].flat() : [],
    ),
  ),
];

/** All that a value breaks of its schema, each with what to do about it. @param whole what the value is called */
export const sentencesOf = (errors: readonly ErrorObject[], schema: SchemaNode, whole?: string): readonly string[] => [
  ...new Set(plain(errors).map((error) => problemOf(error, schema, whole))),
];

/** All that a file breaks of its schema, each with its place and what to do about it; one line each. */
export function problemsOf(yaml: YamlFile, errors: readonly ErrorObject[], schema: SchemaNode): string {
  const problems = plain(errors).map((error) => {
    const extra: unknown = error.params["additionalProperty"];
    const place = yaml.placeOf([...stepsOf(error.instancePath), ...(typeof extra === "string" ? [extra] : [])]);
    return { ...place, text: problemOf(error, schema) };
  });
  problems.sort((a, b) => a.line - b.line || a.column - b.column);
  return [...new Set(problems.map(({ line, column, text }) => `${yaml.file}:${line}:${column}: ${text}`))].join("\n");
}

/** A schema error as a sentence, and what to do about it. */
function problemOf(error: ErrorObject, schema: SchemaNode, whole = "the file"): string {
  // A name isn't shown: it may be a key.
  const place = error.instancePath.slice(1).replaceAll("/", ".") || whole;
  if (error.keyword === "additionalProperties") {
    const name = String(error.params["additionalProperty"]);
    const known = knownFieldsAt(error.instancePath, schema);
    return `${place} has an unknown field "${name}"${suggestion(name, known)}. Correct or remove it.`;
  }
  if (error.keyword === "required") return `${place} ${describeSchemaError(error)}. Add it.`;
  if (error.keyword === "enum") {
    const allowed = (error.params["allowedValues"] as readonly unknown[]).map(String);
    return `${place} must be one of ${allowed.join(", ")}. Correct it.`;
  }
  if (error.keyword === "not") return `${place} has fields that exclude each other. Keep one of them.`;
  if (error.keyword === "pattern" && error.instancePath.startsWith("/bases/"))
    return `${place} isn't a valid URL: write http:// or https://, a host, and a path prefix if there is one.`;
  if (error.keyword === "pattern" && place === "contact")
    return "contact is neither a URL nor a mail address: write https://host/path or name@host, in ASCII.";
  if (error.keyword === "pattern" && pathFromPointer(error.instancePath).at(-1) === "env")
    return `${place} isn't the name of an environment variable: put the key into a variable, and write its name here.`;
  if (error.propertyName !== undefined && error.keyword === "pattern")
    return `${place} has a field whose name doesn't match ${String(error.params["pattern"])}. Rename it.`;
  if (error.keyword === "dependentRequired") {
    const { property, missingProperty } = error.params as { readonly [name: string]: string };
    return `${place} has the field "${property}" and lacks "${missingProperty}", which it needs. Add it.`;
  }
  return `${place} ${describeSchemaError(error)}. Correct it.`;
}

/** With what it refers to under `$defs` of the root. */
export const followReference = ({ $ref, ...node }: SchemaNode, { $defs = {} }: SchemaNode): SchemaNode =>
  $ref === undefined ? node : { ...$defs[$ref.split("/").at(-1) ?? ""], ...node };

function knownFieldsAt(pointer: string, root: SchemaNode): string[] {
  let node = followReference(root, root);
  for (const step of stepsOf(pointer)) {
    const { properties, items, additionalProperties: others }: SchemaNode = node;
    const inside = properties?.[step] ?? items ?? others;
    node = typeof inside === "object" ? followReference(inside, root) : {};
  }
  return Object.keys(node.properties ?? {});
}
