// How is something tried on a limit that is left open? Each trial after a rest, by a project of its own or one after another.
import { seenAs, unjudged } from "../../contracts/shared/describeCalls.ts";
import type { Json } from "../../harness/core/json.ts";
import { Withheld } from "../../harness/core/outcomes.ts";
import type { Asker, Stimulus } from "../../harness/core/stimulus.ts";
import type { PlannedSchedule } from "../../harness/model/check.ts";
import type { Answered } from "../../harness/model/fingerprint.ts";
import type { ProbeContext, Seen } from "../../harness/model/probe.ts";
import type { TimedRequest } from "../../harness/transport/timedRequests.ts";
import { idle_ms } from "./experiments.ts";
import { askerFor, type ExperimentContext, type LimitSample, sampleOf } from "./running.ts";

/** What is sent in one trial, in ms after its rest. */
export interface Trial {
  readonly name: string;
  /** From its first request to its last. */
  readonly lasts_ms: number;
  /** After a rest even where its projects are its own: they may be counted together with others. */
  readonly rests?: true;
  /** Where it takes others than a project of its own. */
  readonly askers?: (context: ExperimentContext, name: string) => Promise<readonly Asker[]>;
  readonly requests: (as: Asker, other: Asker) => readonly { readonly after_ms: number; readonly stimulus: Stimulus }[];
}

/** So many of one request at once. */
export const times = (
  count: number,
  stimulus: Stimulus,
  after_ms = 0,
): { readonly after_ms: number; readonly stimulus: Stimulus }[] =>
  Array.from({ length: count }, () => ({ after_ms, stimulus }));

const owner: Asker = "owner";

/** As the plan counts both looks; where no projects can be made, trials take their turns. */
export const planned = (id: string, trials: readonly Trial[]): readonly PlannedSchedule[] =>
  [0, 1].map((pass) => ({
    name: nameOf(id, pass),
    calls: trials.flatMap(({ requests }) => requests(owner, owner).map(({ stimulus }) => stimulus.operation)),
    seconds: Math.ceil(trials.reduce((total, { lasts_ms }) => total + idle_ms + lasts_ms, 0) / 1_000),
  }));

const nameOf = (id: string, pass: number): string => `${id}, look ${pass}`;

const alone: NonNullable<Trial["askers"]> = async (context, name) => [await askerFor(context, name)];

/** A project that was just made has nothing to forget. */
const startUp_ms = 300;

/** All of them in one volley; what came of each, in the order in which it was sent. */
export async function tried(
  context: ProbeContext,
  id: string,
  trials: readonly Trial[],
): Promise<ReadonlyMap<Trial, readonly LimitSample[]>> {
  const name = nameOf(id, context.pass);
  const timedResults = await context.sendSchedule(name, async () => {
    const callers = await Promise.all(
      trials.map(({ name: trial, askers = alone }) => askers(context, `${name}: ${trial}`)),
    );
    const isApart = callers.flat().every((asker) => asker.startsWith("made-")) && !trials.some(({ rests }) => rests);
    let begins_ms = isApart ? startUp_ms : idle_ms;
    const timedRequests: TimedRequest[] = [];
    for (const [nth, trial] of trials.entries()) {
      const [as = owner, other = as] = callers[nth] ?? [];
      for (const { after_ms, stimulus } of trial.requests(as, other))
        timedRequests.push({ at_ms: begins_ms + after_ms, connection: timedRequests.length, stimulus });
      if (!isApart) begins_ms += trial.lasts_ms + idle_ms;
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

/** Told of some of what was struck; the first that was answered shows how answers look. */
export function seenIn(name: string, samples: readonly LimitSample[], summary: Json): Seen {
  const answered = samples
    .map(({ exchange }) => exchange)
    .find((exchange): exchange is Answered => exchange.answer !== null);
  if (!answered) throw new Withheld(`${name}: nothing was answered`);
  return seenAs(name, { ...answered, stimulus: unjudged(answered.stimulus) }, summary);
}
