// When is what sent to learn what a limiter does? Experiments as data. (register §2)

/** One request, at so many ms after the start. */
export interface Timed {
  readonly at_ms: number;
  /** Requests of one number may share a connection, of different numbers never do. */
  readonly connection: number;
  /** Which burst it belongs to, counted from 0. */
  readonly group: number;
  /** Who asks, of several; 0 where one asks all. */
  readonly caller: number;
}

export type Experiment = readonly Timed[];

/** The documented limit (§8): so many per second. */
export const limit = 5;
export const window_ms = 1_000;

/** So long nothing is sent before, so that every limiter has forgotten what came earlier. */
export const idle_ms = 3_000;

/** A burst that takes longer tells 5 from 6 no longer: a token bucket may have earned a sixth. */
export const longestBurst_ms = 190;

/** Twice the limit and two more: more than two windows of any limiter serve. */
export const burstSize = 12;

/** Phases against windows that begin with each second: two of three bursts lie within one, wherever it begins. */
const offsets_ms = [0, 310, 620] as const;

/** All at once, each on a connection of its own; callers take turns. */
const burst = (at_ms: number, size: number, { group = 0, callers = 1 } = {}): Experiment =>
  Array.from({ length: size }, (_, nth) => ({ at_ms, connection: nth, group, caller: nth % callers }));

const evenly = (perSecond: number, duration_s: number, connections: number): Experiment =>
  Array.from({ length: perSecond * duration_s }, (_, nth) => ({
    at_ms: idle_ms + (nth * 1000) / perSecond,
    connection: nth % connections,
    group: 0,
    caller: 0,
  }));

/** Three bursts at different phases, each after a rest; `callers` take turns within each. */
export const burstTriple = (callers = 1): Experiment =>
  offsets_ms.flatMap((offset_ms, group) => burst(idle_ms + group * idle_ms + offset_ms, burstSize, { group, callers }));

/** The group of the lone request that follows after another rest. */
export const recoveryGroup = offsets_ms.length;

const lastBurst_ms = idle_ms * offsets_ms.length + (offsets_ms.at(-1) ?? 0);

/** The triple, then one request once the rate has been low for a while. */
export const tripleAndRecovery: Experiment = [
  ...burstTriple(),
  { at_ms: lastBurst_ms + longestBurst_ms + idle_ms, connection: burstSize, group: recoveryGroup, caller: 0 },
];

/** Between the requests of a pair, so that one connection can carry them all. */
const apart_ms = 40;

/** As many as the limit, a pause, as many again: on one connection, as a single client sends them. */
export const pair = (pause_ms: number): Experiment =>
  [0, 1].flatMap((group) =>
    Array.from({ length: limit }, (_, nth) => ({
      at_ms: idle_ms + group * ((limit - 1) * apart_ms + pause_ms) + nth * apart_ms,
      connection: 0,
      group,
      caller: 0,
    })),
  );

/** Two windows and a bit: every correct limiter has room again. */
export const longPause_ms = 2_200;
/** One window and a bit: a weighted approximation still remembers. */
export const shortPause_ms = 1_200;

/** Well under the limit for a minute. */
export const steady: Experiment = evenly(3, 60, 4);

/** More than twice the limit for 20 s, over several connections. */
export const overload: Experiment = evenly(12, 20, 6);

/** As many as the limit of each of several callers, all at once. */
export const sideBySide = (callers: number): Experiment => burst(idle_ms, limit * callers, { callers });

/** What a plan allows in JSON-RPC calls (§8). */
export interface General {
  readonly perSecond: number;
  readonly burst: number;
  readonly quota?: number;
}

/** Above 5, so that the limit of sendBundle isn't taken for it. */
export const plainPlan: General = { perSecond: 8, burst: 8 };

/** More than twice what the plain plan serves at once. */
export const overPlan: Experiment = burst(idle_ms, 20);

/** Plans that differ from the plain one in one thing each, and what each is asked: one caller each. */
export const plans = {
  plain: plainPlan,
  "a larger burst": { perSecond: 8, burst: 24 },
  "more per second": { perSecond: 20, burst: 8 },
  "a quota": { perSecond: 20, burst: 20, quota: 10 },
} as const satisfies { readonly [name: string]: General };

/** Groups: a burst of the plain plan, one of the larger burst, a steady rate that the plain plan doesn't serve, and a quota, exceeded twice. */
export const acrossPlans: Experiment = [
  ...burst(idle_ms, 40).map((one) => ({ ...one, group: 0, caller: 0 })),
  ...burst(idle_ms + 300, 40).map((one) => ({ ...one, group: 1, caller: 1 })),
  ...evenly(15, 2, 8).map((one) => ({ ...one, at_ms: one.at_ms + 600, group: 2, caller: 2 })),
  ...burst(idle_ms + 450, 15).map((one) => ({ ...one, group: 3, caller: 3 })),
  ...burst(2 * idle_ms + 450, 5).map((one) => ({ ...one, group: 4, caller: 3 })),
];

/** One request after a rest. */
export const afterRest: Experiment = burst(idle_ms, 1);
