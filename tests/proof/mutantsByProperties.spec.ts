// Tests of the count of mutants that properties find, and of its table
import { expect, test } from "@playwright/test";
import {
  type FoundShare,
  foundByProperties,
  propertyNames,
  sharesOf,
  subtleNames,
} from "../../proof/mutantsByProperties.ts";
import { tableOfFindings } from "../../proof/propertyFindings.ts";
import { mutants } from "../../reference/generated/mutants.ts";

const [narrow = ""] = subtleNames;
const shareOf = (shares: readonly FoundShare[], name: string): FoundShare | undefined =>
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

test("the table has a row for each property with the mutants that only it finds, and the share of all", () => {
  const table = tableOfFindings([
    { mutant: "BND-LIM-01.limit-4", properties: ["bundlesTaken", "bundlesEchoesTexts"] },
    { mutant: "BND-LIM-01.min-2", properties: ["bundlesTaken"] },
    ...subtleNames.map((mutant) => ({ mutant, properties: mutant === narrow ? ["bundlesTaken"] : ["batchesTaken"] })),
    { mutant: null, properties: [] },
  ]);
  expect(table.rows.map(([property]) => property)).toEqual(propertyNames);
  expect(table.rows).toContainEqual(["bundlesTaken", 3, 2, 1, `${narrow} · BND-LIM-01.min-2`]);
  expect(table.summary).toBe(
    `Of ${mutants.length} registered mutants properties find 2 of ${mutants.length} (0 %); ` +
      `of ${subtleNames.length} that no example finds, ${subtleNames.length} of ${subtleNames.length} (100 %); ` +
      "no false alarms.",
  );
  expect(table.wrong).toEqual([]);
});

test("a finding on the honest platform is wrong, and a subtle mutant that no property finds", () => {
  const found = subtleNames.filter((mutant) => mutant !== narrow).map((mutant) => ({ mutant, properties: ["x"] }));
  expect(tableOfFindings([{ mutant: null, properties: ["bundlesTaken"] }, ...found]).wrong).toEqual([
    "The honest platform is accused by bundlesTaken.",
    `No property finds this mutant: ${narrow}.`,
  ]);
});

test("a registered mutant is found by the properties about it alone", async () => {
  expect((await foundByProperties("WAL-BATCH-02.limit-50")).properties).toContain("batchesTaken");
});
