// Lists for readers: grouped, and cut to a length with the rest counted.

/** By key, in the order in which keys first occur. */
export function groupedBy<One>(
  all: Iterable<One>,
  keyOf: (one: One) => string,
): ReadonlyMap<string, readonly [One, ...One[]]> {
  const groups = new Map<string, [One, ...One[]]>();
  for (const one of all) {
    const group = groups.get(keyOf(one));
    if (group) group.push(one);
    else groups.set(keyOf(one), [one]);
  }
  return groups;
}

/** `a, b and c`. */
export const listedTogether = (names: readonly string[]): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

/** At most `most` lines, of which the last counts the rest where there are more. */
export function fewOf<One>(
  all: readonly One[],
  most: number,
): { readonly shown: readonly One[]; readonly rest: number } {
  const shown = all.slice(0, all.length > most ? most - 1 : most);
  return { shown, rest: all.length - shown.length };
}
