// Counts in sorted numbers, by bisection

/** How many of rising numbers are at most so large. */
export function countUpTo(sorted: ArrayLike<number>, most: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}
