// Regular expressions: others write texts as long as they like, so none may take more than linear time.
import { analyse } from "scslre";
import { parse } from "yaml";
import type { TreeRule } from "./pass.ts";

/** Each letter of which many take long; what needs several letters is beyond this. @throws SyntaxError */
const lettersOf = (source: string, flags: string): readonly string[] =>
  analyse({ source, flags }).reports.map(({ character }) => JSON.stringify(character.pick));

/** Those of schemas, of JSON Schema or OpenAPI. */
function patternsIn(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value as { readonly [name: string]: unknown }).flatMap(([name, member]) => [
    ...(name === "pattern" && typeof member === "string" ? [member] : []),
    ...patternsIn(member),
  ]);
}

const isSchema = /^specs\/.*\.yaml$|\.schema\.json$/;

/** Tests read what we wrote. What is built from parts at run time isn't seen. */
export const linearExpressions: TreeRule = {
  holds: "no regular expression, nor pattern of a schema, takes more than linear time",
  begin: (emit) => {
    const check = (place: string, source: string, flags: string): void => {
      const letters = new Set(lettersOf(source, flags));
      if (letters.size > 0) emit(`${place}: /${source}/${flags} takes long on many ${[...letters].join(" or ")}`);
    };
    return {
      file: ({ path, text }) => {
        if (path.startsWith("tests/") || !isSchema.test(path) || !text.includes("pattern")) return;
        for (const pattern of new Set(patternsIn(parse(text)))) check(path, pattern, "u");
      },
      nodes: ({ path, text }) => ({
        Literal: (node) => {
          if (path.startsWith("tests/") || !("regex" in node)) return;
          const line = text.slice(0, node.start).split("\n").length;
          check(`${path}:${line}`, node.regex.pattern, node.regex.flags);
        },
      }),
    };
  },
};
