// Words of a platform within our sentences: on one line, cut, and compared without what differs each time.

/** Error texts give the reason at their beginning; a whole one would push the rest of a line out of sight. */
const longest_chars = 120;

/**
 * A platform's words in quotation marks; other signs that steer a terminal or a page are the views' to escape.
 * @param words without keys: of a key that is cut here nobody could hide the rest
 */
export function quoted(words: string): string {
  const line = words.replaceAll(/\s+/g, " ").trim();
  if (line.length <= longest_chars) return JSON.stringify(line);
  return JSON.stringify(`${line.slice(0, longest_chars).replace(/[\ud800-\udbff]$/, "")}…`);
}

/** A reason without the figures and ids in its quotations: reasons that differ in nothing else are one. */
export const withoutFigures = (reason: string): string =>
  reason.replaceAll(/"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)/gs, (quotation) =>
    quotation.replaceAll(/[^\s"]+/g, (word) => (/\d/.test(word) ? "#" : word)),
  );

/** The first of each kind of reasons. */
export function unlike(reasons: readonly string[]): readonly string[] {
  const kinds = reasons.map(withoutFigures);
  return reasons.filter((_, nth) => kinds.indexOf(kinds[nth] ?? "") === nth);
}
