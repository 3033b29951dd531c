// Confidence intervals of observed shares
const z95 = 1.96;

/** Wilson's interval for a share of which so many of `all` were seen. @param z of 95 %, unless given */
export function intervalOf(successes: number, all: number, z = z95): readonly [least: number, most: number] {
  if (all === 0) return [0, 1];
  const share = successes / all;
  const middle = share + z ** 2 / (2 * all);
  const spread = z * Math.sqrt((share * (1 - share)) / all + z ** 2 / (4 * all ** 2));
  const [least, most] = [middle - spread, middle + spread].map((one) => one / (1 + z ** 2 / all));
  return [Math.max(0, least ?? 0), Math.min(1, most ?? 1)];
}
