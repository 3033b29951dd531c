// Finders: samples that a run finds in answers, where the target file gives none.
import type { Feature } from "../core/interface.ts";
import type { Json } from "../core/json.ts";
import type { Target } from "../targets/target.ts";
import type { CheckContext, Needs } from "./check.ts";

/**
 * A sample that the target file didn't give. `made`: of the run's seed · `found`: in answers · `missing`: looked for,
 * but not there · `profile`: a public fact.
 */
export interface SampleNote {
  /** A JSON pointer, e.g. `/samples/orders/0`. */
  readonly at: string;
  readonly by: "made" | "found" | "missing" | "profile";
  /** Null where it is missing. */
  readonly value: Json;
  /** Where it comes from, or why there is none. */
  readonly how: string;
}

/** Values by JSON pointer. */
export interface Samples {
  readonly [pointer: string]: Json;
}

export interface SampleFinder {
  readonly feature: Feature;
  /** What it sends, at most; it runs only where that may be sent. */
  readonly needs: Needs;
  /** What it may find on a target, with values of the same form for the plan; nothing where it can't begin. */
  discoverable(target: Target): Samples;
  /** Finds those of these samples that it can. @throws Withheld with why there is none of them, or Inconclusive */
  find(context: CheckContext, wanted: readonly string[]): Promise<readonly SampleNote[]>;
}
