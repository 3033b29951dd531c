// Proof that the engine doesn't know the interface that it judges.
import { expect, test } from "@playwright/test";
import { dataPlatform } from "../../contracts/shared/interface.ts";
import { featuresOf } from "../../harness/core/interface.ts";
import { read } from "../support/assay.ts";
import { filesBelow } from "../support/sources.ts";

const { requirements, unspecified, operations, errorTables, undocumentedRateCodes, carriers } = dataPlatform;
const codes = [...Object.values(errorTables).flatMap((rows) => rows.flatMap(({ code }) => code ?? []))];

/** Neither these words, nor parts of longer ones; in any case. */
const words = [
  ...operations.map(({ id }) => id),
  ...[...requirements, ...unspecified].map(({ id }) => id),
  ...Object.values(carriers),
];
const forbidden: readonly (readonly [what: string, pattern: RegExp])[] = [
  ["word", new RegExp(`(?<![\\w-])(?:${words.join("|")})(?![\\w-])`, "gi")],
  // With or without the sign, or separators.
  ["code", new RegExp(`(?<!\\d)(?:${[...codes, ...undocumentedRateCodes].map(Math.abs).join("|")})(?!\\d)`, "g")],
  // Features have the names of ordinary things: only whole strings count.
  ["feature", new RegExp(`(["'\`])(?:${featuresOf(dataPlatform).join("|")})\\1`, "g")],
  ["import", /from "[^"]*specs\/generated[^"]*"/g],
];

const foundIn = (file: string): readonly string[] => {
  const text = read(file).replaceAll(/(?<=\d)_(?=\d)/g, "");
  return forbidden.flatMap(([what, pattern]) =>
    [...text.matchAll(pattern)].map(([found]) => `${file}: ${what} ${found}`),
  );
};

test("no file of the engine names anything of the interface", () => {
  const files = filesBelow("harness", /\.ts$/);
  expect(files.length).toBeGreaterThan(40);
  expect(files.flatMap(foundIn)).toEqual([]);
});

test("the rule finds what violates it", () => {
  const fixture = "tests/fixtures/interface/knowsTheInterface.ts";
  expect(foundIn(fixture).map((found) => found.slice(fixture.length + 2))).toEqual([
    "word OBS-AUTH-WS",
    "word CYC-PRES-01",
    "word sendBundle",
    "word x-api-key",
    "code 32001",
    'feature "wallet"',
    'import from "../../../specs/generated/tables.ts"',
  ]);
});
