// When npm makes the package: where it packs, and not where it installs packages in a clone.
import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { emptyFolder, root, start } from "../support/assay.ts";

test("an install in a clone makes nothing; npm pack makes it once, and an install from git does, too", async () => {
  // There is no package.json, so that what begins fails.
  const clone = emptyFolder();
  cpSync(join(root, "package/prepare.js"), join(clone, "package/prepare.mjs"));
  const begins = async (event: string, command: string, packed = ""): Promise<boolean> => {
    const environment = { npm_lifecycle_event: event, npm_command: command, npm_package_resolved: packed };
    const { code, stderr } = await start(process.execPath, [join(clone, "package/prepare.mjs")], environment).ended;
    expect(stderr.includes("package.json"), stderr).toBe(code === 1);
    return code === 1;
  };
  expect([await begins("prepare", "ci"), await begins("prepare", "install")]).toEqual([false, false]);
  expect([await begins("prepack", "pack"), await begins("prepare", "pack", clone)]).toEqual([true, false]);
  expect(await begins("prepare", "install", clone)).toBe(true);
});
