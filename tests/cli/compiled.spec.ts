// The launcher starts the sources as they are now: it compiles them again where they changed.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { copyOfProject, start } from "../support/assay.ts";

test("a changed source and a changed spec change what the launcher starts", { tag: "@slow" }, async () => {
  const folder = copyOfProject();
  const change = (file: string, from: string, to: string): void => {
    const text = readFileSync(join(folder, file), "utf8");
    expect(text).toContain(from);
    writeFileSync(join(folder, file), text.replace(from, to));
  };
  const printed = async (...args: readonly string[]) =>
    (await start(process.execPath, ["cli/assay.js", ...args], {}, folder).ended).stdout;
  expect(await printed("--help")).toContain("Tests whether");
  change("cli/main.ts", "Tests whether", "Finds out whether");
  expect(await printed("--help")).toContain("Finds out whether");
  const sentence = "creditsRemaining is present and a JSON number";
  expect(await printed("requirements", "--area", "USG")).toContain(sentence);
  change("specs/requirements/USG.yaml", sentence, "creditsRemaining is there");
  expect(await printed("requirements", "--area", "USG")).toContain("creditsRemaining is there");
});
