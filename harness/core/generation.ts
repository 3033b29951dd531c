// Generated cases: how many a run tries, from which seed, and how one is replayed.
import type { Json } from "./json.ts";
import type { RequestSpec } from "./requestSpec.ts";

/** How many cases: `many` in this process, `some` on the port of the reference, `few` on a vendor, where each costs. */
export type Scale = "many" | "some" | "few";

interface CasePath {
  readonly property: string;
  /**
   * fast-check's path (`0:2`), of a stateful test with the commands that ran (`0:2@BA:B`), or `regression:<file>` of
   * one that was saved.
   */
  readonly path: string;
}

/** A case path as data: a case that was saved, or fast-check's path, of a stateful test with the commands that ran. */
export type ReplayedCase = { readonly property: string } & (
  | { readonly regression: string }
  | { readonly path: string; readonly ran: string | null }
);

export interface Generation {
  /** Of the run; each property derives its own from this and its name. */
  readonly seed: number;
  readonly scale: Scale;
  /** Whether a failing case is shrunk; true by default. */
  readonly shrinks?: boolean;
  /** Only this case. */
  readonly replay?: ReplayedCase;
}

/** What a property sends, as far as a plan can count it. */
export interface Generates {
  readonly property: string;
  readonly cases: { readonly [S in Scale]: number };
  /** The requests of one case, at most; generated values may differ, needs and costs do not. */
  readonly each: readonly RequestSpec[];
}

export interface Counterexample extends CasePath {
  /** Of the run. */
  readonly seed: number;
  readonly values: Json;
  /** Whether shrinking found no smaller case that fails; false where the budget ended it. */
  readonly isMinimal: boolean;
}

/** One seed for all runs, so that a green gate stays green. */
export const defaultSeed = 1;

export const defaultGeneration = ({ isReference }: { readonly isReference: boolean }): Generation => ({
  seed: defaultSeed,
  scale: isReference ? "some" : "few",
});

/** A case path as replay flags write it, e.g. `filters:0:2`. */
export const pathText = ({ property, path }: CasePath): string => `${property}:${path}`;

const spelledCase = /^(\w+):(?:regression:([\w-]+)|(\d+(?::\d+)*)(?:@([\w+/]+:[\w+/]+))?)$/;

/** The case whose path a text spells; null where it spells none. */
export function replayedCaseOf(text: string): ReplayedCase | null {
  const [, property, regression, path, ran = null] = spelledCase.exec(text) ?? [];
  if (property === undefined) return null;
  if (regression !== undefined) return { property, regression };
  return path === undefined ? null : { property, path, ran };
}
