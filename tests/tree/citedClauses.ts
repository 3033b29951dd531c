// Clauses that code and documents cite: each is one of the interface's, with an anchor in docs/INTERFACE.md.
import { anchorsIn, readInterface, unresolvedIn } from "../../specs/build/clauses.ts";
import type { TreeRule } from "./pass.ts";

/** Sections of other texts: whose they are stands before them. */
const foreign = /(?:RFC \d+|JSON-RPC 2\.0|CommonMark|GFM|SARIF|register,?) §[\d.]+(?:(?:, | and )§[\d.]+)*/g;
const cited = /§\d+(?:\.\d+)*(?: rule \d+)?(?: (?:get|send|simulate)[A-Z]\w+)?/g;

const isJudged = (path: string): boolean =>
  /\.(?:tsx?|js|md|ya?ml)$/.test(path) &&
  !/(?:^|\/)(?:generated|templates|docs|\.[^/]*)\/|^tests\/specs\/clauses\.spec\.ts$/.test(path) &&
  // They still cite another text without its name.
  !/(?:figures\.spec\.ts|golden\/credits\.yaml)$/.test(path);

export const citedClauses: TreeRule = {
  holds: "each clause that code and documents cite resolves to an anchor",
  begin: (emit) => {
    const anchors = anchorsIn(readInterface());
    return {
      file: ({ path, text }) => {
        if (!isJudged(path)) return;
        for (const [clause] of text.replaceAll(foreign, "").matchAll(cited))
          if (unresolvedIn(clause, anchors).length > 0) emit(`${path}: ${clause}`);
      },
    };
  },
};
