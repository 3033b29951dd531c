// Properties of requests as checks with a given number of cases, and their verdicts
import fc from "fast-check";
import { suite } from "../../contracts/suite.ts";
import { Inconclusive, Withheld } from "../../harness/core/outcomes.ts";
import { Engine } from "../../harness/engine/engine.ts";
import { type Check, type Shown, scenario } from "../../harness/model/check.ts";
import type { Verdict } from "../../harness/model/verdict.ts";
import { inProcess } from "../../proof/inProcess.ts";
import type { Tally } from "../../property/arbitraries/requests.ts";
import type { RequestProperty } from "../../property/nearMisses.ts";
import type { Variant } from "../../reference/platform/mutant.ts";

export interface Sampling {
  readonly seed: number;
  readonly numRuns: number;
}

/** Skips cases that can't be judged. @throws the last reason where none can */
export function asCheck<Counterexample>(
  { id, feature, casesFor, judge }: RequestProperty<Counterexample>,
  sampling: Sampling,
  tally: Tally = {},
): Check {
  return scenario(id, { feature, requests: [] }, async (context): Promise<readonly Shown[]> => {
    const cases = casesFor(context.target, tally);
    if (!cases) throw new Withheld("the target lacks sample data");
    const shown: Shown[] = [];
    let reason: unknown = new Withheld("no case was generated");
    for (const one of fc.sample(cases, sampling)) {
      try {
        shown.push(await judge(one, context));
      } catch (error) {
        if (!(error instanceof Withheld) && !(error instanceof Inconclusive)) throw error;
        reason = error;
      }
    }
    if (shown.length === 0) throw reason;
    return shown;
  });
}

export type Judged = "as the reference" | "as a vendor";

/**
 * Verdicts of the given checks and all laws; as a vendor the platform isn't known as the reference and lacks control.
 */
export async function verdictsOn(
  checks: readonly Check[],
  variant?: Variant,
  judged: Judged = "as the reference",
): Promise<readonly Verdict[]> {
  const { target, ...rest } = inProcess({ ...suite, checks, probes: [] }, variant);
  const { control: _, ...others } = target;
  const known = judged === "as the reference" ? target : { ...others, isReference: false, perSecond: 1_000 };
  return new Engine({
    ...rest,
    target: known,
    observe: [],
    impliedFails: true,
    generation: { seed: 8, scale: "many" },
  }).run();
}
