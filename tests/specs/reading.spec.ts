// Citations of docs/READING.md: each amendment, trap and section that the tree names is there, and so is each id in
// docs/.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { observationRows, requirementRows } from "../../specs/build/interface.ts";
import { read, root } from "../support/assay.ts";
import { filesBelow } from "../support/sources.ts";

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

/** What is generated cites what its source does. */
const skipped = /(?:^|\/)(?:generated|\.[^/]*)\//;

test("each amendment, trap and section of the register that the tree cites is in docs/READING.md", () => {
  const files = filesBelow(".", /\.(?:tsx?|js|md|ya?ml|json)$/).filter((file) => !skipped.test(file));
  expect(files.flatMap((file) => anchorsCitedIn(read(file))).length).toBeGreaterThan(20);
  expect(files.flatMap((file) => unresolvedIn(read(file)).map((name) => `${file}: ${name}`))).toEqual([]);
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
    // INV is the example of an area of one's own.
    expect(ids.filter((id) => !known.has(id) && !/^(?:OBS-)?AREA|^INV-/.test(id))).toEqual([]);
    const links = [...text.matchAll(/\]\((?:([\w./-]+\.md))?#([^)]+)\)/g)];
    const isThere = (file: string, name: string): boolean => read(file).includes(`<a id="${name}"></a>`);
    const broken = links.filter(([, file, name = ""]) => !isThere(`docs/${file ?? page}`, name));
    expect(broken.map(([link]) => link)).toEqual([]);
  });
