// Tests of `npm run proof`: which tables it writes, what it says of them, and its exit codes
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { tableOfKilled } from "../../proof/killMatrix.ts";
import type { Killed } from "../../proof/mutants.ts";
import type { ProofTable } from "../../proof/table.ts";
import { type TableMakers, tableMakers, writeTables } from "../../proof/tables/main.ts";
import { emptyFolder, read } from "../support/assay.ts";

const made: ProofTable = {
  title: "Shapes",
  summary: "Two shapes.",
  columns: ["shape", "corners"],
  rows: [
    ["triangle", 3],
    ["circle", 0],
  ],
  wrong: [],
};
const makers: TableMakers = {
  right: () => Promise.resolve(made),
  wrong: () => Promise.resolve({ ...made, wrong: ["A circle has no corners."] }),
};

async function written(...names: readonly string[]) {
  const folder = emptyFolder();
  const lines: string[] = [];
  const exitCode = await writeTables(names, { makers, folder, onTable: (line) => lines.push(line) });
  return { exitCode, folder, files: readdirSync(folder), lines };
}

test("a named table is written alone, as Markdown, and its summary is told", async () => {
  const { exitCode, folder, files, lines } = await written("right");
  expect({ exitCode, files }).toEqual({ exitCode: 0, files: ["right.md"] });
  expect(lines).toEqual([`right: Two shapes. (${join(folder, "right.md")})`]);
  expect(readFileSync(join(folder, "right.md"), "utf8")).toBe(
    "# Shapes\n\nTwo shapes.\n\n| shape | corners |\n| --- | --- |\n| triangle | 3 |\n| circle | 0 |\n",
  );
});

test("without a name all are written; what is wrong is told, stands in the table, and fails", async () => {
  const { exitCode, folder, files, lines } = await written();
  expect({ exitCode, files }).toEqual({ exitCode: 1, files: ["right.md", "wrong.md"] });
  expect(lines.at(-1)).toBe("WRONG  A circle has no corners.");
  expect(readFileSync(join(folder, "wrong.md"), "utf8")).toContain("**Wrong:** A circle has no corners.");
});

test("a name that no table has is a command line error, and nothing is made", async () => {
  const folder = join(emptyFolder(), "none");
  await expect(writeTables(["right", "wrnog"], { makers, folder })).rejects.toThrow(
    'There is no table wrnog (did you mean "wrong"?). Name some of right, wrong, or none for all.',
  );
  expect(() => readdirSync(folder)).toThrow("ENOENT");
});

test("docs/proof.md names each table", () => {
  const page = read("docs/proof.md");
  expect(Object.keys(tableMakers).filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  expect(page.split("\n").length).toBeLessThanOrEqual(121);
});

const killed = (id: string, result: Killed["result"], ...broken: readonly string[]): Killed => ({
  id,
  result,
  broken,
  undeclared: [],
  stale: [],
});

test("in the kill matrix each mutant has a row; survivors, false alarms and missing mutants are wrong", () => {
  const right = [killed("A-01.one", "killed", "A-01", "A-02"), killed("A-02.other", "silent")];
  expect(tableOfKilled([], right, [])).toMatchObject({
    summary: "1 of 1 mutants killed, 1 of 1 benign variants silent, no findings on the honest platform.",
    rows: [
      ["A-01.one", "killed", "A-01 A-02"],
      ["A-02.other", "silent", "–"],
    ],
    wrong: [],
  });
  const bad = [killed("A-03.two", "survived"), killed("A-04.three", "flagged", "A-04")];
  expect(tableOfKilled(["A-09"], bad, ["A-05.four"]).wrong).toEqual([
    "The honest platform breaks A-09.",
    "A-03.two survived: it breaks nothing.",
    "A-04.three flagged: it breaks A-04.",
    "The reference doesn't implement A-05.four.",
  ]);
});
