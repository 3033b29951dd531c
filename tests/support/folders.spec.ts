// Do the tests leave the system's folder of temporary files as it was?
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { emptyFolder, start } from "./assay.ts";

/** Tests that write, in a run of their own; gives what they leave. */
async function leftBy(environment: { readonly [name: string]: string }): Promise<readonly string[]> {
  const folder = emptyFolder();
  const temporary = join(folder, "tmp");
  mkdirSync(temporary);
  const args = [
    "node_modules/@playwright/test/cli.js",
    "test",
    "-c",
    "tests",
    "compareCommand",
    "-g",
    "nothing newly broken",
    "--reporter=line",
    `--output=${join(folder, "results")}`,
  ];
  const own = { TMPDIR: temporary, ASSAY_TEST_FOLDERS: "", ASSAY_SLOW: "", ASSAY_KEEP: "", ...environment };
  const { code, stdout, stderr } = await start(process.execPath, args, own).ended;
  expect(code, stdout + stderr).toBe(0);
  return readdirSync(temporary).filter((name) => name.startsWith("assay-"));
}

test("what tests write goes when they have ended, unless it is asked for", async () => {
  expect([await leftBy({}), await leftBy({ ASSAY_KEEP: "1" })]).toEqual([[], [expect.stringMatching(/^assay-/)]]);
});
