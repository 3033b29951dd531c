// Amendments, traps and sections of the register that the tree cites: each has an anchor in docs/READING.md.
import { read } from "../support/assay.ts";
import type { TreeRule } from "./pass.ts";

/** The anchors that a text cites: `amendment 4`, `amendments 4 and 7`, `T-12`, `register §1.3`, `register I5`. */
function anchorsCitedIn(text: string): readonly string[] {
  const all = (pattern: RegExp): readonly string[] => [...text.matchAll(pattern)].map(([, named = ""]) => named);
  const numbers = all(/\bamendments? (\d+(?:(?:, | and )\d+)*)/g).flatMap((some) => some.match(/\d+/g) ?? []);
  return [
    ...numbers.map((number) => `amendment-${number}`),
    ...all(/\bT-(\d\d)\b/g).map((number) => `t-${number}`),
    ...all(/\bregister,? §(\d(?:\.\d)?)/g).map((section) => `register-${section}`),
    ...all(/\bregister,? I(\d+)\b/g).map((number) => `i${number}`),
  ];
}

export const citedReadings: TreeRule = {
  holds: "each amendment, trap and section of the register that the tree cites is in docs/READING.md",
  begin: (emit) => {
    const anchors = new Set([...read("docs/READING.md").matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, id]) => id));
    return {
      file: ({ path, text }) => {
        // What is generated cites what its source does.
        if (/(?:^|\/)(?:generated|\.[^/]*)\//.test(path)) return;
        for (const name of anchorsCitedIn(text)) if (!anchors.has(name)) emit(`${path}: ${name}`);
      },
    };
  },
};
