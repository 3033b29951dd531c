// What does the whole gate say of a limiter?
import { Inconclusive } from "../../harness/core/outcomes.ts";
import * as gate from "../../load/rateLimits/gate.ts";
import { unclear, type Verdict } from "../../load/rateLimits/limitVerdict.ts";
import type { Platform } from "./simulatedPlatform.ts";

/** By what is promised of a limit, in the order in which it is tried. */
const questions = {
  "5 at once are served": (fire) => gate.limitServed(fire("projects")),
  "more are refused": (fire) => gate.excessRefused(fire("projects")),
  "by a refusal": (fire) => gate.refusedAsDocumented(fire("projects")),
  "and served again": (fire) => gate.recovered(fire("projects")),
  "5, a pause, 5": (fire) => gate.pairServed(fire("projects")),
  "3 per second": (fire) => gate.steadyServed(fire("projects")),
  "12 per second": (fire) => gate.overloadBounded(fire("projects")),
  "keys of a project share": (fire) => gate.limitShared(fire("keys of one project")),
  "projects don't": (fire) => gate.limitApart(fire("projects")),
} as const satisfies { readonly [question: string]: (fire: Platform["fire"]) => Promise<Verdict> };

export type Question = keyof typeof questions;

export type Judged = ReadonlyMap<Question, Verdict>;

/** One platform is asked everything, one experiment after another. What couldn't be sent as told is unclear. */
export async function judged({ fire }: Platform): Promise<Judged> {
  const told = new Map<Question, Verdict>();
  for (const [question, ask] of Object.entries(questions) as [Question, (typeof questions)[Question]][])
    told.set(question, await ask(fire).catch(asUnclear));
  return told;
}

function asUnclear(error: unknown): Verdict {
  if (error instanceof Inconclusive) return unclear(error.message);
  throw error;
}
