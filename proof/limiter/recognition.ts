// What is told of limiters in virtual time, over networks of several latencies and a busy machine
import { overload, tripleAndRecovery } from "../../load/rateLimits/experiments.ts";
import type { Make } from "../../load/rateLimits/limiterModels.ts";
import { limitInWords, type SentExperiment } from "../../load/rateLimits/limitSeen.ts";
import type { Sample } from "../../load/rateLimits/samples.ts";
import { spacedBursts } from "../../load/rateLimits/spacedBursts.ts";
import { randomFrom, type SimulatedPlatform, simulated } from "./simulatedPlatform.ts";

/** Each way. */
export const latencies_ms: readonly number[] = [0, 5, 20, 40, 80];

export async function sentTo({ fire }: Pick<SimulatedPlatform, "fire">): Promise<readonly SentExperiment[]> {
  const sent: SentExperiment[] = [];
  for (const experiment of [spacedBursts, tripleAndRecovery, overload])
    sent.push([experiment, await fire("projects")(experiment, 0)]);
  return sent;
}

/** On each way a request takes so long at least; one of 50 up to 0.3 s longer, as on a busy machine. */
function over(latency_ms: number, random: () => number): (sample: Sample) => Sample {
  const way_ms = (): number => latency_ms + (random() < 0.02 ? random() * 300 : 0);
  return ({ sent_ms, received_ms, outcome }) => ({
    sent_ms: sent_ms - way_ms(),
    received_ms: received_ms + way_ms(),
    outcome,
  });
}

/** A limiter as it is seen over a network of that latency, with up to half as much jitter. */
export async function statementOf(make: Make, latency_ms: number, seed: number) {
  const random = randomFrom(seed);
  const sent = await sentTo(simulated(make, seed, 1 + latency_ms / 2));
  return limitInWords(sent.map(([experiment, seen]) => [experiment, seen.map(over(latency_ms, random))]));
}
