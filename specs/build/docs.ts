// `npm run docs`: the page of the interface, and the names that editors complete in target files.
import { readFileSync, writeFileSync } from "node:fs";
import { applyEdits, modify } from "jsonc-parser";
import { type CatalogueOperation, operationsOf } from "./catalogue.ts";
import { interfaceFile, interfacePage } from "./interface.ts";
import { specsDir } from "./load.ts";
import { targetSchemaBeside } from "./stamp.js";

const schemaFile = targetSchemaBeside(specsDir);

/** The schema of target files with the features to offer and the operations to load, as the specs have them. */
export function withNames(
  schema: string,
  operations: readonly Pick<CatalogueOperation, "id" | "feature" | "irreversible">[],
): string {
  const names = {
    feature: operations.map(({ feature }) => feature),
    read: operations.filter(({ irreversible }) => irreversible === undefined).map(({ id }) => id),
  };
  return Object.entries(names).reduce(
    (text, [kind, some]) => applyEdits(text, modify(text, ["$defs", kind, "enum"], [...new Set(some)], {})),
    schema,
  );
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(interfaceFile, interfacePage());
  writeFileSync(schemaFile, withNames(readFileSync(schemaFile, "utf8"), operationsOf()));
}
