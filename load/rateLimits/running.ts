// Sending experiments on limits, and findings from their verdicts
import { broken, held } from "../../harness/core/finding.ts";
import { Inconclusive, notSeen } from "../../harness/core/outcomes.ts";
import type { Asker, RequestSpec } from "../../harness/core/requestSpec.ts";
import type { CheckContext, Shown } from "../../harness/model/check.ts";
import type { Target } from "../../harness/targets/target.ts";
import { classOf } from "../../harness/transport/answers.ts";
import type { MadeProject, ProjectWish } from "../../harness/transport/control.ts";
import type { Exchange } from "../../harness/transport/exchange.ts";
import type { TimedResult } from "../../harness/transport/timedRequests.ts";
import type { Experiment, Timed } from "./experiments.ts";
import type { Fire } from "./gate.ts";
import { type LimitVerdict, withheld } from "./limitVerdict.ts";
import type { Sample, SampleOutcome } from "./samples.ts";

export interface SampleWithExchange extends Sample {
  readonly exchange: Exchange;
}

export type SeenVerdict = LimitVerdict<SampleWithExchange>;

/** What CheckContext and ProbeContext have in common. */
export type ExperimentContext = Pick<CheckContext, "target" | "project" | "sendSchedule" | "once">;

const outcomes = { served: "served", limited: "refused", refused: "undocumented", failed: "failed" } as const;

/** What an edge answers in the platform's place has failed, whatever its status says: no limiter has counted it. */
export const sampleOutcomeOf = (exchange: Exchange): SampleOutcome => outcomes[classOf(exchange)];

export const sampleOf = (result: TimedResult): SampleWithExchange => ({
  ...result,
  outcome: sampleOutcomeOf(result.exchange),
});

/** Makes one request of an experiment; `nth` counts them from 0. */
export type RequestSpecOf = (timed: Timed, nth: number) => RequestSpec;

/** Sends experiments. @param what names the requests: samples are remembered by it, their number and the attempt */
export const experimentSender =
  (
    { sendSchedule }: Pick<ExperimentContext, "sendSchedule">,
    what: string,
    requestSpecs: () => Promise<RequestSpecOf>,
  ): Fire<SampleWithExchange> =>
  async (experiment: Experiment, attempt) => {
    const timedResults = await sendSchedule(`${what}, ${experiment.length} requests, attempt ${attempt}`, async () => {
      const requestSpecOf = await requestSpecs();
      return experiment.map((timed, nth) => {
        const { at_ms, connection } = timed;
        return { at_ms, connection, requestSpec: requestSpecOf(timed, nth) };
      });
    });
    return timedResults.map(sampleOf);
  };

/** The project of experiments of that name, which no other requests share. */
function projectFor({ once, project }: ExperimentContext, name: string, wish?: ProjectWish): Promise<MadeProject> {
  const known = once("projects of experiments", () => new Map<string, Promise<MadeProject>>());
  const making = known.get(name) ?? project(wish);
  known.set(name, making);
  making.catch(() => known.delete(name));
  return making;
}

/** The caller in experiments of that name: of its own project where control makes one, else the one given. */
export const askerFor = async (
  context: ExperimentContext,
  name: string,
  { otherwise = "owner", ...wish }: ProjectWish & { readonly otherwise?: Asker } = {},
): Promise<Asker> => (context.target.control ? (await projectFor(context, name, wish)).asker : otherwise);

/** Callers of experiments of that name. */
export type AskersFor = (context: ExperimentContext, name: string) => Promise<readonly Asker[]>;

/** One of a project of its own, or the owner. */
export const ownerFor: AskersFor = async (context, name) => [await askerFor(context, name)];

/** Two keys of one project, likewise. */
export async function keysFor(context: ExperimentContext, name: string): Promise<readonly Asker[]> {
  if (!context.target.control) return ["paid", "second"];
  const { asker, others } = await projectFor(context, name, { keys: ["open"] });
  return [asker, ...others];
}

/** Two projects, likewise. */
export const projectsFor: AskersFor = async (context, name) =>
  context.target.control
    ? [await askerFor(context, name), await askerFor(context, `${name}, the other`)]
    : ["paid", "other"];

/** @throws Withheld or Inconclusive where nothing can be said of the platform */
export function shownByLimit(verdict: SeenVerdict, at = "status"): readonly Shown[] {
  if (verdict.is === "withheld") throw notSeen(verdict.why);
  if (verdict.is === "inconclusive") throw new Inconclusive({ kind: "doubtful", outcome: verdict.why });
  const finding = verdict.is === "held" ? held : broken(at, verdict.expected, verdict.got);
  return [{ finding, exchange: verdict.shownBy.exchange }];
}

/** Serving too little is a breach only where no one else can have used up the limit. */
export function ifQuiet({ quiet, isReference, others }: Target, verdict: SeenVerdict): SeenVerdict {
  if (verdict.is !== "broken" || isReference) return verdict;
  const used = others?.projects() ?? [];
  if (used.length > 0)
    return withheld(`${verdict.got}, but another command of this machine uses ${used.join(" and ")}`);
  if (quiet) return verdict;
  return withheld(`${verdict.got}, but others may use its projects: the target doesn't say \`quiet: true\``);
}
