// Tests of the count of mutants that properties find, and of its published table
import { expect, test } from "@playwright/test";
import {
  foundByProperties,
  propertyNames,
  type Share,
  sharesOf,
  subtleNames,
} from "../../proof/mutantsByProperties.ts";
import { findingsDocument, script, stateOf, tableOf } from "../../proof/propertyFindings.ts";
import { markdownOf, tableIn } from "../../proof/publishedTable.ts";
import { mutants } from "../../reference/generated/mutants.ts";
import { assay } from "../support/assay.ts";

const [narrow = ""] = subtleNames;
const shareOf = (shares: readonly Share[], name: string): Share | undefined =>
  shares.find(({ property }) => property === name);

test("a mutant that two properties find counts for neither alone, one that examples find for none only", () => {
  const shares = sharesOf([
    { mutant: "BND-LIM-01.limit-4", properties: ["bundlesTaken", "bundlesEchoesTexts"] },
    { mutant: "BND-LIM-01.limit-1", properties: ["bundlesTaken"] },
    { mutant: narrow, properties: ["bundlesTaken"] },
    { mutant: null, properties: ["statusesAligned"] },
  ]);
  expect(shareOf(shares, "bundlesTaken")).toEqual({ property: "bundlesTaken", found: 3, alone: 2, only: 1 });
  expect(shareOf(shares, "bundlesEchoesTexts")).toEqual({
    property: "bundlesEchoesTexts",
    found: 1,
    alone: 0,
    only: 0,
  });
  expect(shareOf(shares, "statusesAligned")?.found).toBe(0);
});

const rowsOf = (table: string): readonly string[] =>
  [...table.matchAll(/^\| (\w+) \| \d+ \|.*$/gm)].map(([row]) => row);

test("the table has a row for each property with the mutants that only it finds, and the share of all", () => {
  const made = tableOf([
    { mutant: "BND-LIM-01.limit-4", properties: ["bundlesTaken", "bundlesEchoesTexts"] },
    { mutant: "BND-LIM-01.min-2", properties: ["bundlesTaken"] },
    { mutant: narrow, properties: ["bundlesTaken"] },
    { mutant: null, properties: [] },
  ]);
  const table = markdownOf(made);
  expect(rowsOf(table).length).toBe(propertyNames.length);
  expect(table).toContain(`| bundlesTaken | 3 | 2 | 1 | ${narrow} · BND-LIM-01.min-2 |`);
  expect(table).toContain(
    `Of ${mutants.length} registered mutants properties find 2 of ${mutants.length} (0 %); ` +
      `of ${subtleNames.length} that no example finds, 1 of ${subtleNames.length} ` +
      `(${Math.round(100 / subtleNames.length)} %); no false alarms (state ${stateOf()}).`,
  );
  expect(tableOf([{ mutant: null, properties: ["bundlesTaken"] }]).summary).toContain("; 1 false alarms ");
  expect(tableIn(`before\n${table}\nafter`, made.by)).toBe(table);
  expect(tableIn("before\nafter", made.by)).toBe("");
});

test("the published table is up to date with mutants and properties", () => {
  const table = findingsDocument.tableBy(script);
  const command = `npx assay mutants --properties --json > found.json; node --import tsx ${script} found.json`;
  expect(table, `run: ${command}`).toContain(`(state ${stateOf()})`);
  expect(rowsOf(table).map((row) => row.split(" ")[1])).toEqual(propertyNames);
  expect(stateOf(["another"])).not.toBe(stateOf());
});

test("a registered mutant is found by the properties about it alone", async () => {
  expect((await foundByProperties("WAL-BATCH-02.limit-50")).properties).toContain("batchesTaken");
});

test("properties find each subtle mutant, and nothing on the honest platform", { tag: "@slow" }, async () => {
  // Some 600 mutants with a dozen cases of each property, and the subtle ones with hundreds.
  test.setTimeout(1_800_000);
  const { code, stdout } = await assay(["mutants", "--properties"]);
  expect(stdout).toMatch(new RegExp(`· ${subtleNames.length} of ${subtleNames.length} subtle ones · 0 false alarms`));
  expect(code).toBe(0);
});
