// What commands have found, for programs: each form has a number, and a schema in reports/ that their help names.
import type { Invocation } from "./invocation.ts";
import { version } from "./version.ts";

/** @param schema its name in reports/ */
export const jsonOption = (schema: string, what = "JSON") =>
  ["--json", `print ${what} (reports/${schema}.schema.json)`] as const;

/** @param found with a number of its own, unless its form is the first */
export const textForPrograms = (found: object, indent = 2): string =>
  JSON.stringify({ format: 1, version, ...found }, null, indent);

/** @param indent none where it has to stay one line */
export const printForPrograms = ({ printJson }: Pick<Invocation, "printJson">, found: object, indent = 2): void =>
  printJson(textForPrograms(found, indent));
