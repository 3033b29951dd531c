// Have the specs, or the files that register something, changed since the last generation? Plain JavaScript: the launcher asks before TypeScript can run.
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { filesBelow, kinds, registriesOf } from "./registries.js";

/** What generation reads. */
const read = /\.(ya?ml|ts|js|json)$/;

/**
 * @param {string} specsDir
 * @returns {string} a hash over every file that generation reads, and over what the other folders register
 */
export function stampOf(specsDir) {
  const hash = createHash("sha256");
  for (const file of filesBelow(specsDir, read))
    hash.update(file.slice(specsDir.length)).update("\0").update(readFileSync(file)).update("\0");
  for (const { registry, files } of registriesOf(specsDir)) hash.update([registry, ...files].join("\0"));
  return hash.digest("hex");
}

/**
 * @param {string} specsDir
 * @returns {boolean} whether what is generated was made from the files as they are now
 */
export function isFresh(specsDir) {
  const stamp = join(specsDir, "generated", "stamp");
  const isThere = ({ of, registry }) => existsSync(join(specsDir, "..", of, "generated", `${registry}.ts`));
  return existsSync(stamp) && kinds.every(isThere) && readFileSync(stamp, "utf8") === stampOf(specsDir);
}
