// The Playwright adapter: one test per requirement, passed by the reference, failed by a mutant.
import { expect, test } from "@playwright/test";
import { playwright, read } from "../support/assay.ts";
import { targetFile } from "../support/vendor.ts";

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

test("what is verified in part passes with an annotation, and fails where the target is strict", {
  tag: "@slow",
}, async () => {
  const poor = (more: string): string =>
    targetFile(read("targets/reference.yaml").replace(/^ {2}compressed:\n(?: {4}- .*\n)+/m, "") + more);
  const lax = await playwright(["--grep", "@RPC-ENV-01", "--reporter", "json"], { ASSAY_TARGET: poor("") });
  expect(lax.code).toBe(0);
  expect(lax.stdout).toMatch(/"type": "verified in part",\s+"description": "4 of 5 operations; not tried/);
  const strict = await playwright(["--grep", "@RPC-ENV-01"], { ASSAY_TARGET: poor("strict: true\n") });
  expect(strict.stdout).toContain("Some requirements are only verified in part, and the target is strict.");
  expect(strict.code).toBe(1);
});

test("a breach of a requirement that wasn't selected is a note", { tag: "@slow" }, async () => {
  const { code, stdout } = await playwright(["--grep", "@CYC-PRES-01"], {
    ASSAY_MUTANT: "USG-INT-02.negative-correction",
  });
  expect(stdout).toContain("For information, not selected:");
  expect(stdout).toContain("USG-INT-02");
  expect(code).toBe(0);
});
