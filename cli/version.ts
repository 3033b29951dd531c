// The version of Assay, and its name on the command line: `bin` in package.json is the one place that has it.
import { readFileSync } from "node:fs";

const own = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  readonly version: string;
  readonly bin: { readonly [name: string]: string };
};
export const { version } = own;
export const [name = "assay"] = Object.keys(own.bin);
