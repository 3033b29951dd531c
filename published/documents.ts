// The documents that a vendor publishes: OpenAPI and OpenRPC files, each value with its line.
import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, parseAllDocuments, type Scalar } from "yaml";
import { CommandLineError } from "../harness/core/commandLineError.ts";
import { isBelow } from "../harness/core/memberFile.ts";

/** Where something stands in a document. */
export interface DocumentLine {
  /** As the command names it. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** An object of a document. */
export interface DocumentNode {
  readonly [member: string]: unknown;
}

export interface PublishedDocument {
  readonly file: string;
  readonly kind: "openapi" | "openrpc";
  /** As the document gives it. */
  readonly version: string;
  readonly root: DocumentNode;
}

/** Far more than such an interface needs, and read within seconds. */
const largest_bytes = 5_000_000;
const most_files = 2_000;

/** A file that was read, and the folders that its references may lead to. */
interface ReadFile {
  readonly file: string;
  readonly folders: readonly string[];
  readonly root: unknown;
}

interface Origin {
  readonly source: ReadFile;
  readonly line: number;
  readonly members: ReadonlyMap<string, number>;
}

const origins = new WeakMap<object, Origin>();

export const isNode = (value: unknown): value is DocumentNode =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The line of a node, or of its member. */
export function lineAt(node: object, member?: string): DocumentLine {
  const origin = origins.get(node);
  if (!origin) throw new Error("a node of no document");
  return {
    file: origin.source.file,
    line: (member === undefined ? undefined : origin.members.get(member)) ?? origin.line,
  };
}

/** A node that a document doesn't have in this form, where it says the same in another. */
export function nodeIn<Node extends object>(like: object, node: Node): Node {
  const origin = origins.get(like);
  if (origin) origins.set(node, { ...origin, members: new Map() });
  return node;
}

export const lineText = ({ file, line }: DocumentLine): string => `${file}:${line}`;

/**
 * All documents that are named, and those in named folders.
 * @throws CommandLineError for what can't be read, and where no OpenAPI or OpenRPC is among it
 */
export function readDocuments(paths: readonly string[]): readonly PublishedDocument[] {
  const folders = paths.map((path) => (isFolder(path) ? path : dirname(path)));
  const documents = paths.flatMap((path) => {
    if (!isFolder(path)) return [documentOf(fileAt(path, folders), true)];
    const found = filesBelow(path, path).filter((file) => /\b(openapi|openrpc|swagger)\b/.test(textOf(file)));
    return found.map((file) => documentOf(fileAt(file, folders), false));
  });
  const read = documents.flatMap((document) => document ?? []);
  // A file may be named beside its folder.
  const once = new Map(read.map((document) => [realpathSync(document.file), document]));
  if (read.length > 0) return [...once.values()];
  throw new CommandLineError(
    `${paths.join(", ")} has no OpenAPI or OpenRPC document (*.yaml, *.yml or *.json). Name a file or folder that has.`,
  );
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandLineError(
      `${path} can't be read (${code}). Name a file or folder of OpenAPI or OpenRPC documents.`,
    );
  }
}

function filesBelow(folder: string, root: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  const files = entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return /^(\.|node_modules$)/.test(entry.name) ? [] : filesBelow(path, root);
    const isFile = entry.isFile() || (entry.isSymbolicLink() && isLinkedFile(root, path));
    return isFile && [".yaml", ".yml", ".json"].includes(extname(path).toLowerCase()) ? [path] : [];
  });
  if (files.length <= most_files) return files;
  throw new CommandLineError(`${root} has more than ${most_files} files. Name the folder of the documents alone.`);
}

function isLinkedFile(root: string, path: string): boolean {
  try {
    return isBelow(root, path) && statSync(path).isFile();
  } catch {
    // It leads nowhere.
    return false;
  }
}

