// The parts of the nightly tier: each spec file is in one, and words name them.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { read, root } from "../support/assay.ts";
import { partArguments, partNames, partOf } from "../support/parts.ts";

const files = readdirSync(join(root, "tests"), { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith(".spec.ts"),
);

test("each spec file belongs to a part, so that its slow tests run nightly", () => {
  expect(files.filter((file) => partOf(file) === undefined)).toEqual([]);
  expect(partOf("nowhere/else.spec.ts")).toBeUndefined();
});

test("each part has slow tests", () => {
  const slow = new Set(files.filter((file) => read(`tests/${file}`).includes("@slow")).map(partOf));
  expect(partNames.filter((part) => !slow.has(part))).toEqual([]);
});

const some = ["proof/mutants.spec.ts", "proof/faults.spec.ts", "proxy/ownClientsMutants.spec.ts", "load/k8s.spec.ts"];

for (const [title, words, selected] of [
  ["no word: all", [], []],
  ["a part", ["mutants"], ["tests/proof/mutants.spec.ts", "tests/proxy/ownClientsMutants.spec.ts"]],
  ["several parts", ["k8s", "faults"], ["tests/load/k8s.spec.ts", "tests/proof/faults.spec.ts"]],
  ["a piece of a path, and a flag", ["ownClients", "--list"], ["--list", "tests/proxy/ownClientsMutants.spec.ts"]],
] as const)
  test(`selected of the nightly tier by ${title}`, () => expect(partArguments(words, some)).toEqual(selected));

test("a word that is neither a part nor a piece of a path is a command line error in one paragraph", () => {
  const misspelled = (): unknown => partArguments(["mutant", "mutnats"], some);
  expect(misspelled).toThrow(
    `There is no part "mutnats" of the nightly tests (did you mean "mutants"?), and no spec file with that in its ` +
      `path. Name some of ${partNames.join(", ")}, or none for all.`,
  );
});
