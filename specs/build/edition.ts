// The edition of the interface: name, version, and a digest that changes with each word of the specs.
import { createHash } from "node:crypto";
import { join } from "node:path";
import { readYaml, specsDir } from "./load.ts";
import { filesBelow } from "./registries.js";
import { hashFiles } from "./stamp.js";
import { literal } from "./typescript.ts";

/** Control is no part of the interface. */
const isOfInterface = (file: string): boolean => file !== join(specsDir, "control.yaml");

export function editionFile(): string {
  const { info } = readYaml("openapi.yaml") as { readonly info: { readonly title: string; readonly version: string } };
  const hash = createHash("sha256");
  hashFiles(hash, specsDir, filesBelow(specsDir, /\.yaml$/).filter(isOfInterface));
  const edition = { name: info.title, version: info.version, digest: hash.digest("hex").slice(0, 16) };
  return `
/** Which interface is judged, and by which reading of it. */
export const edition = ${literal(edition)};
`;
}
