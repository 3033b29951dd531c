// When npm makes the package: where it packs, and not where it installs packages in a clone.
import { cpSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "@playwright/test";
import { emptyFolder, read, root, start } from "../support/assay.ts";
import { npm } from "../support/packed.ts";

const { name, version } = JSON.parse(read("package.json")) as { readonly name: string; readonly version: string };

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

test("what npm installs from git without building it says so", async () => {
  const unbuilt = emptyFolder();
  for (const file of ["package.json", "cli/assay.js"]) cpSync(join(root, file), join(unbuilt, file));
  const { code, stderr } = await start(process.execPath, [join(unbuilt, "cli/assay.js"), "--version"]).ended;
  expect([code, stderr]).toEqual([2, expect.stringContaining("isn't built")]);
});

test("npm installs it from git: built, with its types, and its command answers", { tag: "@slow" }, async () => {
  const [clone, folder] = [emptyFolder(), emptyFolder()];
  // As the tree is, whatever is committed of it.
  const listed = await start("git", ["ls-files", "--cached", "--others", "--exclude-standard", "-z"]).ended;
  for (const path of listed.stdout.split("\0").filter((one) => existsSync(join(root, one))))
    if (path !== "") cpSync(join(root, path), join(clone, path));
  const identity = ["-c", "user.name=tests", "-c", "user.email=tests@localhost"];
  for (const words of [
    ["init", "--quiet"],
    ["add", "."],
    [...identity, "commit", "--quiet", "--message", "All"],
  ])
    expect((await start("git", words, {}, clone).ended).code).toBe(0);
  writeFileSync(join(folder, "package.json"), "{}");
  const installed = await npm(["install", "--save-dev", `git+${pathToFileURL(clone).href}`], folder);
  expect(installed.code, installed.stderr).toBe(0);
  const own = join(folder, "node_modules", name);
  expect(["dist/index.d.ts", "dist/index.js"].filter((path) => !existsSync(join(own, path)))).toEqual([]);
  const { code, stdout } = await start("npx", ["--no", "--", "assay", "--version"], {}, folder).ended;
  expect([code, stdout.trim()]).toEqual([0, version]);
});
