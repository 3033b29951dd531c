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
