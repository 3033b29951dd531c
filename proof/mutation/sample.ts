// A seeded sample of edits, and the interval that holds the score of all
import { createHash } from "node:crypto";
import type { AreaEdit } from "./areas.ts";

export const seed = 20;

const placeOf = ({ key }: AreaEdit): string => createHash("sha256").update(`${seed} ${key}`).digest("hex");

/** The edits of an area in an order that only the seed decides: any first part of it is a sample. */
export const shuffled = (edits: readonly AreaEdit[]): readonly AreaEdit[] =>
  edits
    .map((edit) => [placeOf(edit), edit] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, edit]) => edit);

const z = 1.96;

/** Wilson's interval of 95 % for a share of which `some` of `all` were seen. */
export function intervalOf(some: number, all: number): readonly [least: number, most: number] {
  if (all === 0) return [0, 1];
  const share = some / all;
  const middle = share + z ** 2 / (2 * all);
  const spread = z * Math.sqrt((share * (1 - share)) / all + z ** 2 / (4 * all ** 2));
  const [least, most] = [middle - spread, middle + spread].map((one) => one / (1 + z ** 2 / all));
  return [Math.max(0, least ?? 0), Math.min(1, most ?? 1)];
}
