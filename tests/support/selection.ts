// The self-tests that `npm test -- <file or title>` selects.

/**
 * Playwright's arguments: files, where each word is part of a path (`reports/page`, `page.spec.ts:35`), else the words
 * of a title.
 * Flags are passed on as they are.
 * @param files paths of all test files
 */
export function argumentsFor(words: readonly string[], files: readonly string[]): readonly string[] {
  const flags = words.filter((word) => word.startsWith("-"));
  const names = words.filter((word) => !flags.includes(word));
  const named = names.map((name) => {
    const [, part = "", line = ""] = /^(.*?)(:\d+)?$/.exec(name) ?? [];
    return files.filter((file) => file.includes(part)).map((file) => `${file}${line}`);
  });
  if (named.every((some) => some.length > 0)) return [...flags, ...new Set(named.flat())];
  return [...flags, "--grep", names.join(" ").replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")];
}
