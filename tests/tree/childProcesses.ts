// Child processes: the file that starts one says what it gets of the environment.
import { source } from "../support/sources.ts";
import type { TreeRule } from "./pass.ts";

/** What users don't run, and what runs before there is a list: generation and packing, in a clone. */
const notTheirs = /^(?:bench|docs|examples|specs|templates|tests)\/|^package\/prepare\.js$/;

/** The user's own command, and Assay as a program calls it: both get all that they are given. */
const theUsers = ["cli/childCommand.ts", "package/commands.ts"];

export const childProcesses: TreeRule = {
  holds: "each file that starts processes by itself takes an environment from harness/core/children.ts",
  begin: (emit) => ({
    file: ({ path, text }) => {
      if (!source.test(path) || notTheirs.test(path) || theUsers.includes(path)) return;
      if (/from "(?:(?:node:)?(?:child_process|cluster)|cross-spawn)"/.test(text) && !/\bchildEnvironment\(/.test(text))
        emit(`${path} starts processes with the whole environment`);
    },
  }),
};
