// A file is parsed once while its text stays the same, and anew when it changes.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { readYamlFile } from "../../harness/core/yamlFile.ts";
import { emptyFolder } from "../support/assay.ts";

test("a changed file is read anew, an unchanged one isn't parsed again", () => {
  const file = join(emptyFolder(), "one.yaml");
  writeFileSync(file, "name: first\n");
  const first = readYamlFile(file);
  expect(readYamlFile(file)).toBe(first);
  writeFileSync(file, "# more\nname: second\n");
  const second = readYamlFile(file);
  expect(second.value).toEqual({ name: "second" });
  expect([first.placeOf(["name"]).line, second.placeOf(["name"]).line]).toEqual([1, 2]);
});
