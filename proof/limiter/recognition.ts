// Recognition of limiters in virtual time, over networks of several latencies and a busy machine
import { limiterBehind } from "../../load/rateLimits/algorithms.ts";
import { distinguishing } from "../../load/rateLimits/distinguishing.ts";
import {
  type Experiment,
  overload,
  pair,
  shortPause_ms,
  tripleAndRecovery,
} from "../../load/rateLimits/experiments.ts";
import type { Make } from "../../load/rateLimits/limiterModels.ts";
import type { Sample } from "../../load/rateLimits/samples.ts";
import { type Platform, randomFrom, simulated } from "./simulatedPlatform.ts";

/** Each way. */
export const latencies_ms = [0, 5, 20, 40, 80];

/** What limiters are recognised by. */
const experiments: readonly Experiment[] = [distinguishing, tripleAndRecovery, pair(shortPause_ms), overload];

export async function samplesOf({ fire }: Pick<Platform, "fire">): Promise<readonly (readonly Sample[])[]> {
  const seen: (readonly Sample[])[] = [];
  for (const experiment of experiments) seen.push(await fire("projects")(experiment, 0));
  return seen;
}

/** Of 50 requests one leaves or returns late, as on a busy machine. */
const stalled = 0.02;
const longestStall_ms = 300;

/** On each way a request takes so long at least; some stall. */
function over(latency_ms: number, random: () => number): (sample: Sample) => Sample {
  const stall_ms = (): number => (random() < stalled ? random() * longestStall_ms : 0);
  return ({ sent_ms, received_ms, outcome }) => ({
    sent_ms: sent_ms - latency_ms - stall_ms(),
    received_ms: received_ms + latency_ms + stall_ms(),
    outcome,
  });
}

/** A limiter as it is seen over a network of that latency, with up to half as much jitter. */
export async function recognised(make: Make, latency_ms: number, seed: number) {
  const random = randomFrom(seed);
  const platform = simulated(make, seed, 1 + latency_ms / 2);
  const seen = await samplesOf(platform);
  return limiterBehind(seen.map((samples) => samples.map(over(latency_ms, random))));
}
