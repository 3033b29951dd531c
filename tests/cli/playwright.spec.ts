// Is `npx playwright test` a door to the same engine: green for the honest, red for a liar, one test per promise?
import { expect, test } from "@playwright/test";
import { start } from "../support/assay.ts";

const playwright = (args: readonly string[], environment: { readonly [name: string]: string } = {}) =>
  start(process.execPath, ["node_modules/@playwright/test/cli.js", "test", ...args], {
    FORCE_COLOR: "0",
    ...environment,
  }).ended;

test("a selected promise passes on the honest reference", async () => {
  const { code, stdout } = await playwright(["--grep", "@CYC-PRES-01|@AUTH-ADM-MISS-01"]);
  expect(stdout).toContain("2 passed");
  expect(code).toBe(0);
});

test("a mutant fails the test of the promise that it breaks", async () => {
  const { code, stdout } = await playwright(["--grep", "@CYC-PRES-01"], { ASSAY_MUTANT: "CYC-PRES-01.omit-on-free" });
  expect(code).toBe(1);
  expect(stdout).toContain("creditCycle is present on every plan, free plans included (§2.1)");
  expect(stdout).toContain("1 failed");
});

test("a breach of what wasn't selected is told as a note", async () => {
  const { code, stdout } = await playwright(["--grep", "@CYC-PRES-01"], {
    ASSAY_MUTANT: "USG-INT-02.negative-correction",
  });
  expect(stdout).toContain("Note, not selected:");
  expect(stdout).toContain("USG-INT-02");
  expect(code).toBe(0);
});
