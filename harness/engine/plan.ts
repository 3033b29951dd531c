// Which checks can be tried on this target, and why not the others?
import type { RequirementId } from "../../specs/generated/requirements.ts";
import { type Generation, type Scale, usualGeneration } from "../core/generation.ts";
import { askersOf, givensIn, nameOf, type Stimulus } from "../core/stimulus.ts";
import { givenAt, spoken } from "../core/template.ts";
import { type Check, citedBy, type PlannedSchedule, type Sends } from "../model/check.ts";
import { costOf, priceOf } from "../target/budget.ts";
import { keyOf, type Target } from "../target/target.ts";
import { inOrder } from "./order.ts";

export interface PlannedCheck {
  readonly check: Check;
  /** Null where it can be tried. */
  readonly lacks: string | null;
}

export interface Plan {
  readonly checks: readonly PlannedCheck[];
  /** Requirements with at least one check that can be tried. */
  readonly tried: readonly RequirementId[];
  readonly requests: number;
  /** Known credits that the plan spends. */
  readonly credits: number;
  /** Calls whose price the interface doesn't show. */
  readonly unpriced: number;
  /** Bundles that may be sent, and how many times the target's tip they pay if all are taken. */
  readonly sends: Pick<Sends, "bundles" | "tips">;
}

/** Why a stimulus can't be sent to a target; null where it can. */
export function lackToAsk(stimulus: Stimulus, target: Target): string | null {
  if (!target.bases[stimulus.api]) return `the target names no base for ${stimulus.api}`;
  for (const asker of askersOf(stimulus)) {
    const key = keyOf(target, asker);
    if (!key) return `the target has no key \`${asker === "owner" ? "paid" : asker}\``;
    const needsId = stimulus.path.some(
      (part) => typeof part === "object" && "projectOf" in part && part.projectOf === asker,
    );
    if (needsId && !key.project.id) return `the target gives no id for the project \`${key.projectName}\``;
  }
  for (const pointer of givensIn(stimulus))
    if (givenAt(target, pointer) === undefined) return `the target gives no \`${spoken(pointer)}\``;
  return null;
}

/** Why a check can't be tried on a target; null where it can. */
export function lackOf(check: Check, target: Target, withoutSchedules: string | null = null): string | null {
  const { requests, consent, control, unless, generates, schedules } = check.needs;
  for (const stimulus of [...requests, ...(generates?.each ?? [])]) {
    const lack = lackToAsk(stimulus, target);
    if (lack !== null) return lack;
  }
  if (control && !target.control) return "no control over the platform";
  if (consent && !target.allow.includes(consent)) return `the target doesn't allow \`${consent}\``;
  const reason = unless?.(target) ?? null;
  return reason === null && schedules ? withoutSchedules : reason;
}

/** What is sent for other reasons than checks, and spent as well. */
export interface Besides {
  readonly stimuli: readonly Stimulus[];
  readonly sends: readonly Sends[];
  readonly schedules?: readonly PlannedSchedule[];
  /** Why nothing can be sent at set times. */
  readonly withoutSchedules?: string | null;
  /** Of cases; as is usual for the target where it is left out. */
  readonly generation?: Generation;
}

const noBundles = { bundles: 0, tips: 0 };

/** All together; what is shared is sent once. */
function totalOf(all: readonly Sends[]): Plan["sends"] {
  const shared = new Map(all.flatMap(({ shared: some = [] }) => some.map((one) => [one.name, one] as const)));
  return [...all, ...shared.values()].reduce(
    (total, { bundles, tips }) => ({ bundles: total.bundles + bundles, tips: total.tips + tips }),
    noBundles,
  );
}

/** What the cases of a property ask at most where all hold: a case that fails is made smaller as far as the budget goes. */
export const generatedBy = ({ generates }: Check["needs"], scale: Scale): readonly Stimulus[] =>
  generates ? Array.from({ length: generates.cases[scale] }, () => generates.each).flat() : [];

/**
 * Checks of parts that aren't offered are out of scope, all but one property where a case of it is replayed; `only` keeps those that cite one of its ids, and looks.
 */
export function planFor(
  target: Target,
  checks: readonly Check[],
  only: readonly RequirementId[] | null,
  besides: Besides = { stimuli: [], sends: [] },
): Plan {
  const isWanted = (ids: readonly RequirementId[]): boolean =>
    !only || ids.length === 0 || ids.some((id) => only.includes(id));
  const { scale, replay } = besides.generation ?? usualGeneration(target);
  const asked = replay ? checks.filter(({ needs }) => needs.generates?.property === replay.property) : checks;
  const inScope = asked.filter((check) => target.offers.includes(check.feature) && isWanted(citedBy(check)));
  const all = inOrder(target, inScope).map((check) => ({
    check,
    lacks: lackOf(check, target, besides.withoutSchedules ?? null),
  }));
  // What only adds to a proof is left out, but where there is no other its lack is the requirement's.
  const carried = new Set(all.flatMap(({ check, lacks }) => (check.optional && lacks !== null ? [] : citedBy(check))));
  const planned = all.filter(
    ({ check, lacks }) => !check.optional || lacks === null || citedBy(check).some((id) => !carried.has(id)),
  );
  const possible = planned.filter(({ lacks }) => lacks === null).map(({ check }) => check);
  const stimuli = new Map(
    [...possible.flatMap(({ needs }) => needs.requests), ...besides.stimuli].map((stimulus) => [
      nameOf(stimulus),
      stimulus,
    ]),
  );
  const schedules = new Map(
    [...possible.flatMap(({ needs }) => needs.schedules ?? []), ...(besides.schedules ?? [])].map(
      (one) => [one.name, one] as const,
    ),
  );
  const inSchedules = [...schedules.values()].flatMap(({ calls }) =>
    calls.map((operation) => priceOf(target, operation)),
  );
  const reads = possible.reduce((total, { needs }) => total + (needs.control?.reads ?? 0), 0);
  const sends = totalOf([...besides.sends, ...possible.flatMap(({ needs }) => needs.sends ?? [])]);
  const generated = possible.flatMap(({ needs }) => generatedBy(needs, scale));
  const prices = [...[...stimuli.values(), ...generated].map((stimulus) => costOf(target, stimulus)), ...inSchedules];
  return {
    checks: planned,
    tried: [...new Set(possible.flatMap(citedBy))].filter((id) => !only || only.includes(id)),
    requests: prices.length + reads + sends.bundles,
    credits:
      prices.reduce<number>((total, price) => total + (price ?? 0), 0) +
      sends.bundles * (priceOf(target, "sendBundle") ?? 0),
    unpriced:
      prices.filter((price) => price === null).length +
      reads +
      (priceOf(target, "sendBundle") === null ? sends.bundles : 0),
    sends,
  };
}
