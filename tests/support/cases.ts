// Cases: files that say what is typed beside which files, and what comes of it.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { parse, parseDocument } from "yaml";
import { emptyFolder, root, startAssay } from "./assay.ts";

interface Typed {
  /** As it is typed, e.g. `assay run --target target.yaml`. */
  readonly run: string;
  /** What is piped in. */
  readonly stdin?: string;
  readonly code: number;
  readonly stdout?: string;
  readonly stderr?: string;
}

interface Shown {
  /** A file that was left, by its path. */
  readonly show: string;
  /** A JSON pointer to what is shown of it, e.g. `/requirements/0`; the whole text by default. */
  readonly at?: string;
  readonly is: unknown;
}

type Step = Typed | Shown;

/** A file below tests/cases/. */
export interface Case {
  /** The sentence that it holds. */
  readonly title: string;
  /**
   * By their paths in the folder in which all steps are typed. Values are written as JSON, a list in a .jsonl as lines;
   * an object where `shared` puts a file is a merge patch of that (RFC 7396).
   */
  readonly files?: { readonly [path: string]: unknown };
  /** Files and folders that cases share, by their paths: where they are below tests/cases/shared/. */
  readonly shared?: { readonly [path: string]: string };
  readonly env?: { readonly [name: string]: string };
  /** Times and durations stand as they come, as they follow from the files. */
  readonly isExact?: boolean;
  readonly steps: readonly Step[];
  /** What is in the folder at the end, besides `files` and `shared`. */
  readonly leaves?: readonly string[];
}

const folder = join(root, "tests/cases");
const sharedFolder = join(folder, "shared");

export interface CaseFile {
  readonly path: string;
  readonly case: Case;
}

export const caseFiles = (): readonly CaseFile[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".yaml") && !name.startsWith("shared/"))
    .sort()
    .map((path) => ({ path, case: parse(readFileSync(join(folder, path), "utf8"), { merge: true }) as Case }));

type Masks = readonly (readonly [RegExp, string])[];
const ports: Masks = [[/127\.0\.0\.1:\d+/g, "127.0.0.1:<port>"]];
/** What differs from run to run. */
const times: Masks = [
  [/\d{4}-\d\d-\d\dT[\d:.-]+Z/g, "<time>"],
  [/today is \d{4}-\d\d-\d\d/g, "today is <day>"],
  [/\b\d+(?:\.\d+)? ms\b/g, "<n> ms"],
  [/\b\d+(?:\.\d+)? s\b/g, "<n> s"],
  // Of pages, whose text changes.
  [/\b[0-9a-f]{64}\b/g, "<SHA-256>"],
  // As many as the register has: each new requirement would change them.
  [/\b\d{3,} not tested\b/g, "<n> not tested"],
];

const masked = (text: string, own: string, masks: Masks): string =>
  masks.reduce((shown, [pattern, name]) => shown.replaceAll(pattern, name), text.replaceAll(own, "<folder>"));

/** As a shell reads a line without expansions. */
export const wordsOf = (line: string): readonly string[] =>
  [...line.matchAll(/(?:'[^']*'|[^\s'])+/g)].map(([word]) => word.replaceAll("'", ""));

const below = (path: string): readonly string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(path, join(entry.parentPath, entry.name)))
    .sort();

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** RFC 7396. */
function patched(value: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const members = new Map(isObject(value) ? Object.entries(value) : []);
  for (const [name, member] of Object.entries(patch))
    if (member === null) members.delete(name);
    else members.set(name, patched(members.get(name), member));
  return Object.fromEntries(members);
}

const written = (path: string, value: unknown): string => {
  if (typeof value === "string") return value;
  if (path.endsWith(".jsonl") && Array.isArray(value)) return value.map((line) => `${JSON.stringify(line)}\n`).join("");
  return JSON.stringify(value);
};

const partOf = (text: string, at: string): unknown =>
  at
    .split("/")
    .slice(1)
    .reduce<unknown>(
      (value, name) => (value as { readonly [name: string]: unknown } | undefined)?.[name],
      JSON.parse(text),
    );

/** The case as it comes out. */
export async function performed(asked: Case): Promise<Case> {
  const { files = {}, shared = {}, env = {}, isExact = false, steps } = asked;
  const own = emptyFolder();
  for (const [path, from] of Object.entries(shared))
    cpSync(join(sharedFolder, from), join(own, path), { recursive: true });
  for (const [path, value] of Object.entries(files)) {
    const file = join(own, path);
    mkdirSync(dirname(file), { recursive: true });
    const isPatch = isObject(value) && existsSync(file);
    writeFileSync(file, written(path, isPatch ? patched(JSON.parse(readFileSync(file, "utf8")), value) : value));
  }
  const before = below(own);
  const steady = (text: string): string => masked(text, own, isExact ? ports : [...ports, ...times]);

  const typed = async ({ run, stdin }: Typed): Promise<Typed> => {
    const [, ...words] = wordsOf(run);
    const { code, stdout, stderr } = await startAssay(words, env, own, "assay", stdin).ended;
    const printed = Object.entries({ stdout, stderr }).filter(([, text]) => text !== "");
    const piped = stdin === undefined ? {} : { stdin };
    return {
      run,
      ...piped,
      code: code ?? -1,
      ...Object.fromEntries(printed.map(([name, text]) => [name, steady(text)])),
    };
  };
  const looked = ({ show, at }: Shown): Shown => {
    const text = steady(readFileSync(join(own, show), "utf8"));
    return at === undefined ? { show, is: text } : { show, at, is: partOf(text, at) ?? null };
  };
  const came: Step[] = [];
  for (const step of steps) came.push("run" in step ? await typed(step) : looked(step));
  const left = below(own).filter((path) => !before.includes(path));
  const { leaves: _, ...given } = asked;
  return { ...given, steps: came, ...(left.length > 0 ? { leaves: left.map(steady) } : {}) };
}

/** Writes what came into the file, whose comments and order stay. */
export function updated({ path }: CaseFile, { steps, leaves }: Case): void {
  const document = parseDocument(readFileSync(join(folder, path), "utf8"), { merge: true });
  document.set("steps", document.createNode(steps));
  if (leaves) document.set("leaves", document.createNode(leaves));
  else document.delete("leaves");
  writeFileSync(join(folder, path), document.toString({ lineWidth: 0 }));
}
