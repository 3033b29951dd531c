// The version of Assay, the URL of its package, and its name on the command line: package.json alone says them.
import { readFileSync } from "node:fs";

const own = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  readonly name: string;
  readonly version: string;
  /** What a release says of itself. */
  readonly repository?: { readonly url: string };
  readonly bin: { readonly [name: string]: string };
};
export const { version } = own;
/** A purl without a version. */
export const packageUrl = `pkg:npm/${own.name.replace("@", "%40")}`;
export const [name = "assay"] = Object.keys(own.bin);

const [, repository] = /github\.com\/([^/]+\/[^/.]+)/.exec(own.repository?.url ?? "") ?? [];
/** Where a release puts this version's image; OWNER where nobody released it. */
export const image = `ghcr.io/${repository?.toLowerCase() ?? "OWNER/assay"}:${version}`;
