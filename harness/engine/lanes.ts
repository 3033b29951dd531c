// What may run side by side? Each surface has a pace of its own, so that one needn't wait for another.
import { operations, type Part } from "../../specs/generated/operations.ts";

const surfaceOf: ReadonlyMap<string, string> = new Map(operations.map(({ part, surface }) => [part, surface]));

/** What asks the same surface first keeps its order. */
export function bySurface<T>(planned: readonly T[], partsOf: (one: T) => readonly Part[]): readonly (readonly T[])[] {
  const groups = new Map<string, T[]>();
  for (const one of planned) {
    const [first = ""] = partsOf(one);
    // Bundles have a limit of their own (§8), which is the slowest of all.
    const surface = first === "bundles" ? first : (surfaceOf.get(first) ?? first);
    groups.set(surface, [...(groups.get(surface) ?? []), one]);
  }
  return [...groups.values()];
}
