// Sampling: reproducible by seed and number, or the first few of each name

/** A number from 0 up to 1 (mulberry32). */
export function chanceOf(seed: number, nth: number): number {
  let state = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) + Math.imul(nth, 0x6d2b79f5)) | 0;
  state = Math.imul(state ^ (state >>> 15), state | 1);
  state ^= state + Math.imul(state ^ (state >>> 7), state | 61);
  return ((state ^ (state >>> 14)) >>> 0) / 2 ** 32;
}

/** Lets pass what bears a name that has passed less than `most` times. */
export function firstOfEach(most: number): (names: readonly string[]) => boolean {
  const passed = new Map<string, number>();
  return (names) => {
    const wanted = names.filter((name) => (passed.get(name) ?? 0) < most);
    for (const name of wanted) passed.set(name, (passed.get(name) ?? 0) + 1);
    return wanted.length > 0;
  };
}
