// A limiter behind a real socket, with a delay before and behind it
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { Inconclusive } from "../../harness/core/outcomes.ts";
import type { Generator, TimedAnswer, TimedWireRequest } from "../../harness/transport/timedRequests.ts";
import { WireFault } from "../../harness/transport/wireFault.ts";
import type { Experiment } from "../../load/rateLimits/experiments.ts";
import type { Make } from "../../load/rateLimits/limiterModels.ts";
import type { Sample, SampleOutcome } from "../../load/rateLimits/samples.ts";
import { onLoopback } from "../loopbackServer.ts";
import { type LimitedCallers, randomFrom, rememberingSends, type SimulatedPlatform } from "./simulatedPlatform.ts";
import type { LimiterRun } from "./tables.ts";

interface RealPlatform extends SimulatedPlatform {
  close(): Promise<void>;
}

interface Served extends Pick<LimiterRun, "seed" | "jitter_ms"> {
  readonly make: Make;
}

/** How often a generator that was late sends again, at most. */
const retries = 2;

/** Listens on 127.0.0.1. */
export async function realPlatform(served: Served, generator: Generator): Promise<RealPlatform> {
  const answer = answering(served);
  const { base, close } = await onLoopback((request, response) => void answer(request, response));
  return {
    ...rememberingSends((callers, experiment) => sent(generator, requestsOf(`${base}/`, callers, experiment))),
    close,
  };
}

function answering({ make, seed, jitter_ms }: Served) {
  const random = randomFrom(seed);
  const limiter = make(random() * 60_000);
  const connections = new WeakMap<object, number>();
  let soFar = 0;
  return async ({ headers, socket }: IncomingMessage, response: ServerResponse): Promise<void> => {
    const connection = connections.get(socket) ?? (soFar += 1);
    connections.set(socket, connection);
    const there_ms = random() * jitter_ms;
    const back_ms = random() * jitter_ms;
    await wait(there_ms);
    const at_ms = performance.now();
    const served_ms = limiter({
      at_ms,
      project: Number(headers["x-project"]),
      key: Number(headers["x-key"]),
      connection,
    });
    await wait((served_ms ?? at_ms) - at_ms + back_ms);
    response.writeHead(served_ms === null ? 429 : 200).end();
  };
}

const requestsOf = (url: string, callers: LimitedCallers, experiment: Experiment): readonly TimedWireRequest[] =>
  experiment.map(({ at_ms, connection, caller }) => ({
    at_ms,
    connection,
    request: {
      method: "GET",
      url,
      headers: [
        ["x-project", callers === "projects" ? String(caller) : "0"],
        ["x-key", String(caller)],
      ],
    },
  }));

/** @throws Inconclusive where k6 was late each time */
async function sent(generator: Generator, timedRequests: readonly TimedWireRequest[]): Promise<readonly Sample[]> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return (await generator.fire(timedRequests)).map(sampleOf);
    } catch (error) {
      if (!(error instanceof Inconclusive) || attempt === retries) throw error;
    }
  }
}

const sampleOf = ({ outcome, ...times }: TimedAnswer): Sample => ({ ...times, outcome: outcomeOf(outcome) });

const outcomeByStatus: { readonly [status: number]: SampleOutcome } = { 200: "served", 429: "refused" };
const outcomeOf = (outcome: TimedAnswer["outcome"]): SampleOutcome =>
  outcome instanceof WireFault ? "failed" : (outcomeByStatus[outcome.status] ?? "undocumented");
