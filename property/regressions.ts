// Regressions: saved counterexamples, one file each in `examples/`, which are tried first
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Counterexample } from "../harness/core/generation.ts";
import { canonical, type Json } from "../harness/core/json.ts";
import { writeWhole } from "../harness/record/wholeFile.ts";

export const examples = fileURLToPath(new URL("./examples", import.meta.url));

export interface Regression {
  readonly property: string;
  /** The file's name without extension. */
  readonly file: string;
  readonly values: Json;
}

/** @throws Error for a file without a property or values */
export const regressionsIn = (folder: string): readonly Regression[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => {
      const read = JSON.parse(readFileSync(join(folder, name), "utf8")) as Partial<Regression>;
      if (typeof read.property !== "string" || typeof read.values !== "object" || read.values === null)
        throw new Error(`${name} names no property, or no values`);
      return { property: read.property, file: name.replace(/\.json$/, ""), values: read.values };
    });

/** Saves a counterexample; equal cases have equal file names. @returns the path of its file */
export function keep({ property, seed, path, values }: Counterexample, folder: string): string {
  const digest = createHash("sha256").update(canonical(values)).digest("hex").slice(0, 8);
  const file = join(folder, `${property}-${digest}.json`);
  writeWhole(file, `${JSON.stringify({ property, seed, path, values }, null, 2)}\n`);
  return file;
}
