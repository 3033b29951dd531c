// A limiter in virtual time, behind a network that delays requests
import type { Experiment } from "../../load/rateLimits/experiments.ts";
import type { Fire } from "../../load/rateLimits/gate.ts";
import type { Make } from "../../load/rateLimits/limiterModels.ts";
import type { Sample } from "../../load/rateLimits/samples.ts";

/** Reproducible random numbers from 0 to 1 (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Who the callers of an experiment are. */
export type LimitedCallers = "keys of one project" | "projects";

/** Between two experiments, at least. */
const rest_ms = 3_000;

/** A platform that answers experiments. */
export interface SimulatedPlatform {
  /** Sends an experiment for callers of that kind, one after another on one clock; equal attempts are remembered. */
  fire(callers: LimitedCallers): Fire<Sample>;
}

/** Sends each attempt of an experiment once. */
export function rememberingSends(
  send: (callers: LimitedCallers, experiment: Experiment) => Promise<readonly Sample[]>,
): SimulatedPlatform {
  const remembered = new Map<string, Promise<readonly Sample[]>>();
  return {
    fire: (callers) => (experiment, attempt) => {
      const name = JSON.stringify([callers, attempt, experiment]);
      const seen = remembered.get(name) ?? send(callers, experiment);
      remembered.set(name, seen);
      return seen;
    },
  };
}

/** @param jitter_ms the most that a request takes each way */
export function simulated(make: Make, seed: number, jitter_ms: number): SimulatedPlatform {
  const random = randomFrom(seed);
  const limiter = make(random() * 60_000);
  let now_ms = 1_000_000 + random() * 1_000;
  return rememberingSends((callers, experiment) => Promise.resolve(sent(callers, experiment)));

  function sent(callers: LimitedCallers, experiment: Experiment): readonly Sample[] {
    const start_ms = now_ms;
    const arrives = (at_ms: number): number => start_ms + at_ms + random() * jitter_ms;
    const seen = answersOf(experiment, callers, arrives, () => random() * jitter_ms);
    now_ms = Math.max(...seen.map(({ received_ms }) => received_ms)) + rest_ms + random() * 1_000;
    return seen.map(({ sent_ms, received_ms, outcome }) => ({
      sent_ms: sent_ms - start_ms,
      received_ms: received_ms - start_ms,
      outcome,
    }));
  }

  function answersOf(
    experiment: Experiment,
    callers: LimitedCallers,
    arrivesAt: (at_ms: number) => number,
    back_ms: () => number,
  ): Sample[] {
    const arrivals = experiment
      .map((timed, nth) => ({ timed, nth, at_ms: arrivesAt(timed.at_ms) }))
      .sort((a, b) => a.at_ms - b.at_ms);
    const seen: Sample[] = [];
    for (const { timed, nth, at_ms } of arrivals) {
      const project = callers === "projects" ? timed.caller : 0;
      const served_ms = limiter({ at_ms, project, key: timed.caller, connection: timed.connection });
      const sent_ms = now_ms + timed.at_ms;
      seen[nth] = {
        sent_ms,
        received_ms: (served_ms ?? at_ms) + back_ms(),
        outcome: served_ms === null ? "refused" : "served",
      };
    }
    return seen;
  }
}
