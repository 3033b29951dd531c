// First lines: a comment that says what the file is.
import { source } from "../support/sources.ts";
import type { TreeRule } from "./pass.ts";

export const firstLine: TreeRule = {
  holds: "the first line of each source is a comment",
  begin: (emit) => ({
    file: ({ path, text }) => {
      // Below the line that names the interpreter.
      const begun = text.replace(/^#!.*\n/, "");
      if (source.test(path) && !path.includes("/generated/") && !/^\/[/*]/.test(begun))
        emit(`${path} doesn't begin with a comment`);
    },
  }),
};
