// The version of Assay, the URL of its package, and its name on the command line: package.json alone says them.
import { readFileSync } from "node:fs";

const own = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  readonly name: string;
  readonly version: string;
  readonly bin: { readonly [name: string]: string };
};
export const { version } = own;
/** A purl without a version. */
export const packageUrl = `pkg:npm/${own.name.replace("@", "%40")}`;
export const [name = "assay"] = Object.keys(own.bin);

/** OWNER is the owner of a copy of the repository, whose releases push it. */
export const imageAddress = `ghcr.io/OWNER/assay:${version}`;
