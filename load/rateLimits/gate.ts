// Which verdict on a limit stands? A breach needs a second go that says the same; bursts that were too slow are sent again. (register, amendment 7)
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
import { hidden, seconds, unclear, type Verdict } from "./limitVerdict.ts";
import { allServed, withinWindows } from "./rates.ts";
import { duration_ms, type Sample } from "./samples.ts";

/** Sends an experiment; `go` tells one time from another, and what was sent is remembered by it. */
export type Fire<S extends Sample> = (experiment: Experiment, go: number) => Promise<readonly S[]>;

/** How often bursts are sent until three were short enough, where each costs nothing. */
const attempts = 3;

/** A breach counts where a second go shows it too. */
export async function twice<S extends Sample>(judge: (go: number) => Promise<Verdict<S>>): Promise<Verdict<S>> {
  const first = await judge(0);
  if (first.is !== "broken") return first;
  const second = await judge(attempts);
  return second.is === "broken" ? second : unclear(`${first.got} at a first go and not at a second: not reproducible`);
}

interface Sparing<S extends Sample> {
  readonly fire: Fire<S>;
  /** How often bursts are sent at most in one go. */
  readonly most?: number | undefined;
}

/** Judges the first attempt whose bursts were short. @param judge of slow ones too: what is proved whatever the network did stands */
function shortBursts<S extends Sample>(
  { fire, most = attempts }: Sparing<S>,
  experiment: Experiment,
  judge: (all: ReturnType<typeof burstsOf<S>>) => Verdict<S>,
): Promise<Verdict<S>> {
  return twice(async (go) => {
    const slow: string[] = [];
    for (let attempt = 0; attempt < most; attempt += 1) {
      const all = burstsOf(experiment, await fire(experiment, go + attempt));
      const verdict = judge(all);
      const why = tooSlow(all);
      if (why === null || verdict.is === "broken") return verdict;
      slow.push(why);
    }
    return hidden(`after ${most} ${most === 1 ? "attempt" : "attempts"}: ${slow.at(-1)}`);
  });
}

const anyBursts = <S extends Sample>(
  fire: Fire<S>,
  judge: (all: ReturnType<typeof burstsOf<S>>) => Verdict<S>,
): Promise<Verdict<S>> => twice(async (go) => judge(burstsOf(tripleAndRecovery, await fire(tripleAndRecovery, go))));

export const limitServed = <S extends Sample>(fire: Fire<S>): Promise<Verdict<S>> => anyBursts(fire, servesLimit);
export const excessRefused = <S extends Sample>(fire: Fire<S>, most?: number): Promise<Verdict<S>> =>
  shortBursts({ fire, most }, tripleAndRecovery, refusesExcess);
export const refusedAsDocumented = <S extends Sample>(fire: Fire<S>): Promise<Verdict<S>> =>
  anyBursts(fire, refusesAsDocumented);

/** Refused after a rest, and after another one: the second go exceeds nothing, so that it can't be what is refused for. */
export async function recovered<S extends Sample>(fire: Fire<S>): Promise<Verdict<S>> {
  const first = recovers(burstsOf(tripleAndRecovery, await fire(tripleAndRecovery, 0)));
  if (first.is !== "broken") return first;
  const [again] = await fire(afterRest, attempts);
  if (again?.outcome === "refused" || again?.outcome === "otherwise")
    return { ...first, shownBy: again, expected: "served after 3 s without a request, or after another 3 s" };
  return unclear("refused once after 3 s without a request, and not a second time: not reproducible");
}

/** Callers who take turns in bursts have one limit between them. */
export const limitShared = <S extends Sample>(fire: Fire<S>, most?: number): Promise<Verdict<S>> =>
  shortBursts({ fire, most }, burstTriple(2), refusesExcess);

const judgedTwice = <S extends Sample>(
  fire: Fire<S>,
  experiment: Experiment,
  judge: (seen: readonly S[]) => Verdict<S>,
): Promise<Verdict<S>> => twice(async (go) => judge(await fire(experiment, go)));

/** So much as a pause may shrink on its way: less than what makes it longer than two windows. */
const longestGroup_ms = 1_000;

/** As many as the limit, twice, with a pause that every model has forgotten the first by. */
export const pairServed = <S extends Sample>(fire: Fire<S>): Promise<Verdict<S>> => {
  const experiment = pair(longPause_ms);
  return judgedTwice(fire, experiment, (seen) => {
    const slowest_ms = Math.max(...burstsOf(experiment, seen).bursts.map(duration_ms));
    return slowest_ms < longestGroup_ms ? allServed(seen) : hidden(`five requests took ${seconds(slowest_ms)}`);
  });
};

export const steadyServed = <S extends Sample>(fire: Fire<S>): Promise<Verdict<S>> =>
  judgedTwice(fire, steady, allServed);
export const overloadBounded = <S extends Sample>(fire: Fire<S>): Promise<Verdict<S>> =>
  judgedTwice(fire, overload, withinWindows);

/** Callers who ask at once, each as many as the limit, don't share it. */
export const limitApart = <S extends Sample>(fire: Fire<S>): Promise<Verdict<S>> => {
  const experiment = sideBySide(2);
  return judgedTwice(fire, experiment, (seen) => allServed(seen, experiment.length));
};
