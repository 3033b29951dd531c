// The self-tests that `npm test -- <file or title>` selects, told from their texts: Playwright takes long to load them.

export interface SpecFile {
  readonly path: string;
  readonly text: string;
}

/** What Playwright is given, or the words that are in no path and no title. */
export type Selection = { readonly args: readonly string[] } | { readonly unmatched: readonly string[] };

const titled = /\btest(?:\.describe)?\(\s*(?:"((?:\\.|[^"\\])*)"|`((?:\\.|[^`\\])*)`)/g;

/** The texts of titles, without what is filled in when tests are loaded. */
const fixedTitles = ({ text }: SpecFile): readonly string[] =>
  [...text.matchAll(titled)]
    .flatMap(([, whole, template = ""]) => (whole === undefined ? template.split(/\$\{.*?\}/s) : [whole]))
    .map((title) => title.replaceAll(/\\(.)/g, "$1").toLowerCase());

/**
 * Files, where each word is part of a path (`reports/page`, `page.spec.ts:35`), else the words of a title, in any case.
 * Flags are passed on as they are.
 * @param mayBeFilledIn whether a title may have it, of what is filled in: false for what stands nowhere in the tree
 */
export function selectionOf(
  words: readonly string[],
  files: readonly SpecFile[],
  mayBeFilledIn: (part: string) => boolean,
): Selection {
  const flags = words.filter((word) => word.startsWith("-"));
  const names = words.filter((word) => !word.startsWith("-"));
  const named = names.map((name) => {
    const [, part = "", line = ""] = /^(.*?)(:\d+)?$/.exec(name) ?? [];
    return files.filter(({ path }) => path.includes(part)).map(({ path }) => `${path}${line}`);
  });
  if (named.every((paths) => paths.length > 0)) return { args: [...flags, ...new Set(named.flat())] };
  const titles = files.flatMap(fixedTitles);
  const isInTitle = (text: string): boolean => titles.some((title) => title.includes(text.toLowerCase()));
  const phrase = names.join(" ");
  const isUnknown = (name: string): boolean =>
    !isInTitle(name) && !name.split(/[^\p{L}\p{N}]+/u).every((part) => mayBeFilledIn(part));
  const unmatched = isInTitle(phrase) ? [] : names.filter((name, at) => named[at]?.length === 0 && isUnknown(name));
  if (unmatched.length > 0) return { unmatched };
  return { args: [...flags, "--grep", phrase.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")] };
}
