// Seeded combinations of lawful choices and targets, and the smallest of one that is accused
import fc from "fast-check";
import type { RequirementId } from "../../harness/core/interface.ts";
import { members, type TargetMember } from "./members.ts";
import { findingsIn, judgedPlatform, lawfulTogether } from "./platforms.ts";
import { lawfulVariants } from "./variants.ts";

/** Of the file of its target: everything, one key and a project's id, or everything but some members. */
export type TargetKind = "full" | "bare" | "thinned";
export const targetKinds: readonly TargetKind[] = ["full", "bare", "thinned"];

/** A platform that differs in some choices, and how much its target gives. */
export interface Combination {
  /** Ids of lawful variants. */
  readonly variants: readonly string[];
  readonly target: TargetKind;
  readonly lacks: readonly TargetMember[];
  /** Whether probes run, too, which take most of the time. */
  readonly isObserved: boolean;
}

/** What a lawful platform was accused of, and what was verified of it. */
export interface CombinationOutcome {
  readonly findings: readonly string[];
  readonly held: readonly RequirementId[];
}

const variantOf = new Map(lawfulVariants.map((one) => [one.id, one]));

/** Judges a combination; what throws is a finding of ours. */
export async function judgeCombination({
  variants,
  target,
  lacks,
  isObserved,
}: Combination): Promise<CombinationOutcome> {
  const chosen = variants.flatMap((id) => variantOf.get(id) ?? []);
  try {
    const platform = lawfulTogether(variants.join(" + ") || "the honest platform", chosen);
    const observe = isObserved ? {} : { observe: [] };
    const outcome = await judgedPlatform(platform, { isBare: target === "bare", lacks, ...observe });
    return { findings: findingsIn(outcome), held: outcome.held };
  } catch (error) {
    return { findings: [`threw ${String(error)}`], held: [] };
  }
}

/** How many choices a platform takes, each in one way. */
interface Size {
  readonly fewest: number;
  readonly most: number;
}

const choices = ({ fewest, most }: Size) =>
  fc.uniqueArray(fc.constantFrom(...lawfulVariants), {
    minLength: fewest,
    maxLength: most,
    size: "max",
    selector: ({ choice }) => choice,
  });

const thinnings = fc.uniqueArray(fc.constantFrom(...members), { minLength: 1, maxLength: 6, size: "max" });

/** The first so many combinations of a seed. */
export const combinationsOf = (
  target: TargetKind,
  seed: number,
  count: number,
  size: Size = { fewest: 2, most: 6 },
): readonly Combination[] =>
  fc
    .sample(fc.tuple(choices(size), target === "thinned" ? thinnings : fc.constant([])), { seed, numRuns: count })
    .map(([some, lacks]) => ({ variants: some.map(({ id }) => id), target, lacks, isObserved: target === "bare" }));

/** Every choice by itself. */
export const alone = (target: TargetKind): readonly Combination[] =>
  lawfulVariants.map(({ id }) => ({ variants: [id], target, lacks: [], isObserved: false }));

export const isAccused = async (one: Combination): Promise<boolean> =>
  (await judgeCombination(one)).findings.length > 0;

/** What is left of a combination once whatever the finding doesn't need is taken out. */
export async function smallest(combination: Combination, isFound = isAccused): Promise<Combination> {
  const smaller = [
    ...combination.variants.map((one) => ({
      ...combination,
      variants: combination.variants.filter((id) => id !== one),
    })),
    ...combination.lacks.map((one) => ({
      ...combination,
      lacks: combination.lacks.filter((member) => member !== one),
    })),
  ];
  for (const candidate of smaller) if (await isFound(candidate)) return smallest(candidate, isFound);
  return combination;
}
