// Work on one item after the other, where requests must not overlap.

/** What `then` makes of each item, which begins once the item before it is done. */
export async function inTurn<One, Other>(
  all: Iterable<One>,
  then: (item: One, nth: number) => Promise<Other>,
): Promise<readonly Other[]> {
  const others: Other[] = [];
  for (const item of all) others.push(await then(item, others.length));
  return others;
}
