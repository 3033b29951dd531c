// Kinds of limiters, with what may be told of each: how many at once, how many in how long, what its window does
import { bucket, fixed, fixedFromFirst, type Make, slidingLog, weighted } from "../../load/rateLimits/limiterModels.ts";
import type { limitInWords } from "../../load/rateLimits/limitSeen.ts";
import { blocking, none, per, queueing } from "./limiters.ts";
import { bothMade } from "./rows.ts";

type Statement = ReturnType<typeof limitInWords>;

export interface LimiterKind {
  readonly title: string;
  readonly make: Make;
  /** Anything else that is told is wrong; that something can't be told is right. */
  readonly is: { readonly [question in keyof Statement]: Statement[question] | undefined };
}

type Truth = readonly [atOnce?: Statement["atOnce"], limit?: Statement["limit"], window?: Statement["window"]];

const kind = (title: string, make: Make, ...[atOnce, limit, window]: Truth): LimiterKind => ({
  title,
  make,
  is: { atOnce, limit, window },
});

/** A leaky bucket refuses what would overflow; as a meter it serves the rest at once, as a queue in turn. */
const leaking =
  (most: number, perSecond: number, as: "meter" | "queue"): Make =>
  () => {
    const drop_ms = 1_000 / perSecond;
    let empty_ms = 0;
    return ({ at_ms }) => {
      const turn_ms = Math.max(empty_ms, at_ms);
      if (turn_ms - at_ms > (most - 1) * drop_ms) return null;
      empty_ms = turn_ms + drop_ms;
      return as === "queue" ? turn_ms : at_ms;
    };
  };

/** Serves so many at once, each for a time. */
const inFlight =
  (most: number, takes_ms: number): Make =>
  () => {
    let ends_ms: readonly number[] = [];
    return ({ at_ms }) => {
      const busy_ms = ends_ms.filter((end_ms) => end_ms > at_ms);
      ends_ms = busy_ms.length < most ? [...busy_ms, at_ms + takes_ms] : busy_ms;
      return busy_ms.length < most ? at_ms + takes_ms : null;
    };
  };

const unlimited = ["12 or more", "none: nothing was refused", "none: nothing was refused"] as const;

export const limiterKinds: readonly LimiterKind[] = [
  kind("5, sliding log", slidingLog(5), 5, "5 in 1 s", "slides"),
  kind("7 in 1.5 s, sliding log", slidingLog(7, { length_ms: 1_500 }), 7, "7 in 1.5 s", "slides"),
  kind("5 in 1.2 s, sliding log", slidingLog(5, { length_ms: 1_200 }), 5, "5 in 1.2 s", "slides"),
  kind("5, counts what it refuses", slidingLog(5, { countsRefused: true }), 5, "5 in 1 s", "slides"),
  kind("5, two weighted windows", weighted(5), 5, "5 in 1 s", "slides"),
  kind("5, windows from the first request", fixedFromFirst(5), 5, "5 in 1 s", "fixed"),
  kind("5, windows at set times", fixed(5), 5, "5 in 1 s", "fixed"),
  kind("9 in 2 s, windows at set times", fixed(9, 2_000), 9, "9 in 2 s", "fixed"),
  kind("bucket of 5, 5 per second", bucket(5, 5), 5, "5 in 1 s", "refills steadily"),
  kind("bucket of 10, 5 per second", bucket(10, 5), 10, "10 in 2 s", "refills steadily"),
  kind("leaky bucket as a meter, 5, 4 per second", leaking(5, 4, "meter"), 5, "5 in 1.25 s", "refills steadily"),
  kind("leaky bucket as a queue, 6, 5 per second", leaking(6, 5, "queue"), 6, "6 in 1.2 s", "refills steadily"),
  kind("all wait", queueing(5), ...unlimited),
  kind("5, blocks for one window once exceeded", blocking(5), 5, "5 in 1 s", "fixed"),
  kind("5, blocks for 1.6 s once exceeded", blocking(5, 1_600), 5, "5 in 1 s", "fixed"),
  kind("3 at once, 300 ms each", inFlight(3, 300), 3),
  kind("5, sliding log, and 60 a minute", bothMade(slidingLog(5), fixed(60, 60_000)), 5, "5 in 1 s", "slides"),
  kind(
    "6 over 2 nodes, sliding logs",
    per(({ connection }) => connection % 2, slidingLog(3)),
    6,
    "6 in 1 s",
    "slides",
  ),
  kind(
    "a thousandth of a second decides",
    () =>
      ({ at_ms }) =>
        Math.floor(at_ms * 1_000) % 2 ? at_ms : null,
  ),
  kind("no limit", none, ...unlimited),
];
