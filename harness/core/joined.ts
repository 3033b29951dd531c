// Findings on one id joined into one

/** One for each id, in the order in which ids are first seen. @param join takes them in their order */
export function joinedById<One extends { readonly id: string }>(
  all: readonly One[],
  join: (own: One, other: One) => One,
): readonly One[] {
  const joined = new Map<string, One>();
  for (const item of all) {
    const own = joined.get(item.id);
    joined.set(item.id, own ? join(own, item) : item);
  }
  return [...joined.values()];
}
