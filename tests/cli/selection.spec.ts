// `npm test -- <file or title>`: runs only the self-tests that are named.
import { expect, test } from "@playwright/test";
import { start } from "../support/assay.ts";
import { selectionOf } from "../support/selection.ts";

const page = {
  path: "tests/reports/page.spec.ts",
  text: 'test("help fits one screen", …); test("is \\"5\\" (or 6)?", …); test(`a page of ${count} rows`, …);',
};
const files = [page, { path: "tests/cli/run.spec.ts", text: "test(title, …)" }];

for (const [title, words, args] of [
  ["a part of a path", ["reports/page"], [page.path]],
  ["several parts", ["page", "cli/run"], files.map(({ path }) => path)],
  ["a line of a file", ["page.spec.ts:35"], [`${page.path}:35`]],
  ["a title", ["help fits one screen"], ["--grep", "help fits one screen"]],
  ["words of a title", ["Help", "fits"], ["--grep", "Help fits"]],
  ["a title with signs of a pattern", ['is "5" (or 6)?'], ["--grep", 'is "5" \\(or 6\\)\\?']],
  ["a part of a title that is filled in", ["a page of"], ["--grep", "a page of"]],
  ["what may be filled in", ["IH-LAG-02"], ["--grep", "IH-LAG-02"]],
  ["a flag beside a file", ["page", "--list"], ["--list", page.path]],
] as const)
  test(`${title} selects self-tests`, () =>
    expect(selectionOf(words, files, (part) => "ih-lag-02".includes(part.toLowerCase()))).toEqual({ args }));

test("words that no file and no title has are named, and nothing is run", () => {
  const words = ["page", "nowhere", "help", "neither"];
  expect(selectionOf(words, files, () => false)).toEqual({ unmatched: ["nowhere", "neither"] });
});

const npmTest = (...words: readonly string[]) =>
  start(process.execPath, ["--import", "tsx", "tests/all.ts", ...words], { FORCE_COLOR: "0" }).ended;

test("a named file is run alone, without types, format, lint or k6", async () => {
  const { code, stdout } = await npmTest("reports/statistics", "--list");
  expect(code).toBe(0);
  expect(stdout).toMatch(/Total: \d+ tests in 1 file/);
  expect(stdout).not.toMatch(/types|lint|k6/);
});

/** One paragraph, that names the words. */
async function expectNone(words: readonly string[], named: string): Promise<void> {
  const { code, stderr } = await npmTest(...words);
  expect(stderr).toMatch(new RegExp(`^No self-test has "${named}" in .*\n$`));
  expect(code).toBe(2);
}

test("a word that no test has ends with 2, though others match", () => {
  // Put together, or this file would have it.
  const nowhere = ["no", "where", "at", "all"].join("");
  return expectNone(["glossary", nowhere], nowhere);
});

test("so does a title whose words only stand elsewhere in the tree", { tag: "@slow" }, () =>
  expectNone(["no test has this title"], "no test has this title"),
);
