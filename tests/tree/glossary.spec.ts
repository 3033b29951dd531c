// The glossary: each noun once, in alphabetical order, on one line.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { root } from "../support/assay.ts";

const entries = readFileSync(join(root, "docs/GLOSSARY.md"), "utf8").split("\n").slice(4);
const nouns = entries
  .map((line) => line.match(/^- \*\*([^*]+)\*\*: \S.*\.$/)?.[1] ?? `not an entry: "${line}"`)
  .slice(0, -1);

test("the glossary has each noun once, alphabetically, on a line of at most 150 characters", () => {
  expect(entries.at(-1)).toBe("");
  expect(nouns.length).toBeGreaterThan(50);
  expect(nouns).toEqual([...new Set(nouns)].sort((a, b) => a.localeCompare(b, "en", { sensitivity: "base" })));
  expect(entries.filter((line) => line.length > 150)).toEqual([]);
});
