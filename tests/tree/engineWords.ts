// The engine's words: none of the interface that it judges.
import { dataPlatform } from "../../contracts/shared/interface.ts";
import { featuresOf } from "../../harness/core/interface.ts";
import type { TreeRule } from "./pass.ts";

const { requirements, unspecified, operations, errorTables, undocumentedRateCodes, carriers, roles } = dataPlatform;
const codes = [...Object.values(errorTables).flatMap((rows) => rows.flatMap(({ code }) => code ?? []))];

/** Neither these words, nor parts of longer ones; in any case. */
const words = [
  ...operations.map(({ id }) => id),
  ...[...requirements, ...unspecified].map(({ id }) => id),
  ...Object.values(carriers),
];
/** What the engine calls prices, texts and causes may be the name of a role, too. */
const ordinary: readonly string[] = ["paid", "free", "other"];
const roleNames = roles.map(({ name }) => name).filter((name) => !ordinary.includes(name));
const forbidden: readonly (readonly [what: string, pattern: RegExp])[] = [
  ["word", new RegExp(`(?<![\\w-])(?:${words.join("|")})(?![\\w-])`, "gi")],
  // With or without the sign, or separators.
  ["code", new RegExp(`(?<!\\d)(?:${[...codes, ...undocumentedRateCodes].map(Math.abs).join("|")})(?!\\d)`, "g")],
  // Features have the names of ordinary things: only whole strings count.
  ["feature", new RegExp(`(["'\`])(?:${featuresOf(dataPlatform).join("|")})\\1`, "g")],
  ["role", new RegExp(`(["'\`])(?:${roleNames.join("|")})\\1`, "g")],
  ["clause", /(?<!RFC \d+ )§\d/g],
  ["import", /from "[^"]*specs\/generated[^"]*"/g],
];

export const engineWords: TreeRule = {
  holds: "no file of the engine names anything of the interface",
  begin: (emit) => ({
    file: ({ path, text }) => {
      if (!/^harness\/.*\.ts$/.test(path)) return;
      const written = text.replaceAll(/(?<=\d)_(?=\d)/g, "");
      for (const [what, pattern] of forbidden)
        for (const [found] of written.matchAll(pattern)) emit(`${path}: ${what} ${found}`);
    },
  }),
};
