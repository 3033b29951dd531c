// The glossary: few nouns, each once, in alphabetical order, on one line, and a word of the code.
import { isCode, type TreeRule } from "./pass.ts";

const page = "docs/GLOSSARY.md";
/** Below it are the entries. */
const heading = 4;
const longest = 150;
const most = 70;

/** The noun in a sentence, or as a part of an identifier: `health check`, `healthCheck`. */
const patternOf = (noun: string): RegExp => new RegExp(noun.replaceAll(/[ -]/g, "[ -]?"), "i");

export const glossary: TreeRule = {
  holds: `the glossary has at most ${most} nouns of the code, once each, in order, on lines of ${longest} characters`,
  begin: (emit) => {
    const unused = new Map<string, RegExp>();
    const sources: string[] = [];
    return {
      file: ({ path, text }) => {
        if (isCode.test(path)) sources.push(text);
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
          if (noun !== undefined) unused.set(noun, patternOf(noun));
          last = noun ?? last;
        }
        if (unused.size > most) emit(`${page} has ${unused.size} entries`);
      },
      end: () => {
        for (const [noun, pattern] of unused)
          if (!sources.some((text) => pattern.test(text))) emit(`${page} has ${noun}, which no code uses`);
      },
    };
  },
};
