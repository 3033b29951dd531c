// What does the whole gate say of a limiter?
import * as gate from "../gate.ts";
import type { Verdict } from "../verdict.ts";
import type { Make } from "./limiters.ts";
import { simulated } from "./platform.ts";

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
} as const satisfies { readonly [question: string]: (fire: ReturnType<typeof simulated>["fire"]) => Promise<Verdict> };

export type Question = keyof typeof questions;

export type Judged = { readonly [Q in Question]: Verdict["is"] };

/** One platform is asked everything, one experiment after another. */
export async function judged(make: Make, seed: number, jitter_ms: number): Promise<Judged> {
  const platform = simulated(make, seed, jitter_ms);
  const told: [string, Verdict["is"]][] = [];
  for (const [question, ask] of Object.entries(questions)) told.push([question, (await ask(platform.fire)).is]);
  return Object.fromEntries(told) as Judged;
}
