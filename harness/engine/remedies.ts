// What a target file could add to have more requirements judged.
import type { RequirementId } from "../core/interface.ts";
import { canonical } from "../core/json.ts";
import type { Addition } from "../core/reason.ts";
import type { Check } from "../model/check.ts";
import type { Target } from "../targets/target.ts";
import { type Plan, unmetNeedsIn } from "./plan.ts";
import { unmetNeedsOfCheck } from "./unmetNeeds.ts";

export interface Remedy {
  /** YAML to paste, with where it belongs, e.g. `allow: [throttle]`. */
  readonly add: string;
  /** How many requirements are then tried, or on more of what they are about. */
  readonly requirements: number;
  /** How long schedules take that it allows; left out where it allows none. */
  readonly seconds?: number;
}

/** What to add as data, in the place of the text. */
export interface Proposal extends Omit<Remedy, "add"> {
  readonly add: readonly Addition[];
}

/** Each counts what it alone would unlock; the most first. */
export function proposalsFor(plan: Pick<Plan, "checks">, target: Target): readonly Proposal[] {
  const additions = new Map<string, readonly Addition[]>();
  const checksOf = new Map<string, Map<RequirementId, Check[]>>();
  for (const { id, check } of unmetNeedsIn(plan, target)) {
    const remedies = new Map(
      unmetNeedsOfCheck(check, target).map((need) => {
        const remedy = "remedy" in need ? (need.remedy ?? null) : null;
        return [canonical(remedy), remedy];
      }),
    );
    const [[add, remedy] = ["", null]] = remedies;
    if (remedies.size !== 1 || !remedy) continue;
    additions.set(add, remedy);
    const ofRemedy = checksOf.get(add) ?? new Map<RequirementId, Check[]>();
    checksOf.set(add, ofRemedy.set(id, [...(ofRemedy.get(id) ?? []), check]));
  }
  return [...checksOf]
    .map(([name, byId]): Proposal => {
      const add = additions.get(name) ?? [];
      const schedules = [...byId.values()].flat().flatMap(({ needs }) => needs.schedules ?? []);
      const lengths = new Map(schedules.map(({ name, seconds }) => [name, seconds]));
      const seconds = Math.ceil([...lengths.values()].reduce((sum, one) => sum + one, 0));
      return { add, requirements: byId.size, ...(seconds > 0 ? { seconds } : {}) };
    })
    .sort((a, b) => b.requirements - a.requirements);
}
