// Schemas of files that people and programs keep, from the project's own folders.
import { readFileSync } from "node:fs";
import type { FileSchema } from "../harness/core/schema.ts";

/** @param file from the root of the project */
export const readSchema = (file: string): FileSchema =>
  JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), "utf8")) as FileSchema;
