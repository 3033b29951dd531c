// Kinds of limiters that are to be recognised, with the algorithm that may be named of each
import type { Algorithm } from "../../load/rateLimits/algorithms.ts";
import {
  type Arrival,
  blocking,
  bucket,
  fixed,
  fixedFromFirst,
  type Limiter,
  type Make,
  none,
  per,
  queueing,
  slidingLog,
  weighted,
} from "../../load/rateLimits/limiterModels.ts";
import { randomFrom } from "./simulatedPlatform.ts";

export interface Kind {
  readonly title: string;
  readonly make: Make;
  /** What may be named; nothing where no algorithm is the right name. */
  readonly is: readonly Algorithm[];
}

const kind = (title: string, make: Make, ...is: readonly Algorithm[]): Kind => ({ title, make, is });

/** By the time at which a bucket that is never empty would be full again: the form that keeps one number. */
const byArrivalTimes =
  (burst: number, perSecond: number): Make =>
  () => {
    const token_ms = 1_000 / perSecond;
    let full_ms = 0;
    return ({ at_ms }) => {
      const next_ms = Math.max(full_ms, at_ms) + token_ms;
      if (next_ms - at_ms > burst * token_ms) return null;
      full_ms = next_ms;
      return at_ms;
    };
  };

/** Earns whole tokens at set times. */
const ticking =
  (burst: number, tick_ms: number): Make =>
  (phase_ms) => {
    let [tokens, seen] = [burst, 0];
    return ({ at_ms }) => {
      const tick = Math.floor((at_ms + phase_ms) / tick_ms);
      tokens = Math.min(burst, tokens + tick - seen);
      seen = tick;
      if (tokens < 1) return null;
      tokens -= 1;
      return at_ms;
    };
  };

/** Earns whole tokens since it last earned some. */
const wholeTokens =
  (burst: number, perSecond: number): Make =>
  () => {
    let [tokens, earned_ms] = [burst, 0];
    return ({ at_ms }) => {
      const earned = Math.floor(((at_ms - earned_ms) * perSecond) / 1_000);
      if (earned > 0) [tokens, earned_ms] = [Math.min(burst, tokens + earned), at_ms];
      if (tokens < 1) return null;
      tokens -= 1;
      return at_ms;
    };
  };

/** Two windows, the earlier one's share rounded down; refused requests count. */
const roundedWindows =
  (most: number): Make =>
  (phase_ms) => {
    let [window, current, previous] = [-1, 0, 0];
    return ({ at_ms }) => {
      const place = (at_ms + phase_ms) / 1_000;
      const now = Math.floor(place);
      if (now !== window) [previous, current, window] = [now === window + 1 ? current : 0, 0, now];
      current += 1;
      return Math.floor(previous * (1 - (place - now))) + current > most ? null : at_ms;
    };
  };

/** A log of how many in each tenth of a second, not of each. */
const inTenths = (most: number): Make => {
  const log = slidingLog(most);
  return (phase_ms) => {
    const limiter = log(phase_ms);
    return (arrival) =>
      limiter({ ...arrival, at_ms: Math.floor(arrival.at_ms / 100) * 100 }) === null ? null : arrival.at_ms;
  };
};

/** Serves so many at once, each for a time. */
const atOnce =
  (most: number, takes_ms: number): Make =>
  () => {
    let ends_ms: number[] = [];
    return ({ at_ms }) => {
      ends_ms = ends_ms.filter((end_ms) => end_ms > at_ms);
      if (ends_ms.length >= most) return null;
      ends_ms.push(at_ms + takes_ms);
      return at_ms + takes_ms;
    };
  };

/** So many wait for their turn; more are refused. */
const waiting =
  (most: number, perSecond: number): Make =>
  () => {
    let free_ms = 0;
    return ({ at_ms }) => {
      const turn_ms = Math.max(at_ms, free_ms);
      if (turn_ms - at_ms > (most * 1_000) / perSecond) return null;
      free_ms = turn_ms + 1_000 / perSecond;
      return turn_ms;
    };
  };

