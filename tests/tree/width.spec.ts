// No line of code is wider than the formatter's width: it breaks code, but neither texts nor comments.
import { expect, test } from "@playwright/test";
import { read } from "../support/assay.ts";
import { filesBelow, source } from "../support/sources.ts";

const width = 120;

const wideIn = (file: string, text: string): readonly string[] =>
  text.split("\n").flatMap((line, at) => (line.length > width ? [`${file}:${at + 1} has ${line.length} columns`] : []));

test("no line of code is wider than 120 columns", () => {
  const files = filesBelow(".", source).filter((file) => !file.includes("/generated/"));
  expect(files.flatMap((file) => wideIn(file, read(file)))).toEqual([]);
});

test("the rule finds a line that is one column too wide, and no other", () => {
  expect(wideIn("a.ts", `${"x".repeat(width)}\n${"x".repeat(width + 1)}\n`)).toEqual(["a.ts:2 has 121 columns"]);
});
