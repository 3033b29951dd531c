// Verdicts on limits that stand: a breach needs a second attempt, slow bursts another (amendment 7)
import { burstsOf, recovers, refusesAsDocumented, refusesExcess, servesLimit, tooSlow } from "./bursts.ts";
import {
  afterRest,
  burstTriple,
  type Experiment,
  longPause_ms,
  overload,
  pair,
  sideBySide,
  steady,
  tripleAndRecovery,
} from "./experiments.ts";
import { inconclusive, type LimitVerdict, secondsText, withheld } from "./limitVerdict.ts";
import { allServed, withinWindows } from "./rates.ts";
import { duration_ms, type Sample } from "./samples.ts";

/** Sends an experiment. Samples are remembered by experiment and attempt, so that checks share them. */
export type Fire<S extends Sample> = (experiment: Experiment, attempt: number) => Promise<readonly S[]>;

/** Attempts to send three bursts that are short enough, where requests cost nothing. */
const attempts = 3;

/** A breach counts where a second attempt shows it too. @param judge takes the first attempt number that it may use */
export async function judgeTwice<S extends Sample>(
  judge: (attempt: number) => Promise<LimitVerdict<S>>,
): Promise<LimitVerdict<S>> {
  const first = await judge(0);
  if (first.is !== "broken") return first;
  const second = await judge(attempts);
  return second.is === "broken"
    ? second
    : inconclusive(`not reproducible: ${first.got} at the first attempt, not at the second`);
}

interface Sparing<S extends Sample> {
  readonly fire: Fire<S>;
  readonly mostAttempts?: number | undefined;
}

/** Judges the first attempt with short bursts. @param judge of slow ones too, whose breach counts all the same */
function shortBursts<S extends Sample>(
  { fire, mostAttempts = attempts }: Sparing<S>,
  experiment: Experiment,
  judge: (all: ReturnType<typeof burstsOf<S>>) => LimitVerdict<S>,
): Promise<LimitVerdict<S>> {
  return judgeTwice(async (attempt) => {
    const slow: string[] = [];
    for (let retry = 0; retry < mostAttempts; retry += 1) {
      const all = burstsOf(experiment, await fire(experiment, attempt + retry));
      const verdict = judge(all);
      const why = tooSlow(all);
      if (why === null || verdict.is === "broken") return verdict;
      slow.push(why);
    }
    return withheld(`after ${mostAttempts} ${mostAttempts === 1 ? "attempt" : "attempts"}: ${slow.at(-1)}`);
  });
}

const anyBursts = <S extends Sample>(
  fire: Fire<S>,
  judge: (all: ReturnType<typeof burstsOf<S>>) => LimitVerdict<S>,
): Promise<LimitVerdict<S>> =>
  judgeTwice(async (attempt) => judge(burstsOf(tripleAndRecovery, await fire(tripleAndRecovery, attempt))));

export const limitServed = <S extends Sample>(fire: Fire<S>): Promise<LimitVerdict<S>> => anyBursts(fire, servesLimit);
export const excessRefused = <S extends Sample>(fire: Fire<S>, mostAttempts?: number): Promise<LimitVerdict<S>> =>
  shortBursts({ fire, mostAttempts }, tripleAndRecovery, refusesExcess);
export const refusedAsDocumented = <S extends Sample>(fire: Fire<S>): Promise<LimitVerdict<S>> =>
  anyBursts(fire, refusesAsDocumented);

/** Broken where a request is refused after a rest and after another: the second attempt exceeds no limit. */
export async function recovered<S extends Sample>(fire: Fire<S>): Promise<LimitVerdict<S>> {
  const first = recovers(burstsOf(tripleAndRecovery, await fire(tripleAndRecovery, 0)));
  if (first.is !== "broken") return first;
  const [again] = await fire(afterRest, attempts);
  if (again?.outcome === "refused" || again?.outcome === "undocumented")
    return { ...first, shownBy: again, expected: "served after 3 s without a request, or after another 3 s" };
  return inconclusive("not reproducible: refused once after 3 s without a request, not a second time");
}

/** Callers who take turns in bursts share one limit. */
export const limitShared = <S extends Sample>(fire: Fire<S>, mostAttempts?: number): Promise<LimitVerdict<S>> =>
  shortBursts({ fire, mostAttempts }, burstTriple(2), refusesExcess);

const judgedTwice = <S extends Sample>(
  fire: Fire<S>,
  experiment: Experiment,
  judge: (seen: readonly S[]) => LimitVerdict<S>,
): Promise<LimitVerdict<S>> => judgeTwice(async (attempt) => judge(await fire(experiment, attempt)));

/** The most that a group may take: a pause then still is longer than two windows. */
const longestGroup_ms = 1_000;

/** As many as the limit, twice, with a pause after which every right limiter has forgotten the first. */
export const pairServed = <S extends Sample>(fire: Fire<S>): Promise<LimitVerdict<S>> => {
  const experiment = pair(longPause_ms);
  return judgedTwice(fire, experiment, (seen) => {
    const slowest_ms = Math.max(...burstsOf(experiment, seen).bursts.map(duration_ms));
    return slowest_ms < longestGroup_ms ? allServed(seen) : withheld(`five requests took ${secondsText(slowest_ms)}`);
  });
};

export const steadyServed = <S extends Sample>(fire: Fire<S>): Promise<LimitVerdict<S>> =>
  judgedTwice(fire, steady, allServed);
export const overloadBounded = <S extends Sample>(fire: Fire<S>): Promise<LimitVerdict<S>> =>
  judgedTwice(fire, overload, withinWindows);

/** Callers who each send as many as the limit at once don't share it. */
export const limitApart = <S extends Sample>(fire: Fire<S>): Promise<LimitVerdict<S>> => {
  const experiment = sideBySide(2);
  return judgedTwice(fire, experiment, (seen) => allServed(seen, experiment.length));
};