/** Nodes that each have a limiter of their own; which one a request meets is chance, or they take turns. */
const overNodes =
  (nodes: number, make: Make, takingTurns: boolean): Make =>
  (phase_ms) => {
    const random = randomFrom(phase_ms);
    let turn = 0;
    const nodeOf = (): number => (takingTurns ? (turn += 1) % nodes : Math.floor(random() * nodes));
    return per(nodeOf, make)(phase_ms);
  };

/** Each of them must serve, and counts what another refuses. */
const all =
  (...makes: readonly Make[]): Make =>
  (phase_ms) => {
    const limiters = makes.map((make) => make(phase_ms));
    return (arrival) => (limiters.map((limiter) => limiter(arrival)).includes(null) ? null : arrival.at_ms);
  };

/** Refuses by chance. */
const overloaded: Make = (phase_ms) => {
  const random = randomFrom(phase_ms);
  return ({ at_ms }) => (random() < 0.5 ? at_ms : null);
};

/** Forgets all that it knew every three seconds, as a restarted one does. */
const forgetful =
  (make: Make): Make =>
  (phase_ms) => {
    let [began_ms, limiter]: [number, Limiter] = [0, make(phase_ms)];
    return (arrival: Arrival) => {
      if (arrival.at_ms - began_ms > 3_000) [began_ms, limiter] = [arrival.at_ms, make(phase_ms)];
      return limiter(arrival);
    };
  };

export const kinds: readonly Kind[] = [
  kind("5, sliding log", slidingLog(5), "sliding log"),
  kind("7 in 1.5 s, sliding log", slidingLog(7, { length_ms: 1_500 }), "sliding log"),
  kind("5, sliding log in tenths of a second", inTenths(5), "sliding log"),
  kind(
    "5, sliding log that counts what it refuses",
    slidingLog(5, { countsRefused: true }),
    "sliding log that counts what it refuses",
  ),
  kind("5, windows from the first request", fixedFromFirst(5), "windows from the first request"),
  kind("5, windows at set times", fixed(5), "windows at set times"),
  kind("9 in 2 s, windows at set times", fixed(9, 2_000), "windows at set times"),
  kind("5, two weighted windows", weighted(5), "two weighted windows"),
  kind(
    "5, rounded windows, all that comes counts",
    roundedWindows(5),
    "two weighted windows that count what they refuse",
  ),
  kind("bucket of 5, 5 per second", bucket(5, 5), "bucket"),
  kind("bucket of 10, 5 per second", bucket(10, 5), "bucket"),
  kind("5 by arrival times, 5 per second", byArrivalTimes(5, 5), "bucket"),
  kind("bucket of 5, a token each 200 ms at set times", ticking(5, 200), "bucket"),
  kind("bucket of 5, whole tokens, 5 per second", wholeTokens(5, 5), "bucket"),
  kind("5, blocks for one window once exceeded", blocking(5), "blocks once exceeded"),
  kind("5, blocks for 3 s once exceeded", blocking(5, 3_000), "blocks once exceeded"),
  kind("3 at once, 300 ms each", atOnce(3, 300), "so many at once"),
  kind("5 wait, 5 per second, more are refused", waiting(5, 5), "bucket"),
  kind("all wait", queueing(5)),
  kind("5, sliding log, and 60 a minute", all(slidingLog(5), fixed(60, 60_000)), "sliding log"),
  kind("6 over 2 nodes by chance, sliding logs", overNodes(2, slidingLog(3), false), "sliding log"),
  kind("5 over 5 nodes in turn, sliding logs", overNodes(5, slidingLog(1), true), "sliding log"),
  kind("5, sliding log, forgets every 3 s", forgetful(slidingLog(5))),
  kind("half are refused by chance", overloaded),
  kind("no limit", none),
];
