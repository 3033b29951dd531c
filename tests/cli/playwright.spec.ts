// The Playwright adapter: one test per requirement, passed by the reference, failed by a mutant.
import { expect, test } from "@playwright/test";
import { playwright } from "../support/assay.ts";

test("a mutant fails the test of the requirement that it breaks, and no other", async () => {
  const selected = ["--grep", "@CYC-PRES-01|@AUTH-ADM-MISS-01"];
  const { code, stdout } = await playwright(selected, { ASSAY_MUTANT: "CYC-PRES-01.omit-on-free" });
  expect(code).toBe(1);
  expect(stdout).toContain("creditCycle is present on every plan, free plans included (§2.1)");
  expect(stdout).toContain("1 failed");
  expect(stdout).toContain("1 passed");
});

test("selected requirements pass on the honest reference", { tag: "@slow" }, async () => {
  const { code, stdout } = await playwright(["--grep", "@CYC-PRES-01|@AUTH-ADM-MISS-01"]);
  expect(stdout).toContain("2 passed");
  expect(code).toBe(0);
});

test("a breach of a requirement that wasn't selected is a note", { tag: "@slow" }, async () => {
  const { code, stdout } = await playwright(["--grep", "@CYC-PRES-01"], {
    ASSAY_MUTANT: "USG-INT-02.negative-correction",
  });
  expect(stdout).toContain("Note, not selected:");
  expect(stdout).toContain("USG-INT-02");
  expect(code).toBe(0);
});
