// A stamp of what generation reads, in plain JavaScript: the launcher asks before TypeScript can run.
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { areRegistriesThere, filesBelow, registriesOf } from "./registries.js";

/** What generation reads. */
const read = /\.(ya?ml|ts|js|json)$/;

/** Adds files to a hash, with their names below a folder. */
export function hashFiles(hash, folder, files) {
  for (const file of files) hash.update(file.slice(folder.length)).update("\0").update(readFileSync(file)).update("\0");
}

/** The schema of target files, which is written by hand but for the names that the specs have. */
export const targetSchemaBeside = (specsDir) => join(specsDir, "..", "targets", "target.schema.json");

/** A hash over every file that generation reads, and over what the other folders register. */
export function stampOf(specsDir) {
  const hash = createHash("sha256");
  hashFiles(hash, specsDir, [...filesBelow(specsDir, read), targetSchemaBeside(specsDir)]);
  for (const { registry, files } of registriesOf(specsDir)) hash.update([registry, ...files].join("\0"));
  return hash.digest("hex");
}

/** Whether the generated files were made from the files as they are now. */
export function isFresh(specsDir) {
  const stamp = join(specsDir, "generated", "stamp");
  return existsSync(stamp) && areRegistriesThere(specsDir) && readFileSync(stamp, "utf8") === stampOf(specsDir);
}