function textOf(file: string): string {
  try {
    const { size } = statSync(file);
    if (size <= largest_bytes) return readFileSync(file, "utf8");
    throw new CommandLineError(
      `${file} has ${Math.ceil(size / 1e6)} MB, and documents of up to ${largest_bytes / 1e6} MB are read. ` +
        "Name a part of it.",
    );
  } catch (error) {
    if (error instanceof CommandLineError) throw error;
    throw new CommandLineError(`${file} can't be read (${(error as NodeJS.ErrnoException).code}). Name another.`);
  }
}

/** Each file once, as many refer to it. */
const known = new Map<string, { readonly text: string; readonly source: ReadFile }>();

function fileAt(file: string, folders: readonly string[]): ReadFile {
  const text = textOf(file);
  const earlier = known.get(realpathSync(file));
  const isSame = earlier?.source.file === file && String(earlier.source.folders) === String(folders);
  if (earlier?.text === text && isSame) return earlier.source;
  const source = parsed(file, text, folders);
  known.set(realpathSync(file), { text, source });
  return source;
}

function parsed(file: string, text: string, folders: readonly string[]): ReadFile {
  const counter = new LineCounter();
  try {
    // Members are looked up one by one to find doubles, which takes minutes in large files.
    const options = { lineCounter: counter, prettyErrors: false, uniqueKeys: false };
    const [document, second] = parseAllDocuments(text, options) as Document.Parsed[];
    if (second) throw new CommandLineError(`${file} has several YAML documents. Put each into a file of its own.`);
    if (!document) throw new CommandLineError(`${file} is empty. Name another document.`);
    const [error] = document.errors;
    if (error?.code === "RESOURCE_EXHAUSTION") throw new CommandLineError(tooDeep(file));
    if (error) {
      const { line } = counter.linePos(error.pos[0]);
      throw new CommandLineError(
        `${file}:${line} can't be parsed as YAML or JSON: ${error.message}. Fix the document.`,
      );
    }
    const source: { -readonly [Member in keyof ReadFile]: ReadFile[Member] } = { file, folders, root: null };
    source.root = valueOf(document.contents, { document, source, lineAt: (offset) => counter.linePos(offset).line });
    return source;
  } catch (error) {
    if (error instanceof CommandLineError) throw error;
    // Its parser and what follows take a place on the stack for each level.
    throw new CommandLineError(tooDeep(file));
  }
}

const tooDeep = (file: string): string => `${file} is nested too deeply to be read. Name another document.`;

interface Parsing {
  readonly document: Document;
  readonly source: ReadFile;
  readonly lineAt: (offset: number) => number;
  readonly values?: Map<object, unknown>;
}

/** Aliases share one value, so that those that multiply stay small. */
function valueOf(node: unknown, { values = new Map(), ...parsing }: Parsing): unknown {
  if (isAlias(node)) return valueOf(node.resolve(parsing.document), { ...parsing, values });
  if (isScalar(node)) return node.value;
  if (!isMap(node) && !isSeq(node)) return null;
  if (values.has(node)) return values.get(node);
  const { lineAt, source } = parsing;
  const origin = { source, line: lineAt(node.range?.[0] ?? 0), members: new Map<string, number>() };
  const inner = (value: unknown): unknown => valueOf(value, { ...parsing, values });
  const keep = <Value extends object>(value: Value): Value => {
    // Before what is within, which may refer to it.
    values.set(node, value);
    origins.set(value, origin);
    return value;
  };
  if (isSeq(node)) {
    const list = keep<unknown[]>([]);
    list.push(...node.items.map(inner));
    return list;
  }
  const members = keep<{ [member: string]: unknown }>(Object.create(null) as Record<string, unknown>);
  for (const { key, value } of node.items) {
    const name = String(isScalar(key) ? key.value : key);
    if (origin.members.has(name))
      throw new CommandLineError(
        `${source.file}:${origin.members.get(name)}: ${name} is there twice. Fix the document.`,
      );
    origin.members.set(name, lineAt((key as Partial<Scalar> | null)?.range?.[0] ?? 0));
    if (name === "<<") Object.assign(members, ...[inner(value)].flat().filter(isNode).toReversed(), { ...members });
    else members[name] = inner(value);
  }
  return members;
}

