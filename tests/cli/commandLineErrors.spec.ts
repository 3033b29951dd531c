// Bad input that no file of tests/cases/ can show: what is too large, in use, or another Node.
import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { emptyFolder, expectCommandLineError, start } from "../support/assay.ts";
import { always, vendor } from "../support/vendor.ts";

test("a journal that no run can have made", async () => {
  const folder = emptyFolder();
  writeFileSync(join(folder, "journal.jsonl"), "");
  truncateSync(join(folder, "journal.jsonl"), 500_000_000);
  await expectCommandLineError(["report", folder], "has 500 MB, more than the 150 MB");
});

test("a port in use for serve", async () => {
  const { base, close } = await vendor(always(200, "text/plain", ""));
  const { port } = new URL(base);
  await expectCommandLineError(["serve", "--port", port], `Port ${port} of 127.0.0.1 is in use`);
  await close();
});

test("a Node that is too old", async () => {
  const pretend =
    "Object.defineProperty(process.versions, 'node', { value: '18.20.4' }); await import('./cli/assay.js')";
  const { code, stderr } = await start(process.execPath, ["--input-type=module", "-e", pretend]).ended;
  expect(code).toBe(2);
  expect(stderr).toContain("Assay needs Node 22 or 24 (20.19 or later still works); this is Node 18.20.4");
});
