// `npm test -- <file or title>`: runs only the self-tests that are named.
import { expect, test } from "@playwright/test";
import { start } from "../support/assay.ts";
import { argumentsFor } from "../support/selection.ts";

const files = ["tests/reports/page.spec.ts", "tests/cli/run.spec.ts"];

for (const [title, words, selected] of [
  ["a part of a path", ["reports/page"], ["tests/reports/page.spec.ts"]],
  ["several parts", ["page", "cli/run"], files],
  ["a line of a file", ["page.spec.ts:35"], ["tests/reports/page.spec.ts:35"]],
  ["a title", ["help fits one screen"], ["--grep", "help fits one screen"]],
  ["words of a title", ["help", "fits"], ["--grep", "help fits"]],
  ["a title with signs of a pattern", ["is 5 (or 6)?"], ["--grep", "is 5 \\(or 6\\)\\?"]],
  ["a flag beside a file", ["page", "--list"], ["--list", "tests/reports/page.spec.ts"]],
] as const)
  test(`${title} selects self-tests`, () => expect(argumentsFor(words, files)).toEqual(selected));

const npmTest = (...words: readonly string[]) =>
  start(process.execPath, ["--import", "tsx", "tests/all.ts", ...words], { FORCE_COLOR: "0" }).ended;

test("a named file is run alone, without types, format, lint or k6", async () => {
  const { code, stdout } = await npmTest("reports/statistics", "--list");
  expect(code).toBe(0);
  expect(stdout).toMatch(/Total: \d+ tests in 1 file/);
  expect(stdout).not.toMatch(/types|lint|k6/);
});

test("a title that no test has fails", { tag: "@slow" }, async () => {
  expect((await npmTest("no test has this title")).code).toBe(1);
});
