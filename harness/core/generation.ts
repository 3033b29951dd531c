// Generated cases: how many a run tries, from which seed, and how one is replayed.
import type { Json } from "./json.ts";
import type { Stimulus } from "./stimulus.ts";

/** `many` in this process, where waiting takes no time · `some` on the reference's port · `few` on a vendor, where each costs. */
export type Scale = "many" | "some" | "few";

/** Names one case: the property, and where its generator draws it from the seed. */
export interface CasePath {
  readonly property: string;
  /** Numbers with colons between, as fast-check has them, and for a sequence of commands which of them ran (`0:2@BA:B`); or `regression:<file>` for one that was kept. */
  readonly path: string;
}

export interface Generation {
  /** Of the whole run; each property has one of its own, made from this and its name. */
  readonly seed: number;
  readonly scale: Scale;
  /** Whether a case that fails is made smaller, as it is unless this is false: who only counts what fails needn't know. */
  readonly shrinks?: boolean;
  /** Just this case, and nothing else. */
  readonly replay?: CasePath;
}

/** What a property asks that a plan can count. */
export interface Generates {
  readonly property: string;
  readonly cases: { readonly [S in Scale]: number };
  /** What one case asks, at most: alike in what it needs and costs, whatever else it says. */
  readonly each: readonly Stimulus[];
}

/** The case behind a finding. */
export interface Counterexample extends CasePath {
  /** Of the run. */
  readonly seed: number;
  readonly values: Json;
  /** Whether no smaller case fails; where the budget ended the search, nobody knows. */
  readonly isMinimal: boolean;
}

/** The same cases each time, so that a gate that was green stays green; another seed draws others. */
export const usualSeed = 1;

export const usualGeneration = ({ isReference }: { readonly isReference: boolean }): Generation => ({
  seed: usualSeed,
  scale: isReference ? "some" : "few",
});

/** `filters:0:2`, as replay lines have it. */
export const spelled = ({ property, path }: CasePath): string => `${property}:${path}`;

/** Null where a text names no case. */
export function casePathOf(text: string): CasePath | null {
  const [, property, path] = /^(\w+):(\d+(?::\d+)*(?:@[\w+/]+:[\w+/]+)?|regression:[\w-]+)$/.exec(text) ?? [];
  return property === undefined || path === undefined ? null : { property, path };
}

/** The part of a replay line that draws the case again. */
export const replayFlags = (counterexample: Counterexample): string =>
  `--seed ${counterexample.seed} --path ${spelled(counterexample)}`;
