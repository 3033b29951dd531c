// How is an experiment on a limit sent, and what is made of its verdict? Refusals are told by status, code and words.

import { broken, held } from "../../harness/core/finding.ts";
import { Inconclusive, Withheld } from "../../harness/core/outcomes.ts";
import type { Asker, Stimulus } from "../../harness/core/stimulus.ts";
import type { CheckContext, Shown } from "../../harness/model/check.ts";
import type { Target } from "../../harness/target/target.ts";
import { isRateRefusal, isServed, suspicion } from "../../harness/transport/answers.ts";
import type { MadeProject, ProjectWish } from "../../harness/transport/control.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import type { TimedResult } from "../../harness/transport/timedRequests.ts";
import type { Experiment, Timed } from "./experiments.ts";
import type { Fire } from "./gate.ts";
import type { Verdict } from "./limitVerdict.ts";
import type { Outcome, Sample } from "./samples.ts";

/** What was seen, and the exchange that shows it. */
export interface LimitSample extends Sample {
  readonly exchange: Exchange;
}

/** What benches of checks and of probes have in common. */
export type ExperimentContext = Pick<CheckContext, "target" | "project" | "sendSchedule" | "once">;

export function outcomeOf(exchange: Exchange): Outcome {
  if (isServed(exchange)) return "served";
  if (isRateRefusal(exchange)) return "refused";
  return suspicion(exchange) === null ? "otherwise" : "failed";
}

export const sampleOf = ({ sent_ms, received_ms, exchange }: TimedResult): LimitSample => ({
  sent_ms,
  received_ms,
  exchange,
  outcome: outcomeOf(exchange),
});

/** One request of an experiment; `nth` counts them from 0. */
export type StimulusOf = (timed: Timed, nth: number) => Stimulus;

/**
 * Sends experiments under a name; what is sent is put together once.
 * @param what tells experiments apart whose requests are of as many
 */
export const sendingExperiment =
  (
    { sendSchedule }: Pick<ExperimentContext, "sendSchedule">,
    what: string,
    stimuli: () => Promise<StimulusOf>,
  ): Fire<LimitSample> =>
  async (experiment: Experiment, go) => {
    const timedResults = await sendSchedule(`${what}, ${experiment.length} requests, go ${go}`, async () => {
      const stimulusOf = await stimuli();
      return experiment.map((timed, nth) => ({
        at_ms: timed.at_ms,
        connection: timed.connection,
        stimulus: stimulusOf(timed, nth),
      }));
    });
    return timedResults.map(sampleOf);
  };

/** The project of experiments of that name: nothing else is counted together with them. */
function projectFor({ once, project }: ExperimentContext, name: string, wish?: ProjectWish): Promise<MadeProject> {
  const known = once("projects of experiments", () => new Map<string, Promise<MadeProject>>());
  const one = known.get(name) ?? project(wish);
  known.set(name, one);
  one.catch(() => known.delete(name));
  return one;
}

/** Who asks in experiments of that name: a project of their own where control makes one, else the owner. */
export const askerFor = async (context: ExperimentContext, name: string, wish?: ProjectWish): Promise<Asker> =>
  context.target.control ? (await projectFor(context, name, wish)).asker : "owner";

/** Two keys of one project, likewise. */
export async function keysFor(context: ExperimentContext, name: string): Promise<readonly Asker[]> {
  if (!context.target.control) return ["paid", "second"];
  const { asker, others } = await projectFor(context, name, { keys: ["open"] });
  return [asker, ...others];
}

/** Two projects, likewise. */
export const projectsFor = async (context: ExperimentContext, name: string): Promise<readonly Asker[]> =>
  context.target.control
    ? [await askerFor(context, name), await askerFor(context, `${name}, the other`)]
    : ["paid", "other"];

/** @throws Withheld or Inconclusive where nothing can be said of the platform */
export function shown(verdict: Verdict<LimitSample>, at = "status"): readonly Shown[] {
  switch (verdict.is) {
    case "held":
      return [{ finding: held, exchange: verdict.shownBy.exchange }];
    case "broken":
      return [{ finding: broken(at, verdict.expected, verdict.got), exchange: verdict.shownBy.exchange }];
    case "hidden":
      throw new Withheld(verdict.why);
    case "unclear":
      throw new Inconclusive(verdict.why);
  }
}

/** That too little was served is a breach only where nobody else may have used the limit up. */
export function inQuiet({ quiet, isReference }: Target, verdict: Verdict<LimitSample>): Verdict<LimitSample> {
  if (verdict.is !== "broken" || quiet || isReference) return verdict;
  return {
    is: "hidden",
    why: `${verdict.got}, and the target doesn't say \`quiet: true\`: others may use its projects meanwhile`,
  };
}
