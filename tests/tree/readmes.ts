// READMEs of folders: a map of what lies in the folder, and what it may import.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { folders } from "./folderImports.ts";
import type { TreeRule } from "./pass.ts";

const notNamed = ["generated", "README.md"];

/** What a text names in code or links to: `engine/`, `plan.ts`, or `*.mutants.ts` for several. */
const spansOf = (text: string): readonly string[] =>
  [...text.matchAll(/`([^`\n]+)`|\]\(([^)#\s]+)/g)].map(([, span, link = ""]) => span ?? link);

const fits = (name: string, span: string): boolean =>
  new RegExp(`^${span.replace(/\/$/, "").replaceAll(".", "\\.").replaceAll("*", ".*")}$`).test(name);

/** A source or a folder; data and what runs write have names that need not exist here. */
const isSource = /^\w[\w.-]*(\/[\w.-]+)*(\/|\.(tsx?|js))$/;

/** What the sentence "It imports `a` and `b`." or "It imports nothing." names; undefined where there is none. */
function importsIn(text: string): readonly string[] | undefined {
  const [sentence] = text.match(/\bimports:? +(nothing\b|(only +)?`\w+\/?`((,| and|, and)\s+`\w+\/?`)*)/i) ?? [];
  return sentence === undefined ? undefined : spansOf(sentence).map((span) => span.replace("/", ""));
}

/** What a folder's README lacks, as sentences; [] for a good one. */
function readmeProblems(base: string, folder: string, imports: readonly string[]): readonly string[] {
  const readme = join(folder, "README.md");
  if (!existsSync(join(base, readme))) return [`${readme} is missing`];
  const text = readFileSync(join(base, readme), "utf8");
  const spans = spansOf(text);
  // A room with a README of its own is a map of itself.
  const entries = readdirSync(join(base, folder)).filter(
    (name) => !notNamed.includes(name) && !existsSync(join(base, folder, name, "README.md")),
  );
  // A map may name the files of a room below the room's name.
  const below = readdirSync(join(base, folder), { recursive: true, encoding: "utf8" });
  const isThere = (span: string): boolean =>
    existsSync(join(base, span)) || below.some((path) => `/${path}`.endsWith(`/${span.replace(/\/$/, "")}`));
  const named = importsIn(text);
  return [
    ...entries
      .filter((name) => !spans.some((span) => fits(name, span) || fits(name.replace(/\.\w+$/, ""), span)))
      .map((name) => `${readme} doesn't name ${name}`),
    ...spans
      .filter((span) => isSource.test(span) && !isThere(span))
      .map((span) => `${readme} names ${span}, which doesn't exist`),
    ...(named && [...named].sort().join() === [...imports].sort().join()
      ? []
      : [`${readme} doesn't say "imports ${imports.map((one) => `\`${one}\``).join(", ") || "nothing"}"`]),
  ];
}

export const readmes: TreeRule = {
  holds: "each folder's README is a map of it, and says what it imports",
  begin: (emit, base) => ({
    end: () => {
      // What docs/ holds are pages.
      for (const [folder, imports] of Object.entries(folders))
        if (folder !== "docs" && existsSync(join(base, folder))) readmeProblems(base, folder, imports).forEach(emit);
    },
  }),
};
