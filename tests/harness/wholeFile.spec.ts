// Where a file is written whole: in place of what is there, or into what the system keeps open.
import { closeSync, lstatSync, openSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
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
