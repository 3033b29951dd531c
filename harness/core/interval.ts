// Confidence intervals of observed shares
const z = 1.96;

/** Wilson's interval of 95 % for a share of which `some` of `all` were seen. */
export function intervalOf(successes: number, all: number): readonly [least: number, most: number] {
  if (all === 0) return [0, 1];
  const share = successes / all;
  const middle = share + z ** 2 / (2 * all);
  const spread = z * Math.sqrt((share * (1 - share)) / all + z ** 2 / (4 * all ** 2));
  const [least, most] = [middle - spread, middle + spread].map((one) => one / (1 + z ** 2 / all));
  return [Math.max(0, least ?? 0), Math.min(1, most ?? 1)];
}
