// Exported names: each means one thing in the product, so that a search for it finds that thing alone.
import { join } from "node:path";
import type { Declaration } from "oxc-parser";
import { registriesOf } from "../../specs/build/registries.js";
import { root } from "../support/assay.ts";
import { folderOf, isInRoom } from "./imports.ts";
import type { TreeRule } from "./pass.ts";

const apart = ["tests", "bench", "docs"];
/** What k6 calls in each script. */
const calledByK6 = ["options", "setup"];

function namesOf(declaration: Declaration): readonly string[] {
  if (declaration.type === "VariableDeclaration")
    return declaration.declarations.flatMap(({ id }) => (id.type === "Identifier" ? [id.name] : []));
  return "id" in declaration && declaration.id?.type === "Identifier" ? [declaration.id.name] : [];
}

export const exportedNames: TreeRule = {
  holds: "no two files of the product export the same name, but for what a registry collects from many",
  begin: (emit) => {
    const collected = registriesOf(join(root, "specs")).map(({ exported }) => exported);
    const filesOf = new Map<string, Set<string>>();
    return {
      nodes: ({ path }) => {
        if (!isInRoom(path) || apart.includes(folderOf(path)) || path.includes("/generated/")) return {};
        return {
          ExportNamedDeclaration: ({ declaration }) => {
            for (const name of declaration ? namesOf(declaration) : [])
              filesOf.set(name, (filesOf.get(name) ?? new Set<string>()).add(path));
          },
        };
      },
      end: () => {
        for (const [name, files] of filesOf)
          if (files.size > 1 && ![...collected, ...calledByK6].includes(name))
            emit(`${name} is exported by ${[...files].join(", ")}`);
      },
    };
  },
};
