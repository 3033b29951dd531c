// Samples that a target file doesn't give: what is made before the plan, and what the plan looks for.
import { givenAt, supplemented } from "../core/template.ts";
import type { SampleFinder, SampleNote, Samples } from "../model/sampleFinder.ts";
import type { Suite } from "../model/suite.ts";
import type { Target } from "../targets/target.ts";

/** A run's own target, whose samples grow. */
export type OwnTarget = { -readonly [M in keyof Target]: Target[M] };

/** A finder, and what a plan wants of it. */
export interface SampleSearch {
  readonly finder: SampleFinder;
  readonly at: readonly string[];
}

const lacksSample = (target: Target, pointer: string): boolean => givenAt(target, pointer) === undefined;

const withSamples = ({ samples }: Target, all: Samples): Target["samples"] =>
  Object.entries(all).reduce((known, [at, value]) => supplemented(known, at, value), samples);

const howOf = (seed: number): string => `of the seed ${seed}`;

/** Supplies a value that the platform may not know. */
export function assumeSample(target: OwnTarget, at: string, value: string, seed: number): SampleNote {
  target.samples = supplemented(target.samples, at, value);
  target.assumptions = [...(target.assumptions ?? []), { at, value, source: `made ${howOf(seed)}`, isMade: true }];
  return { at, by: "made", value, how: howOf(seed) };
}

/** Supplies what can be made, but for what may be found. @returns notes on that, and on assumptions */
export function makeSamples(
  target: OwnTarget,
  { make, suppose, finders = [] }: Pick<Suite, "make" | "suppose" | "finders">,
  seed: number,
): readonly SampleNote[] {
  const { assumptions = [], offers } = target;
  const lacking = <Value>(all: { readonly [pointer: string]: Value } = {}) =>
    Object.entries(all).filter(([at]) => lacksSample(target, at));
  const findable = finders
    .filter(({ feature }) => offers.includes(feature))
    .flatMap(({ discoverable }) => Object.keys(discoverable(target)));
  const made = lacking(make?.(seed));
  const supposed = lacking(suppose?.(seed)).filter(([at]) => !findable.includes(at));
  target.samples = withSamples(target, Object.fromEntries(made));
  return [
    ...assumptions.map(({ at, value, source }) => ({ at, by: "profile", value, how: source }) as const),
    ...made.map(([at, value]) => ({ at, by: "made", value, how: howOf(seed) }) as const),
    ...supposed.map(([at, value]) => assumeSample(target, at, value, seed)),
  ];
}

/** The target as if each finder found all that it may. */
export const asIfFound = (target: Target, finders: readonly SampleFinder[]): Target =>
  finders.reduce((known, { discoverable }) => ({ ...known, samples: withSamples(known, discoverable(known)) }), target);

/** What each finder is wanted for, where checks need these samples; finders of nothing are left out. */
export const searchesFor = (
  target: Target,
  finders: readonly SampleFinder[],
  needed: readonly string[],
): readonly SampleSearch[] =>
  finders
    .map((finder) => ({
      finder,
      at: Object.keys(finder.discoverable(target)).filter(
        (pointer) => needed.includes(pointer) && lacksSample(target, pointer),
      ),
    }))
    .filter(({ at }) => at.length > 0);
