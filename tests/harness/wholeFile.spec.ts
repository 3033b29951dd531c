// Where a file is written whole: in place of what is there, or into what the system keeps open; how folders are made.
import { closeSync, lstatSync, openSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { makeFolder } from "../../harness/core/paths.ts";
import { writeWhole } from "../../harness/record/wholeFile.ts";
import { emptyFolder } from "../support/folders.ts";

test("an output that leads to a file is written into, and its name stays as it was", () => {
  test.skip(process.platform !== "linux", "only Linux shows a process's outputs as files");
  const file = join(emptyFolder(), "output");
  const descriptor = openSync(file, "w");
  writeWhole(`/proc/self/fd/${descriptor}`, "whole");
  closeSync(descriptor);
  expect(readFileSync(file, "utf8")).toBe("whole");
});

test("a link elsewhere is replaced, and what it leads to stays", () => {
  const folder = emptyFolder();
  const [mine, link] = [join(folder, "mine"), join(folder, "link")];
  writeFileSync(mine, "mine");
  symlinkSync(mine, link);
  writeWhole(link, "whole");
  expect([readFileSync(mine, "utf8"), readFileSync(link, "utf8"), lstatSync(link).isFile()]).toEqual([
    "mine",
    "whole",
    true,
  ]);
});

test("a folder is made with those above it, also where it is there or a link leads to it", () => {
  const folder = emptyFolder();
  const below = join(folder, "a/b/c");
  makeFolder(below, 0o700);
  makeFolder(below);
  symlinkSync(join(folder, "a"), join(folder, "link"));
  makeFolder(join(folder, "link/b/d"));
  expect([statSync(below).isDirectory(), statSync(join(folder, "a/b/d")).isDirectory()]).toEqual([true, true]);
  if (process.platform !== "win32") expect(statSync(join(folder, "a")).mode & 0o777).toBe(0o700);
});

test("a folder can't be made below a file, nor where a system makes none, and that is told", () => {
  const file = join(emptyFolder(), "file");
  writeFileSync(file, "");
  expect(() => makeFolder(join(file, "a/b"))).toThrow(/ENOTDIR|ENOENT/);
  // Node's own way goes on for ever.
  if (process.platform === "linux") expect(() => makeFolder("/proc/none/a")).toThrow("ENOENT");
});
