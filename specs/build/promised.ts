// Which interface do the specs describe, and in which edition?
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readYaml, specsDir } from "./load.ts";
import { filesBelow } from "./registries.js";

/** Control is no part of the interface. */
const isPromised = (file: string): boolean => file !== join(specsDir, "control.yaml");

/** What names it, as TypeScript. */
export function promisedFile(): string {
  const { info } = readYaml("openapi.yaml") as { readonly info: { readonly title: string; readonly version: string } };
  const hash = createHash("sha256");
  for (const file of filesBelow(specsDir, /\.yaml$/).filter(isPromised))
    hash.update(file.slice(specsDir.length)).update("\0").update(readFileSync(file)).update("\0");
  return `
/** Which interface is judged, and by which reading of it. */
export interface Promised {
  readonly name: string;
  readonly version: string;
  /** Of all that the specs say, sentences and open points included: changes with each word. */
  readonly digest: string;
}

export const promised: Promised = ${JSON.stringify({ name: info.title, version: info.version, digest: hash.digest("hex").slice(0, 16) }, null, 1)};
`;
}
