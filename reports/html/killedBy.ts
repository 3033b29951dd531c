import { areaOf } from "../described.ts";
// The kill matrix, as `assay mutants --json` prints it: which requirements find each mutant.

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
  const mutants = new Map<string, string[]>();
  for (const { id, broken } of results)
    for (const requirement of broken) mutants.set(requirement, [...(mutants.get(requirement) ?? []), id]);
  return mutants;
}

interface AreaCell {
  /** Area of the mutants. */
  readonly mutants: string;
  /** Area of requirements that they break. */
  readonly breaks: string;
  /** How many mutants. */
  readonly count: number;
}

/** The matrix by area, where a thousand cells can't be read. */
export function areasOfKills({ results }: KillMatrix): {
  readonly areas: readonly string[];
  readonly cells: readonly AreaCell[];
} {
  const cells = new Map<string, AreaCell>();
  for (const { id, broken } of results)
    for (const breaks of new Set(broken.map(areaOf))) {
      const cell = cells.get(`${areaOf(id)} ${breaks}`) ?? { mutants: areaOf(id), breaks, count: 0 };
      cells.set(`${cell.mutants} ${breaks}`, { ...cell, count: cell.count + 1 });
    }
  return {
    areas: [...new Set([...cells.values()].flatMap(({ mutants, breaks }) => [mutants, breaks]))].sort(),
    cells: [...cells.values()],
  };
}
