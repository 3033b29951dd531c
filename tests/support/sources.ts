// The project's own files, without what is installed, generated or written by runs.
import { readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { root } from "./assay.ts";

const notOurs = ["node_modules", "runs", "test-results", "playwright-report", "dist", ".git", ".tools"];

/** Paths below a folder, relative to `base`, in the order of their names; fixtures and third parties' schemas apart. */
export function filesBelow(folder: string, wanted: RegExp, base = root): string[] {
  return readdirSync(join(base, folder), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory())
        return notOurs.includes(entry.name) || path === "tests/fixtures" ? [] : filesBelow(path, wanted, base);
      return wanted.test(entry.name) ? [relative(".", path).replaceAll(sep, "/")] : [];
    });
}

/** TypeScript and the few launchers in JavaScript; declarations and bundled validators are no sources. */
export const source = /(?<!\.d)\.tsx?$|^(?!.*[vV]alidators?\.js$).*\.js$/;
