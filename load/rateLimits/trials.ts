// Trials of probes on limits: each after a rest, on its own project or one after another

import { asUndescribed, seenAs } from "../../contracts/shared/describeCalls.ts";
import type { Json } from "../../harness/core/json.ts";
import { notSeen } from "../../harness/core/outcomes.ts";
import type { Asker, RequestSpec } from "../../harness/core/requestSpec.ts";
import type { PlannedSchedule } from "../../harness/model/check.ts";
import { isAnswered } from "../../harness/model/fingerprint.ts";
import type { ProbeContext, Seen } from "../../harness/model/probe.ts";
import { keyOf } from "../../harness/targets/target.ts";
import type { TimedRequest } from "../../harness/transport/timedRequests.ts";
import { longPause_ms } from "./experiments.ts";
import { type AskersFor, ownerFor, type SampleWithExchange, sampleOf } from "./running.ts";

/** Requests of one trial, at times after its rest. */
export interface Trial {
  readonly name: string;
  /** From the first request to the last. */
  readonly lasts_ms: number;
  /** Whether it needs a rest even on its own projects, as their requests may be counted together with others. */
  readonly rests?: true;
  /** Callers, where it isn't one with a project of its own. */
  readonly askers?: AskersFor;
  readonly requests: (
    as: Asker,
    other: Asker,
  ) => readonly { readonly after_ms: number; readonly requestSpec: RequestSpec }[];
}

/** One request, `count` times at once. */
export const trialOfRequests = (count: number, requestSpec: RequestSpec, after_ms = 0) =>
  Array.from({ length: count }, () => ({ after_ms, requestSpec }));

const owner: Asker = "owner";

/** The schedule of all trials, as the plan counts it; where no projects can be made, they take turns. */
export const plannedTrials = (name: string, trials: readonly Trial[]): PlannedSchedule => ({
  name,
  calls: trials.flatMap(({ requests }) => requests(owner, owner).map(({ requestSpec }) => requestSpec.operation)),
  seconds: Math.ceil(trials.reduce((total, { lasts_ms }) => total + longPause_ms + lasts_ms, 0) / 1_000),
});

/** For a project that was just made, whose limiter has nothing to forget. */
const startUp_ms = 300;

/**
 * Sends all trials in one schedule, which both passes read.
 * @returns the samples of each, in the order in which they were sent
 */
export async function tryTrials(
  context: ProbeContext,
  name: string,
  trials: readonly Trial[],
): Promise<ReadonlyMap<Trial, readonly SampleWithExchange[]>> {
  const timedResults = await context.sendSchedule(name, async () => {
    const callers = await Promise.all(
      trials.map(({ name: trial, askers = ownerFor }) => askers(context, `${name}: ${trial}`)),
    );
    const isApart =
      callers.flat().every((asker) => keyOf(context.target, asker)?.isMade) && !trials.some(({ rests }) => rests);
    let begins_ms = isApart ? startUp_ms : longPause_ms;
    const timedRequests: TimedRequest[] = [];
    for (const [nth, trial] of trials.entries()) {
      const [as = owner, other = as] = callers[nth] ?? [];
      for (const { after_ms, requestSpec } of trial.requests(as, other))
        timedRequests.push({ at_ms: begins_ms + after_ms, connection: timedRequests.length, requestSpec });
      if (!isApart) begins_ms += trial.lasts_ms + longPause_ms;
    }
    return timedRequests;
  });
  const places = trials.flatMap((trial) => trial.requests(owner, owner).map(() => trial));
  return new Map(
    trials.map((trial) => [
      trial,
      timedResults.flatMap((timedResult, nth) => (places[nth] === trial ? [sampleOf(timedResult)] : [])),
    ]),
  );
}

export async function seenInEach(
  context: ProbeContext,
  id: string,
  trials: readonly Trial[],
  seenOf: (name: string, samples: readonly SampleWithExchange[]) => Seen,
): Promise<readonly Seen[]> {
  return [...(await tryTrials(context, id, trials))].map(([{ name }, samples]) => seenOf(name, samples));
}

/** A summary of samples, with the first answer as its evidence. */
export function seenIn(name: string, samples: readonly SampleWithExchange[], summary: Json): Seen {
  const answered = samples.map(({ exchange }) => exchange).find(isAnswered);
  if (!answered) throw notSeen(`${name}: nothing was answered`);
  return seenAs(name, { ...answered, requestSpec: asUndescribed(answered.requestSpec) }, summary);
}
