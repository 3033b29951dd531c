// Width: the formatter breaks code at its width, but neither texts nor comments.
import { source } from "../support/sources.ts";
import type { TreeRule } from "./pass.ts";

const width = 120;

export const lineWidth: TreeRule = {
  holds: `no line of code is wider than ${width} columns`,
  begin: (emit) => ({
    file: ({ path, text }) => {
      if (!source.test(path) || path.includes("/generated/")) return;
      for (const [at, { length }] of text.split("\n").entries())
        if (length > width) emit(`${path}:${at + 1} has ${length} columns`);
    },
  }),
};
