// The version of Assay.
import { readFileSync } from "node:fs";

const { version: own } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  version: string;
};
export const version = own;
