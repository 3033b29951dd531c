// Cases: files that say what is typed beside which files, and what comes of it.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { parseDocument } from "yaml";
import { emptyFolder, root, startAssay } from "./assay.ts";

interface Step {
  /** As it is typed, e.g. `assay run --target target.yaml`. */
  readonly run: string;
  readonly code: number;
  readonly stdout?: string;
  readonly stderr?: string;
}

/** A file below tests/cases/. */
export interface Case {
  /** The sentence that it holds. */
  readonly title: string;
  /** By their paths in the folder in which all steps are typed. */
  readonly files?: { readonly [path: string]: string };
  readonly env?: { readonly [name: string]: string };
  readonly steps: readonly Step[];
  /** What is in the folder at the end, besides `files`. */
  readonly leaves?: readonly string[];
}

const folder = join(root, "tests/cases");

export interface CaseFile {
  readonly path: string;
  readonly case: Case;
}

export const caseFiles = (): readonly CaseFile[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".yaml"))
    .sort()
    .map((path) => ({ path, case: parseDocument(readFileSync(join(folder, path), "utf8")).toJS() as Case }));

/** What differs from run to run. */
const varying: readonly (readonly [RegExp, string])[] = [
  [/127\.0\.0\.1:\d+/g, "127.0.0.1:<port>"],
  [/\d{4}-\d\d-\d\dT[\d:.-]+Z/g, "<time>"],
  [/today is \d{4}-\d\d-\d\d/g, "today is <day>"],
  [/\b\d+(?:\.\d+)? ms\b/g, "<n> ms"],
  [/\b\d+(?:\.\d+)? s\b/g, "<n> s"],
];

const steady = (text: string, own: string): string =>
  varying.reduce((shown, [pattern, name]) => shown.replaceAll(pattern, name), text.replaceAll(own, "<folder>"));

/** As a shell reads a line without expansions. */
export const wordsOf = (line: string): readonly string[] =>
  [...line.matchAll(/(?:'[^']*'|[^\s'])+/g)].map(([word]) => word.replaceAll("'", ""));

const below = (path: string): readonly string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(path, join(entry.parentPath, entry.name)))
    .sort();

/** The case as it comes out. */
export async function performed({ title, files = {}, env = {}, steps }: Case): Promise<Case> {
  const own = emptyFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(own, path)), { recursive: true });
    writeFileSync(join(own, path), text);
  }
  const came: Step[] = [];
  for (const { run } of steps) {
    const [, ...words] = wordsOf(run);
    const { code, stdout, stderr } = await startAssay(words, env, own, "assay").ended;
    const printed = Object.entries({ stdout, stderr }).filter(([, text]) => text !== "");
    const texts = Object.fromEntries(printed.map(([name, text]) => [name, steady(text, own)]));
    came.push({ run, code: code ?? -1, ...texts });
  }
  const left = below(own).filter((path) => !(path in files));
  return {
    ...{ title, files, env, steps: came },
    ...(left.length > 0 ? { leaves: left.map((path) => steady(path, own)) } : {}),
  };
}

/** Writes what came into the file, whose comments and order stay. */
export function updated({ path }: CaseFile, { steps, leaves }: Case): void {
  const document = parseDocument(readFileSync(join(folder, path), "utf8"));
  document.set("steps", document.createNode(steps));
  if (leaves) document.set("leaves", document.createNode(leaves));
  else document.delete("leaves");
  writeFileSync(join(folder, path), document.toString({ lineWidth: 0 }));
}
