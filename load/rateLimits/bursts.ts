// Verdicts on a limit per second from three bursts at different phases (register §2)
import { burstSize, documentedLimit, type Experiment, longestBurst_ms, recoveryGroup } from "./experiments.ts";
import { inconclusive, type LimitVerdict, limitBroken, limitHeld, secondsText, withheld } from "./limitVerdict.ts";
import { overTwoWindows } from "./proofs.ts";
import { countOutcomes, duration_ms, latency_ms, type Sample, sending_ms } from "./samples.ts";

export interface Bursts<S extends Sample = Sample> {
  readonly bursts: readonly (readonly S[])[];
  /** The single request after them, where there is one. */
  readonly after: S | undefined;
}

/** Samples by group. @param seen in the order of the experiment */
export function groupsOf<S extends Sample>(
  experiment: Experiment,
  seen: readonly S[],
): ReadonlyMap<number, readonly S[]> {
  const groups = new Map<number, S[]>();
  for (const [nth, { group }] of experiment.entries()) {
    const sample = seen[nth];
    if (sample) groups.set(group, [...(groups.get(group) ?? []), sample]);
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

const served = (burst: readonly Sample[]): number => countOutcomes(burst, "served");
const failed = (burst: readonly Sample[]): number => countOutcomes(burst, "failed");
const servedByEach = ({ bursts }: Bursts): string => bursts.map(served).join(", ");
const notServed = <S extends Sample>(bursts: readonly (readonly S[])[]): S | undefined =>
  bursts.flat().find(({ outcome }) => outcome !== "served");
const lastServed = <S extends Sample>(bursts: readonly (readonly S[])[]): S | undefined =>
  bursts.flat().findLast(({ outcome }) => outcome === "served");

/** Why these bursts can't distinguish 5 from 6, and what they showed nonetheless; null where they can. */
export function tooSlow(all: Bursts): string | null {
  const slowest = Math.max(...all.bursts.map(duration_ms));
  if (slowest < longestBurst_ms) return null;
  const shown = `${servedByEach(all)} of ${burstSize} were served`;
  const limits = `${documentedLimit} from ${documentedLimit + 1}`;
  return `a burst took ${secondsText(slowest)}, too long to distinguish ${limits} (${shown})`;
}

/** Each burst shows the limit, but requests beyond it fail instead of being refused. */
const failsInstead = ({ bursts }: Bursts): boolean =>
  bursts.every(
    (burst) =>
      served(burst) >= documentedLimit && failed(burst) > 0 && countOutcomes(burst, "refused", "undocumented") === 0,
  );

const neverServed = ({ bursts }: Bursts): boolean => bursts.every((burst) => served(burst) === 0);

/** After a rest each burst is served at least up to the limit: true of every model, however long a burst takes. */
export function servesLimit<S extends Sample>(all: Bursts<S>): LimitVerdict<S> {
  const { bursts, after } = all;
  if (neverServed(all)) return withheld("nothing was served at all");
  if (after && after.outcome !== "served") return withheld("the platform didn't recover from exceeding the limit");
  const short = bursts.find((burst) => served(burst) + failed(burst) < documentedLimit);
  if (short)
    return limitBroken(
      notServed([short]),
      `at least ${documentedLimit} served in each burst`,
      `${servedByEach(all)} of ${burstSize} served`,
    );
  const unknown = bursts.find((burst) => served(burst) < documentedLimit);
  if (unknown) return inconclusive(`${failed(unknown)} of ${burstSize} failed in a burst`);
  return limitHeld(lastServed(bursts));
}

/** The most that a steadily refilling limiter may serve in a burst. */
const mostIn = (burst: readonly Sample[]): number =>
  documentedLimit + Math.floor((documentedLimit * duration_ms(burst)) / 1000);

/** No more than the limit is served, except in a burst that may meet two windows. Slow bursts can only be broken. */
export function refusesExcess<S extends Sample>(all: Bursts<S>): LimitVerdict<S> {
  const { bursts } = all;
  const proof = overTwoWindows(bursts.flat());
  if (proof)
    return limitBroken(
      proof.last,
      `at most ${2 * documentedLimit} served within any second`,
      `${proof.served} served within ${secondsText(proof.within_ms)}`,
    );
  if (neverServed(all)) return withheld("nothing was served at all");
  const over = bursts.filter((burst) => served(burst) > mostIn(burst));
  const beyond = bursts.find((burst) => served(burst) > 2 * documentedLimit);
  const slow = tooSlow(all);
  if (slow) return withheld(slow);
  if (beyond || over.length >= 2) {
    return limitBroken(
      lastServed([beyond ?? over[0] ?? []]),
      `at most ${documentedLimit} served in two of three bursts, ${2 * documentedLimit} in each`,
      `${servedByEach(all)} of ${burstSize} served`,
    );
  }
  if (failsInstead(all)) return withheld("requests beyond the limit fail instead of being refused");
  const failures = failed(bursts.flat());
  return failures > 0 ? inconclusive(`${failures} of ${bursts.flat().length} failed`) : limitHeld(notServed(bursts));
}

/** A request that takes so much longer than the single one was queued. */
const queued_ms = 700;

/** Requests beyond the limit are refused as documented: not in another way, by failing, or by being served late. */
export function refusesAsDocumented<S extends Sample>(all: Bursts<S>): LimitVerdict<S> {
  const { bursts, after } = all;
  const timedResults = bursts.flat();
  if (neverServed(all)) return withheld("nothing was served at all");
  const expected = "requests beyond the limit refused as documented";
  const undocumented = timedResults.find(({ outcome }) => outcome === "undocumented");
  if (undocumented) return limitBroken(undocumented, expected, "another refusal");
  if (failsInstead(all)) return limitBroken(notServed(bursts), expected, "a failure in each of three bursts");
  const failures = failed(timedResults);
  if (failures > 0) return inconclusive(`${failures} of ${timedResults.length} failed`);
  const refused = timedResults.find(({ outcome }) => outcome === "refused");
  if (refused) return limitHeld(refused);
  const isLate = (one: S): boolean => after !== undefined && latency_ms(one) > latency_ms(after) + queued_ms;
  const late = bursts.map((burst) => burst.find(isLate));
  const [first] = late;
  const isQueued =
    late.every((one) => one !== undefined) && bursts.every((burst) => sending_ms(burst) < longestBurst_ms);
  if (isQueued && first) return limitBroken(first, expected, `served ${secondsText(latency_ms(first))} late`);
  return withheld(`none of ${burstSize} at once was refused`);
}

/** Requests are served again once the rate was low. */
export function recovers<S extends Sample>(all: Bursts<S>): LimitVerdict<S> {
  const { after, bursts } = all;
  if (neverServed(all)) return withheld("nothing was served at all");
  if (!after || after.outcome === "failed") return inconclusive("the request after the bursts failed");
  if (!notServed(bursts)) return withheld("the limit wasn't exceeded: nothing was refused");
  return after.outcome === "served"
    ? limitHeld(after)
    : limitBroken(after, "served after 3 s without a request", "refused");
}
