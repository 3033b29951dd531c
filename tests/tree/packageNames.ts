// Names of the package: texts call it as package.json does, and none gets a package that is called `assay` alone.
import { linesOfBareName, withPackageName } from "../../docs/packageName.ts";
import type { TreeRule } from "./pass.ts";

/** It says what happened; a lock is npm's; rewriting needs the forms themselves. */
const exempt = ["CHANGELOG.md", "package-lock.json", "docs/packageName.ts"];

export const packageNames: TreeRule = {
  holds: "texts name the package and its version as package.json does, and none tells to get a bare `assay`",
  begin: (emit) => ({
    file: ({ path, text }) => {
      if (exempt.includes(path)) return;
      const named = withPackageName(text).split("\n");
      for (const [at, line] of text.split("\n").entries())
        if (line !== named[at])
          emit(`${path}:${at + 1} doesn't name the package as package.json does: run npm run docs`);
      for (const line of linesOfBareName(text))
        emit(`${path}:${line} gets a package called assay alone, which anybody may publish`);
    },
  }),
};
