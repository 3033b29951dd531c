// Properties of requests as checks: so many draws of a seed, each judged beside its twin.
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

export interface Drawing {
  readonly seed: number;
  readonly numRuns: number;
}

/** What is hidden behind another breach shows nothing; that nothing at all was shown is told. */
export function asCheck<Counterexample>(
  { id, feature, casesFor, judge }: RequestProperty<Counterexample>,
  drawing: Drawing,
  tally: Tally = {},
): Check {
  return scenario(id, { feature, requests: [] }, async (context): Promise<readonly Shown[]> => {
    const drawn = casesFor(context.target, tally);
    if (!drawn) throw new Withheld("the target doesn't give what it takes");
    const shown: Shown[] = [];
    let hidden: unknown = new Withheld("nothing was drawn");
    for (const one of fc.sample(drawn, drawing)) {
      try {
        shown.push(await judge(one, context));
      } catch (error) {
        if (!(error instanceof Withheld) && !(error instanceof Inconclusive)) throw error;
        hidden = error;
      }
    }
    if (shown.length === 0) throw hidden;
    return shown;
  });
}

export type Judged = "as the reference" | "as a vendor";

/** The verdicts of checks alone, laws looking at every exchange; as a vendor nothing says that it is the reference, and there is no control. */
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
