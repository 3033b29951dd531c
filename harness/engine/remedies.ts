// What a target file could add to have more requirements judged.
import type { RequirementId } from "../core/interface.ts";
import type { Check } from "../model/check.ts";
import type { Target } from "../targets/target.ts";
import { type Plan, unmetNeedsIn } from "./plan.ts";
import { unmetNeedsOfCheck } from "./unmetNeeds.ts";

export interface Remedy {
  /** What to write, e.g. `keys.free` or `allow: [throttle]`. */
  readonly add: string;
  /** How many more requirements are then tried on all that they are about. */
  readonly requirements: number;
  /** How long schedules take that it allows; left out where it allows none. */
  readonly seconds?: number;
}

/** Each counts what it alone would unlock; the most first. */
export function remediesOf(plan: Pick<Plan, "checks">, target: Target): readonly Remedy[] {
  const checksOf = new Map<string, Map<RequirementId, Check[]>>();
  for (const { id, check } of unmetNeedsIn(plan, target)) {
    const remedies = new Set(
      unmetNeedsOfCheck(check, target).map((need) => ("remedy" in need ? (need.remedy ?? null) : null)),
    );
    const [add] = remedies;
    if (remedies.size !== 1 || !add) continue;
    const ofRemedy = checksOf.get(add) ?? new Map<RequirementId, Check[]>();
    checksOf.set(add, ofRemedy.set(id, [...(ofRemedy.get(id) ?? []), check]));
  }
  return [...checksOf]
    .map(([add, byId]): Remedy => {
      const schedules = [...byId.values()].flat().flatMap(({ needs }) => needs.schedules ?? []);
      const lengths = new Map(schedules.map(({ name, seconds }) => [name, seconds]));
      const seconds = Math.ceil([...lengths.values()].reduce((sum, one) => sum + one, 0));
      return { add, requirements: byId.size, ...(seconds > 0 ? { seconds } : {}) };
    })
    .sort((a, b) => b.requirements - a.requirements);
}
