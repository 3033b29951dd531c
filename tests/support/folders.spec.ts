// The folder of what tests write: it goes when they have ended, unless it is asked for.
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { emptyFolder } from "./assay.ts";
import { openFolder } from "./folders.ts";

/** What tests leave in the system's folder of temporary files, which is another one meanwhile. */
function leftBy(environment: { readonly [name: string]: string }): readonly string[] {
  const temporary = join(emptyFolder(), "tmp");
  mkdirSync(temporary);
  const system = tmpdir();
  const before = { ...process.env };
  try {
    Object.assign(process.env, { TMPDIR: temporary, ASSAY_KEEP: "", ...environment });
    const close = openFolder();
    mkdirSync(join(emptyFolder(), "written"));
    expect(readdirSync(temporary)).toHaveLength(1);
    close();
  } finally {
    Object.assign(process.env, { TMPDIR: system, ASSAY_KEEP: "" }, before);
  }
  return readdirSync(temporary);
}

test("what tests write goes when they have ended, unless it is asked for", () => {
  expect([leftBy({}), leftBy({ ASSAY_KEEP: "1" })]).toEqual([[], [expect.stringMatching(/^assay-/)]]);
});

test("all tests write below one such folder", () => {
  const [folder, common = "none"] = [emptyFolder(), process.env["ASSAY_TEST_FOLDERS"]];
  expect(existsSync(common) && folder.startsWith(join(common, "/"))).toBe(true);
});
