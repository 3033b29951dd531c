// Verdicts of all experiments on one limiter
import { Inconclusive } from "../../harness/core/outcomes.ts";
import * as gate from "../../load/rateLimits/gate.ts";
import { inconclusive, type LimitVerdict } from "../../load/rateLimits/limitVerdict.ts";
import type { SimulatedPlatform } from "./simulatedPlatform.ts";

/** What is required of a limit, in the order in which it is tested. */
const questions = {
  "5 at once served": (fire) => gate.limitServed(fire("projects")),
  "excess refused": (fire) => gate.excessRefused(fire("projects")),
  "refused as documented": (fire) => gate.refusedAsDocumented(fire("projects")),
  "served again": (fire) => gate.recovered(fire("projects")),
  "5, pause, 5 served": (fire) => gate.pairServed(fire("projects")),
  "3 per second served": (fire) => gate.steadyServed(fire("projects")),
  "12 per second bounded": (fire) => gate.overloadBounded(fire("projects")),
  "keys share a project's limit": (fire) => gate.limitShared(fire("keys of one project")),
  "projects don't share": (fire) => gate.limitApart(fire("projects")),
} as const satisfies { readonly [question: string]: (fire: SimulatedPlatform["fire"]) => Promise<LimitVerdict> };

export type LimiterQuestion = keyof typeof questions;

export type Answers = ReadonlyMap<LimiterQuestion, LimitVerdict>;

/** Sends all experiments one after another; what couldn't be sent on time is inconclusive. */
export async function answersOf({ fire }: SimulatedPlatform): Promise<Answers> {
  const answers = new Map<LimiterQuestion, LimitVerdict>();
  for (const [question, ask] of Object.entries(questions) as [LimiterQuestion, (typeof questions)[LimiterQuestion]][])
    answers.set(question, await ask(fire).catch(asInconclusive));
  return answers;
}

function asInconclusive(error: unknown): LimitVerdict {
  if (error instanceof Inconclusive) return inconclusive(error.message);
  throw error;
}
