// Mutants of rate limits judged in real time: each reference on a port of its own, requests by real k6

import { randomUUID } from "node:crypto";
import { realClock } from "../harness/core/clock.ts";
import { shownVerdict } from "../harness/model/shown.ts";
import type { Suite } from "../harness/model/suite.ts";
import type { Verdict } from "../harness/model/verdict.ts";
import { networkWire } from "../harness/transport/wire.ts";
import type { K6 } from "../load/k6/ensure.ts";
import { k6Generator } from "../load/k6/generator.ts";
import { rateRequirements } from "../load/suite.ts";
import { listen } from "../reference/http.ts";
import { type Algorithm, algorithms } from "../reference/platform/limitRules.ts";
import type { Variant } from "../reference/platform/mutant.ts";
import { honestRules } from "../reference/platform/rules.ts";
import { createPlatform } from "../reference/platform.ts";
import type { Feature } from "../specs/generated/operations.ts";
import { findingsOfRun, freshWorld } from "./inProcess.ts";
import { judgedFeatures, requirementOfMutant } from "./judgedFeatures.ts";
import { fateOfRight, type Killed, mutantFate, select } from "./mutants.ts";

export interface TriedByK6 extends Omit<Killed, "result"> {
  /**
   * As in `Killed`; `inconclusive`: a verdict that decides it is missing, as a generator was late or bursts took too
   * long.
   */
  readonly result: Killed["result"] | "inconclusive";
  /** Why it is inconclusive; else null. */
  readonly why: string | null;
}

/** Right limiters by name, the honest reference's among them. */
const rightBy = new Map<string, Algorithm>(algorithms.map((algorithm) => [`5 per second, ${algorithm}`, algorithm]));

/** Names of right limiters, which must produce no finding; the honest reference's comes first. */
export const rightLimiters: readonly string[] = [...rightBy]
  .sort(([, a], [, b]) => Number(b === honestRules.choices.limiter) - Number(a === honestRules.choices.limiter))
  .map(([name]) => name);

/** @param name of a mutant or of a right limiter */
export async function tryOneByK6(suite: Suite, name: string, k6: K6): Promise<TriedByK6> {
  const algorithm = rightBy.get(name);
  if (algorithm !== undefined) {
    const variant =
      algorithm === honestRules.choices.limiter ? undefined : { id: name, rules: { choices: { limiter: algorithm } } };
    const verdicts = await verdictsOn(suite, k6, variant, null);
    const fate = fateOfRight(name, brokenIn(verdicts));
    return inDoubt(fate, fate.result === "flagged" ? [] : verdicts);
  }
  const [mutant] = select([name]).mutants;
  if (!mutant) throw new Error(`no mutant ${name}`);
  const verdicts = await verdictsOn(suite, k6, mutant, judgedFeatures(name));
  const fate = mutantFate(mutant, brokenIn(verdicts));
  const awaited = [...(fate.result === "survived" ? [requirementOfMutant(name)] : []), ...fate.stale];
  return inDoubt(
    fate,
    verdicts.filter(({ id }) => fate.undeclared.length === 0 && awaited.some((prefix) => id.startsWith(prefix))),
  );
}

const brokenIn = (verdicts: readonly Verdict[]): readonly string[] =>
  verdicts.filter(({ verdict }) => verdict === "broken").map(({ id }) => id);

/** @param awaited verdicts that decide it: inconclusive where one of them is neither held nor broken */
function inDoubt(fate: Omit<TriedByK6, "why">, awaited: readonly Verdict[]): TriedByK6 {
  const missing = awaited.find(({ verdict }) => verdict !== "holds" && verdict !== "broken");
  if (!missing) return { ...fate, why: null };
  const { id, verdict, reason } = shownVerdict(missing);
  return { ...fate, result: "inconclusive", why: `${id} is ${verdict}: ${reason ?? "no reason is given"}` };
}

/** @param features null: all that the target offers */
async function verdictsOn(
  suite: Suite,
  k6: K6,
  variant: Variant | undefined,
  features: readonly Feature[] | null,
): Promise<readonly Verdict[]> {
  const controlToken = randomUUID();
  const { world, targetAt } = freshWorld(controlToken);
  const { base, close } = await listen(
    createPlatform({ world, now_ms: Date.now, controlToken, ...(variant ? { variant } : {}) }),
    0,
  );
  const { wire, close: hangUp } = networkWire();
  const target = targetAt(base);
  try {
    const generator = k6Generator(k6, { redact: target.redact });
    const options = { suite, target, wire, clock: realClock, generator, only: rateRequirements, observe: [] };
    return (await findingsOfRun(options, features)).verdicts;
  } finally {
    await hangUp();
    await close();
  }
}
