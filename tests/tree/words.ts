// The lint of words: which retired ones a file still uses, in identifiers and in prose.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import ts from "typescript";
import { parse } from "yaml";
import { root, read as textOf } from "../support/assay.ts";
import { filesBelow } from "../support/sources.ts";

interface Entry {
  readonly pattern: RegExp;
  readonly say: string;
  readonly in?: readonly string[];
  readonly notIn?: readonly string[];
}

type Kind = "names" | "words" | "prose" | "titles";

/** A file that speaks of retired words: the list itself, and the history of changes. */
const exempt = ["tests/tree/retired.yaml", "tests/tree/notYet.yaml", "CHANGELOG.md", "package-lock.json"];

const patterns: { readonly [K in Kind]: (key: string) => RegExp } = {
  names: (key) => new RegExp(`^${key.replace(/\*$/, "\\w*")}$`, "g"),
  // A part of a name in camel case: at its start, or with a capital.
  words: (key) => new RegExp(`(^#?${key}|${key.replace(/^./, (first) => first.toUpperCase())})s?(?![a-z])`, "g"),
  // Between two words there may be the end of a line, and the start of a comment's next.
  prose: (key) => new RegExp(`(?<![\\w-])${key.replaceAll(" ", "[\\s/*#]+")}(?!\\w)`, "gi"),
  titles: (key) => new RegExp(`\\b${key}\\b`, "gi"),
};

const listed = parse(textOf("tests/tree/retired.yaml")) as {
  readonly [K in Kind]: { readonly [key: string]: string | Omit<Entry, "pattern"> };
};

const entriesOf = (kind: Kind): readonly Entry[] =>
  Object.entries(listed[kind]).map(([key, value]) => ({
    pattern: patterns[kind](key),
    ...(typeof value === "string" ? { say: value } : value),
  }));
const retired = {
  names: [...entriesOf("names"), ...entriesOf("words")],
  prose: entriesOf("prose"),
  titles: entriesOf("titles"),
};

const isIn = (file: string, folders: readonly string[]): boolean => folders.some((one) => file.startsWith(`${one}/`));

interface Place {
  readonly text: string;
  readonly at: number;
}

/** Identifiers and titles of tests, and the text without its identifiers: strings and comments, where they stand. */
interface Read {
  readonly identifiers: readonly Place[];
  readonly titles: readonly Place[];
  readonly prose: string;
}

function readCode(file: string, text: string): Read {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const identifiers: Place[] = [];
  const titles: Place[] = [];
  const place = (node: ts.Node): Place => ({ text: node.getText(tree), at: node.getStart(tree) });
  const read = (node: ts.Node): void => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) identifiers.push(place(node));
    else if (ts.isCallExpression(node) && /^test\b/.test(node.expression.getText(tree)) && node.arguments[0])
      titles.push(place(node.arguments[0]));
    ts.forEachChild(node, read);
  };
  read(tree);
  const prose = text.split("");
  for (const { text: name, at } of identifiers) prose.fill(" ", at, at + name.length);
  return { identifiers, titles, prose: prose.join("") };
}

interface Match {
  readonly entry: Entry;
  readonly word: string;
  readonly index: number;
}

const matchesIn = (kind: keyof typeof retired, text: string): readonly Match[] =>
  retired[kind].flatMap((entry) =>
    [...text.matchAll(entry.pattern)].map(({ 0: word, index }) => ({ entry, word: word.replace(/\s+/g, " "), index })),
  );

/** By identifier: most stand in many places. */
const ofName = new Map<string, readonly Match[]>();

function matches(kind: keyof typeof retired, text: string): readonly Match[] {
  if (kind !== "names") return matchesIn(kind, text);
  const known = ofName.get(text) ?? matchesIn(kind, text).map((match) => ({ ...match, word: text }));
  ofName.set(text, known);
  return known;
}

/** Each retired word in the files below `base`: `<file>:<line> <word>: say <another>`. */
export function retiredIn(base: string): readonly string[] {
  const files = filesBelow(".", /\.(tsx?|js|md|ya?ml|json)$/, base).filter(
    (file) => !exempt.includes(file) && !file.includes("/generated/"),
  );
  return files.flatMap((file) => {
    const text = readFileSync(join(base, file), "utf8");
    const concerns = (entry: Entry): boolean =>
      (!entry.in || isIn(file, entry.in)) && !(entry.notIn && isIn(file, entry.notIn));
    const found = (kind: keyof typeof retired, { text: some, at }: Place): string[] =>
      matches(kind, some)
        .filter(({ entry }) => concerns(entry))
        .map(({ entry: { say }, word, index }) => {
          const line = text.slice(0, at + index).split("\n").length;
          return `${file}:${line} ${word}: say ${say}`;
        });
    const { identifiers, titles, prose } = /\.(tsx?|js)$/.test(file)
      ? readCode(file, text)
      : { identifiers: [], titles: file.endsWith(".md") ? [{ text, at: 0 }] : [], prose: text };
    const inPath = file.split(/[/.]/).map((one) => ({ text: one, at: 0 }));
    return [
      ...[...inPath, ...identifiers].flatMap((one) => found("names", one)),
      ...titles.flatMap((one) => found("titles", one)),
      ...found("prose", { text: prose, at: 0 }),
    ];
  });
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) console.log(retiredIn(root).join("\n"));