/** Null for another file of a folder. @throws CommandLineError for a file that is named and is none */
function documentOf({ file, root }: ReadFile, isNamed: boolean): PublishedDocument | null {
  const { openapi, openrpc, swagger, paths, methods, components } = isNode(root) ? root : ({} as DocumentNode);
  if (swagger !== undefined)
    throw new CommandLineError(`${file} is Swagger 2; OpenAPI 3.0, 3.1 and OpenRPC are read. Convert it to OpenAPI 3.`);
  const version = String(openapi ?? openrpc);
  if (isNode(root) && openapi !== undefined && /^3\.[012]/.test(version)) {
    if (isNode(paths) || (paths === undefined && isNode(components))) return { file, kind: "openapi", version, root };
    throw new CommandLineError(`${file} isn't valid OpenAPI: paths isn't an object. Fix the document.`);
  }
  if (isNode(root) && openrpc !== undefined && Array.isArray(methods)) return { file, kind: "openrpc", version, root };
  if (!isNamed && openapi === undefined && openrpc === undefined) return null;
  const what =
    openapi !== undefined
      ? `is OpenAPI ${version}`
      : openrpc !== undefined
        ? "isn't valid OpenRPC: methods isn't a list"
        : "is neither OpenAPI nor OpenRPC";
  throw new CommandLineError(`${file} ${what}; OpenAPI 3.0, 3.1 and OpenRPC 1 are read. Name another document.`);
}

/**
 * What a reference leads to.
 * @throws CommandLineError where it leads nowhere, to another host, or to a file outside of the named folders
 */
export function referredBy(node: DocumentNode): unknown {
  const reference = node["$ref"];
  const here = lineText(lineAt(node, "$ref"));
  if (typeof reference !== "string") throw new CommandLineError(`${here}: $ref isn't a string. Fix the document.`);
  const [path = "", pointer = ""] = reference.split("#");
  if (/^[a-z][a-z0-9+.-]*:/i.test(path) || path.startsWith("//"))
    throw new CommandLineError(
      `${here} refers to ${reference}, and nothing is fetched. Download it, and refer to the file.`,
    );
  const source = path === "" ? origins.get(node)?.source : fileReferred(node, unescaped(path), here);
  let value: unknown = source?.root;
  for (const step of pointer.split("/").slice(1)) {
    const name = unescaped(step);
    value =
      typeof value === "object" && value !== null && Object.hasOwn(value, name)
        ? (value as DocumentNode)[name]
        : undefined;
  }
  if (value !== undefined && (pointer === "" || pointer.startsWith("/"))) return value;
  throw new CommandLineError(`${here} refers to ${reference}, which isn't there. Fix the document.`);
}

function unescaped(step: string): string {
  const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function fileReferred(node: DocumentNode, path: string, here: string): ReadFile {
  const source = origins.get(node)?.source;
  if (!source) throw new Error("a node of no document");
  const file = join(dirname(source.file), path);
  const isInside = (() => {
    try {
      return source.folders.some((folder) => isBelow(folder, file));
    } catch {
      return null;
    }
  })();
  if (isInside === null)
    throw new CommandLineError(`${here} refers to ${path}, and there is no such file. Fix the document.`);
  if (!isInside)
    throw new CommandLineError(
      `${here} refers to ${path}, which is outside of what was named, so that it isn't read. Name the folder that ` +
        "holds both.",
    );
  return fileAt(file, source.folders);
}

/** A node, its reference followed. */
export function followed(node: unknown): DocumentNode {
  let value = node;
  for (let step = 0; isNode(value) && value["$ref"] !== undefined && step < 20; step += 1) value = referredBy(value);
  return isNode(value) ? value : {};
}
