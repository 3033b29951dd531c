// Lines appended to a file by several writers: none lost, none mixed, none cut.
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { appendLine, rewrite } from "../../harness/record/appending.ts";
import { emptyFolder, start } from "../support/assay.ts";
import { bundled } from "../support/bundled.ts";

const fileOf = (): string => join(emptyFolder(), "lines");
const linesIn = (file: string): readonly string[] => readFileSync(file, "utf8").split("\n").slice(0, -1);

test("processes append long lines while one rewrites the file", async () => {
  const file = fileOf();
  const module = await bundled("harness/record/appending.ts");
  const named = `const [module, file] = ${JSON.stringify([module, file])};
     const { appendLine, rewrite } = await import(module);
     const long = "x".repeat(40_000);`;
  const writer = (name: string): string =>
    `${named} for (let nth = 0; nth < 60; nth += 1) appendLine(file, "${name} " + nth + " " + long);`;
  const rewriter = `${named}
     for (let nth = 0; nth < 40; nth += 1) rewrite(file, (line) => line.replaceAll(long, "short"));`;
  writeFileSync(file, "");
  const names = ["a", "b", "c"];
  const run = (code: string) => start(process.execPath, ["--input-type=module", "-e", code]).ended;
  const ended = await Promise.all([...names.map((name) => run(writer(name))), run(rewriter)]);
  expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual(ended.map(() => [0, ""]));
  // Two that repair the same cut leave a blank line, which says nothing.
  const lines = linesIn(file).filter((line) => line !== "");
  const odd = lines.filter((line) => !/^[a-d] \d+ (x{40000}|short)$/.test(line));
  expect(odd).toEqual([]);
  // One that was rewritten meanwhile may be there twice.
  const found = new Set(lines.map((line) => line.slice(0, line.lastIndexOf(" "))));
  expect(found.size).toBe(names.length * 60);
});

test("a line after one that was cut begins on its own", () => {
  const file = fileOf();
  appendFileSync(file, 'first\n{"cut":');
  appendLine(file, "second");
  expect(linesIn(file)).toEqual(["first", '{"cut":', "second"]);
});

test("a file that can't be rewritten stays as it was", () => {
  const file = fileOf();
  appendLine(file, "one");
  expect(() =>
    rewrite(file, () => {
      throw new Error("no");
    }),
  ).toThrow("no");
  expect(linesIn(file)).toEqual(["one"]);
});
