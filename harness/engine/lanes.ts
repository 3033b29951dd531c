// What may run side by side? Each surface has a pace of its own, so that one needn't wait for another.
import { type Feature, operations } from "../../specs/generated/operations.ts";

const apiOf: ReadonlyMap<string, string> = new Map(operations.map(({ feature, api }) => [feature, api]));

/** What asks the same surface first keeps its order. */
export function byApi<T>(planned: readonly T[], featuresOf: (one: T) => readonly Feature[]): readonly (readonly T[])[] {
  const groups = new Map<string, T[]>();
  for (const one of planned) {
    const [first = ""] = featuresOf(one);
    // Bundles have a limit of their own (§8), which is the slowest of all.
    const api = first === "bundles" ? first : (apiOf.get(first) ?? first);
    groups.set(api, [...(groups.get(api) ?? []), one]);
  }
  return [...groups.values()];
}
