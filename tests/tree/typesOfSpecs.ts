// The reference's imports of specs: a table shared by both sides would hide one common error.
import { folderOf, importListener, importSentence } from "./imports.ts";
import type { TreeRule } from "./pass.ts";

/** Control's validator is no such table, and from the OpenRPC view nothing is judged. */
const harmless = ["specs/generated/controlValidator.js", "specs/generated/openrpc.ts"];

export const typesOfSpecs: TreeRule = {
  holds: "the reference takes only types from specs",
  begin: (emit) => ({
    nodes: importListener((found) => {
      const isTable = folderOf(found.target) === "specs" && !harmless.includes(found.target);
      if (folderOf(found.file) === "reference" && isTable && !found.isType) emit(importSentence(found));
    }),
  }),
};
