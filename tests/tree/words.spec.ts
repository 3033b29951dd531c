// No file uses a retired word; `node --import tsx tests/tree/words.ts` prints those that do.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { root } from "../support/assay.ts";
import { expectNone } from "./notYet.ts";
import { retiredIn } from "./words.ts";

test("no file uses a retired word", () => {
  expectNone("words", retiredIn(root), (offender) => offender.replace(/:.*/, ""));
});

test("the rule finds what violates it, and leaves what it doesn't concern", () => {
  const fixtures = join(root, "tests/fixtures/words");
  // In a file of its own: here the words would violate the rule.
  expect(`${retiredIn(fixtures).join("\n")}\n`).toBe(readFileSync(join(fixtures, "found.txt"), "utf8"));
});
