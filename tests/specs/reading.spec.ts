// Citations of docs/READING.md: each amendment, trap and section that the tree names is there, and so is each id in
// docs/.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "@playwright/test";
import { observationRows, requirementRows } from "../../specs/build/interface.ts";
import { root } from "../support/assay.ts";

const read = (path: string): string => readFileSync(join(root, path), "utf8");
const anchors = new Set([...read("docs/READING.md").matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, id = ""]) => id));

/** The anchors that a text cites: `amendment 4`, `amendments 4 and 7`, `T-12`, `register §1.3`, `register I5`. */
function anchorsCitedIn(text: string): readonly string[] {
  const all = (pattern: RegExp): readonly string[] => [...text.matchAll(pattern)].map(([, named = ""]) => named);
  const numbers = all(/\bamendments? (\d+(?:(?:, | and )\d+)*)/g).flatMap((some) => some.match(/\d+/g) ?? []);
  return [
    ...numbers.map((number) => `amendment-${number}`),
    ...all(/\bT-(\d\d)\b/g).map((number) => `t-${number}`),
    ...all(/\bregister,? §(\d(?:\.\d)?)/g).map((section) => `register-${section}`),
    ...all(/\bregister,? I(\d+)\b/g).map((number) => `i${number}`),
  ];
}
const unresolvedIn = (text: string): readonly string[] => anchorsCitedIn(text).filter((name) => !anchors.has(name));

/** What isn't ours, is generated, or cites wrongly on purpose. */
const skipped = /^(?:node_modules|generated|fixtures|runs|test-results|playwright-report|\..*)$/;

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return skipped.test(entry.name) ? [] : filesBelow(join(folder, entry.name));
    return /\.(?:tsx?|js|md|ya?ml|json)$/.test(entry.name) ? [relative(root, join(folder, entry.name))] : [];
  });

test("each amendment, trap and section of the register that the tree cites is in docs/READING.md", () => {
  const cited = filesBelow(root).map((file) => ({
    file,
    names: anchorsCitedIn(read(file)),
    unresolved: unresolvedIn(read(file)),
  }));
  expect(cited.flatMap(({ names }) => names).length).toBeGreaterThan(20);
  expect(cited.flatMap(({ file, unresolved }) => unresolved.map((name) => `${file}: ${name}`))).toEqual([]);
});

test("the rule finds citations that lead nowhere", () => {
  const missing = ["amendment-21", "amendment-99", "t-39", "register-1.8", "i11"];
  expect(unresolvedIn(read("tests/fixtures/clauses/reading.md"))).toEqual(missing);
});

test("docs/READING.md has 20 amendments, 38 traps and 10 statements about one document", () => {
  const count = (start: string): number => [...anchors].filter((name) => name.startsWith(start)).length;
  expect([count("amendment-"), count("t-"), [...anchors].filter((name) => /^i\d+$/.test(name)).length]).toEqual([
    20, 38, 10,
  ]);
});

const known = new Set([...requirementRows(), ...observationRows()].map(({ id }) => id));
const pages = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md") && name !== "INTERFACE.md");

for (const page of pages)
  test(`docs/${page} names only ids of the register, and links only what is there`, () => {
    const text = read(`docs/${page}`);
    const ids = text.match(/\b(?:OBS-[A-Z]+(?:-[A-Z0-9]+)*|[A-Z]{2,}(?:-[A-Z0-9]+)+-\d\d)\b/g) ?? [];
    expect(ids.filter((id) => !known.has(id) && !id.startsWith("AREA-") && !id.startsWith("OBS-AREA"))).toEqual([]);
    const links = [...text.matchAll(/\]\((?:([\w./-]+\.md))?#([^)]+)\)/g)];
    const isThere = (file: string, name: string): boolean => read(file).includes(`<a id="${name}"></a>`);
    expect(links.filter(([, file, name = ""]) => !isThere(`docs/${file ?? page}`, name)).map(([link]) => link)).toEqual(
      [],
    );
  });
