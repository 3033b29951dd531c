// Retired words, in identifiers, in titles and in prose.
import { parse } from "yaml";
import { read as textOf } from "../support/assay.ts";
import { isCode, type TreeFile, type TreeRule } from "./pass.ts";

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

/** Strings and comments, where they stand: the text without its identifiers. */
function proseOf(text: string, identifiers: readonly Place[]): string {
  let prose = "";
  for (const { text: name, at } of identifiers.toSorted((a, b) => a.at - b.at))
    prose += text.slice(prose.length, at) + " ".repeat(name.length);
  return prose + text.slice(prose.length);
}

const isExempt = (path: string): boolean => exempt.includes(path) || path.includes("/generated/");

export const words: TreeRule = {
  holds: "no file uses a retired word",
  begin: (emit) => {
    const emitMatches = (kind: keyof typeof retired, { path, text }: TreeFile, part: Place): void => {
      for (const { entry, word, index } of matches(kind, part.text)) {
        if ((entry.in && !isIn(path, entry.in)) || (entry.notIn && isIn(path, entry.notIn))) continue;
        emit(`${path}:${text.slice(0, part.at + index).split("\n").length} ${word}: say ${entry.say}`);
      }
    };
    return {
      file: (file) => {
        const { path, text } = file;
        if (isExempt(path)) return;
        for (const part of path.split(/[/.]/)) emitMatches("names", file, { text: part, at: 0 });
        if (path.endsWith(".md")) emitMatches("titles", file, { text, at: 0 });
        if (!isCode.test(path)) emitMatches("prose", file, { text, at: 0 });
      },
      nodes: (file) => {
        const { path, text } = file;
        if (isExempt(path)) return {};
        const names: Place[] = [];
        const hear = (name: string, at: number): void => {
          names.push({ text: name, at });
          emitMatches("names", file, { text: name, at });
        };
        return {
          Identifier: ({ name, start }) => hear(name, start),
          JSXIdentifier: ({ name, start }) => hear(name, start),
          PrivateIdentifier: ({ name, start }) => hear(`#${name}`, start),
          CallExpression: ({ callee, arguments: [title] }) => {
            if (title && /^test\b/.test(text.slice(callee.start, callee.end)))
              emitMatches("titles", file, { text: text.slice(title.start, title.end), at: title.start });
          },
          "Program:exit": () => emitMatches("prose", file, { text: proseOf(text, names), at: 0 }),
        };
      },
    };
  },
};
