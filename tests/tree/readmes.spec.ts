// Each folder's README names what lies in it, nothing else, and what it may import.
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { root } from "../support/assay.ts";
import { folders } from "./imports.ts";
import { expectNone } from "./notYet.ts";
import { readmeProblems } from "./readmes.ts";

test("each folder's README is a map of it, and says what it imports", () => {
  const problems = Object.entries(folders)
    // What docs/ holds are pages.
    .filter(([folder]) => folder !== "docs")
    .flatMap(([folder, imports]) => readmeProblems(root, folder, imports));
  expectNone("readmes", problems, (problem) => problem.replace(/ .*/, ""));
});

test("the rule finds what violates it", () => {
  const fixtures = join(root, "tests/fixtures/readmes");
  expect(readmeProblems(fixtures, "sound", ["specs"])).toEqual([]);
  expect(readmeProblems(fixtures, "outdated", ["specs"])).toEqual([
    "outdated/README.md doesn't name engine",
    "outdated/README.md doesn't name plan.ts",
    "outdated/README.md names gone.ts, which doesn't exist",
    'outdated/README.md doesn\'t say "imports `specs`"',
  ]);
  expect(readmeProblems(fixtures, "none", [])).toEqual(["none/README.md is missing"]);
});
