// The glossary: each noun once, in alphabetical order, on one line.
import { expect, test } from "@playwright/test";
import { read } from "../support/assay.ts";

const entries = read("docs/GLOSSARY.md").split("\n").slice(4);
const nouns = entries
  .map((line) => line.match(/^- \*\*([^*]+)\*\*: \S.*\.$/)?.[1] ?? `not an entry: "${line}"`)
  .slice(0, -1);

test("the glossary has each noun once, alphabetically, on a line of at most 150 characters", () => {
  expect(entries.at(-1)).toBe("");
  expect(nouns.length).toBeGreaterThan(50);
  expect(nouns).toEqual([...new Set(nouns)].sort((a, b) => a.localeCompare(b, "en", { sensitivity: "base" })));
  expect(entries.filter((line) => line.length > 150)).toEqual([]);
});
