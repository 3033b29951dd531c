// What do three bursts at different phases say of a limit of so many per second? (register §2)
import { burstSize, type Experiment, limit, longestBurst_ms, recoveryGroup } from "./experiments.ts";
import { brokenBy, heldBy, hidden, seconds, unclear, type Verdict } from "./limitVerdict.ts";
import { overTwoWindows } from "./proofs.ts";
import { count, duration_ms, latency_ms, type Sample, sending_ms } from "./samples.ts";

export interface Bursts<S extends Sample = Sample> {
  readonly bursts: readonly (readonly S[])[];
  /** The lone request after them, where there is one. */
  readonly after: S | undefined;
}

/** By group. @param seen in the order of the experiment */
export function groupsOf<S extends Sample>(
  experiment: Experiment,
  seen: readonly S[],
): ReadonlyMap<number, readonly S[]> {
  const groups = new Map<number, S[]>();
  for (const [nth, { group }] of experiment.entries()) {
    const one = seen[nth];
    if (one) groups.set(group, [...(groups.get(group) ?? []), one]);
  }
  return groups;
}

export function burstsOf<S extends Sample>(experiment: Experiment, seen: readonly S[]): Bursts<S> {
  const groups = groupsOf(experiment, seen);
  return {
    bursts: [...groups].flatMap(([group, burst]) => (group === recoveryGroup ? [] : [burst])),
    after: groups.get(recoveryGroup)?.[0],
  };
}

const served = (burst: readonly Sample[]): number => count(burst, "served");
const failed = (burst: readonly Sample[]): number => count(burst, "failed");
const servedByEach = ({ bursts }: Bursts): string => bursts.map(served).join(", ");
const notServed = <S extends Sample>(bursts: readonly (readonly S[])[]): S | undefined =>
  bursts.flat().find(({ outcome }) => outcome !== "served");
const lastServed = <S extends Sample>(bursts: readonly (readonly S[])[]): S | undefined =>
  bursts.flat().findLast(({ outcome }) => outcome === "served");

/** Why they can't tell 5 from 6, and what they have shown all the same; null where they can. */
export function tooSlow(all: Bursts): string | null {
  const slowest = Math.max(...all.bursts.map(duration_ms));
  if (slowest < longestBurst_ms) return null;
  return `a burst took ${seconds(slowest)}, which is too long to tell ${limit} from ${limit + 1} (${servedByEach(all)} of ${burstSize} were served)`;
}

/** The limit is there in each of them, but what exceeds it fails instead of being refused. */
const failsInstead = ({ bursts }: Bursts): boolean =>
  bursts.every((burst) => served(burst) >= limit && failed(burst) > 0 && count(burst, "refused", "otherwise") === 0);

const neverServed = ({ bursts }: Bursts): boolean => bursts.every((burst) => served(burst) === 0);

/** At least as many as the limit are served after a rest, in each burst: holds for every model, however long a burst takes. */
export function servesLimit<S extends Sample>(all: Bursts<S>): Verdict<S> {
  const { bursts, after } = all;
  if (neverServed(all)) return hidden("nothing was served at all");
  if (after && after.outcome !== "served") return hidden("it didn't recover from what exceeded the limit");
  const short = bursts.find((burst) => served(burst) + failed(burst) < limit);
  if (short)
    return brokenBy(
      notServed([short]),
      `at least ${limit} served in each burst`,
      `${servedByEach(all)} of ${burstSize} served`,
    );
  const unknown = bursts.find((burst) => served(burst) < limit);
  if (unknown) return unclear(`${failed(unknown)} of ${burstSize} failed in a burst`);
  return heldBy(lastServed(bursts));
}

/** As many as a limiter that refills steadily may serve in a burst. */
const mostIn = (burst: readonly Sample[]): number => limit + Math.floor((limit * duration_ms(burst)) / 1000);

/**
 * No more than the limit, but for one burst that may meet two windows.
 * @param all of bursts that weren't too slow, unless they prove a breach by themselves
 */
export function refusesExcess<S extends Sample>(all: Bursts<S>): Verdict<S> {
  const { bursts } = all;
  const proof = overTwoWindows(bursts.flat());
  if (proof)
    return brokenBy(
      proof.last,
      `at most ${2 * limit} served within any second`,
      `${proof.served} served within ${seconds(proof.within_ms)}`,
    );
  if (neverServed(all)) return hidden("nothing was served at all");
  const over = bursts.filter((burst) => served(burst) > mostIn(burst));
  const beyond = bursts.find((burst) => served(burst) > 2 * limit);
  const slow = tooSlow(all);
  if (slow) return hidden(slow);
  if (beyond || over.length >= 2) {
    return brokenBy(
      lastServed([beyond ?? over[0] ?? []]),
      `at most ${limit} served in two of three bursts, ${2 * limit} in each`,
      `${servedByEach(all)} of ${burstSize} served`,
    );
  }
  if (failsInstead(all)) return hidden("what exceeds the limit fails instead of being refused");
  const failures = failed(bursts.flat());
  return failures > 0 ? unclear(`${failures} of ${bursts.flat().length} failed`) : heldBy(notServed(bursts));
}

/** So much longer than the lone request takes, a request was queued. */
const queued_ms = 700;

/** What isn't served is refused in the documented way: not in another, not by failing, not by serving it late. */
export function refusesAsDocumented<S extends Sample>(all: Bursts<S>): Verdict<S> {
  const { bursts, after } = all;
  const timedResults = bursts.flat();
  if (neverServed(all)) return hidden("nothing was served at all");
  const otherwise = timedResults.find(({ outcome }) => outcome === "otherwise");
  if (otherwise) return brokenBy(otherwise, "what exceeds the limit refused as documented", "another refusal");
  if (failsInstead(all))
    return brokenBy(
      notServed(bursts),
      "what exceeds the limit refused as documented",
      "a failure in each of three bursts",
    );
  const failures = failed(timedResults);
  if (failures > 0) return unclear(`${failures} of ${timedResults.length} failed`);
  const refused = timedResults.find(({ outcome }) => outcome === "refused");
  if (refused) return heldBy(refused);
  const isLate = (one: S): boolean => after !== undefined && latency_ms(one) > latency_ms(after) + queued_ms;
  const late = bursts.map((burst) => burst.find(isLate));
  const [first] = late;
  const isQueued =
    late.every((one) => one !== undefined) && bursts.every((burst) => sending_ms(burst) < longestBurst_ms);
  if (isQueued && first)
    return brokenBy(first, "what exceeds the limit refused", `served ${seconds(latency_ms(first))} late`);
  return hidden(`none of ${burstSize} at once was refused`);
}

/** Served again once the rate was low. */
export function recovers<S extends Sample>(all: Bursts<S>): Verdict<S> {
  const { after, bursts } = all;
  if (neverServed(all)) return hidden("nothing was served at all");
  if (!after || after.outcome === "failed") return unclear("the request after the bursts failed");
  if (!notServed(bursts)) return hidden("the limit wasn't exceeded: nothing was refused");
  return after.outcome === "served" ? heldBy(after) : brokenBy(after, "served after 3 s without a request", "refused");
}
