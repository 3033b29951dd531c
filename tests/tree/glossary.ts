// The glossary: each noun once, in alphabetical order, on one line.
import type { TreeRule } from "./pass.ts";

const page = "docs/GLOSSARY.md";
/** Below it are the entries. */
const heading = 4;
const longest = 150;

export const glossary: TreeRule = {
  holds: `the glossary has each noun once, alphabetically, on a line of at most ${longest} characters`,
  begin: (emit) => ({
    file: ({ path, text }) => {
      if (path !== page) return;
      const lines = text.split("\n");
      if (lines.pop() !== "") emit(`${page} doesn't end with a line feed`);
      let last = "";
      for (const [at, line] of lines.entries()) {
        if (at < heading) continue;
        const [, noun] = line.match(/^- \*\*([^*]+)\*\*: \S.*\.$/) ?? [];
        const place = `${page}:${at + 1}`;
        if (noun === undefined) emit(`${place} isn't an entry: "${line}"`);
        else if (last.localeCompare(noun, "en", { sensitivity: "base" }) >= 0)
          emit(`${place} has ${noun} behind ${last}`);
        if (line.length > longest) emit(`${place} has ${line.length} characters`);
        last = noun ?? last;
      }
    },
  }),
};
