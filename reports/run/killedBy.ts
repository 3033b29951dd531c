// The kill matrix, as `assay mutants --json` prints it: which requirements find each mutant.
import { areaOf } from "../described.ts";
import { groupedBy } from "../lists.ts";

export interface KillMatrix {
  /** Requirements that the honest platform seems to break: false alarms. */
  readonly honest: readonly string[];
  readonly results: readonly Tried[];
  /** Mutants that the register names and the reference doesn't implement yet. */
  readonly pending: readonly string[];
}

/** One mutant, `CYC-PRES-01.omit-on-free`, or benign variant. */
export interface Tried {
  readonly id: string;
  readonly result: "killed" | "survived" | "misdeclared" | "silent" | "flagged";
  readonly broken: readonly string[];
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string");

/** Whether a file holds one; only members that the page shows are required. */
export function isKillMatrix(value: unknown): value is KillMatrix {
  if (typeof value !== "object" || value === null) return false;
  // An object; its members are tested one by one.
  const { honest, results, pending } = value as Partial<Record<keyof KillMatrix, unknown>>;
  return isTexts(honest) && isTexts(pending) && Array.isArray(results) && results.every(isTried);
}

function isTried(value: unknown): value is Tried {
  if (typeof value !== "object" || value === null) return false;
  const { id, result, broken } = value as Partial<Record<keyof Tried, unknown>>; // As above.
  return (
    typeof id === "string" &&
    isTexts(broken) &&
    ["killed", "survived", "misdeclared", "silent", "flagged"].some((one) => one === result)
  );
}

/** By requirement the mutants that break it. */
export function killedBy({ results }: KillMatrix): ReadonlyMap<string, readonly string[]> {
  const kills = results.flatMap(({ id, broken }) => broken.map((requirement) => ({ id, requirement })));
  const groups = [...groupedBy(kills, ({ requirement }) => requirement)];
  return new Map(groups.map(([requirement, some]) => [requirement, some.map(({ id }) => id)]));
}

/** How many mutants of one area break requirements of another, as a thousand cells can't be read. */
export function areasOfKills({ results }: KillMatrix) {
  const pairs = results.flatMap(({ id, broken }) =>
    [...new Set(broken.map(areaOf))].map((breaks) => ({ mutants: areaOf(id), breaks })),
  );
  const cells = groupedBy(pairs, ({ mutants, breaks }) => `${mutants} ${breaks}`);
  return {
    areas: [...new Set(pairs.flatMap(({ mutants, breaks }) => [mutants, breaks]))].sort(),
    cells: [...cells.values()].map((some) => ({ ...some[0], count: some.length })),
  };
}
