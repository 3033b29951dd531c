// Folders: which imports from which.
import { folderOf, importListener, importSentence } from "./imports.ts";
import type { TreeRule } from "./pass.ts";

/** What each folder may import, apart from itself and packages. */
export const folders: { readonly [folder: string]: readonly string[] } = {
  specs: [],
  harness: [],
  contracts: ["harness", "specs"],
  property: ["contracts", "harness", "specs"],
  load: ["contracts", "harness", "specs"],
  reference: ["specs"],
  reports: ["harness", "panel", "published"],
  proxy: ["harness"],
  panel: ["contracts", "harness"],
  published: ["harness"],
  custom: ["harness"],
  package: ["cli", "custom", "harness", "load", "reports", "specs"],
  proof: ["contracts", "harness", "load", "property", "reference", "specs"],
  cli: [
    "contracts",
    "custom",
    "harness",
    "load",
    "panel",
    "property",
    "proof",
    "proxy",
    "published",
    "reference",
    "reports",
    "specs",
  ],
  bench: ["cli", "contracts", "harness", "load", "proof", "proxy", "reference", "reports", "specs"],
  docs: ["bench", "cli", "harness"],
  tests: [
    "bench",
    "cli",
    "contracts",
    "custom",
    "docs",
    "harness",
    "load",
    "package",
    "panel",
    "proof",
    "property",
    "proxy",
    "published",
    "reference",
    "reports",
    "specs",
  ],
};

export const folderImports: TreeRule = {
  holds: "a folder imports only from those that its table names",
  begin: (emit) => ({
    nodes: importListener((found) => {
      const [from, to] = [folderOf(found.file), folderOf(found.target)];
      if (from !== to && !folders[from]?.includes(to)) emit(importSentence(found));
    }),
  }),
};
