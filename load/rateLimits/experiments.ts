// Experiments on rate limits as data: which request leaves when, over which connection (register §2)

/** One request of an experiment. */
export interface Timed {
  /** After the start. */
  readonly at_ms: number;
  /** Requests with the same number may share a connection; those with different numbers never do. */
  readonly connection: number;
  /** Which burst it belongs to, counted from 0. */
  readonly group: number;
  /** Which of several callers sends it; 0 where there is one. */
  readonly caller: number;
}

export type Experiment = readonly Timed[];

/** The documented limit: requests per second (§8). */
export const documentedLimit = 5;
export const window_ms = 1_000;

/** A rest after which every limiter has forgotten earlier requests. */
export const idle_ms = 3_000;

/** In a longer burst a token bucket may earn a sixth request, so that 5 and 6 can't be distinguished. */
export const longestBurst_ms = 190;

/** Twice the limit and two more: no limiter serves as many in two windows. */
export const burstSize = 12;

/** Offsets within a second: wherever fixed windows begin, two of the three bursts lie within one window. */
const offsets_ms = [0, 310, 620] as const;

/** All at once, each over its own connection; callers take turns. */
const burst = (at_ms: number, size: number, { group = 0, callers = 1 } = {}): Experiment =>
  Array.from({ length: size }, (_, nth) => ({ at_ms, connection: nth, group, caller: nth % callers }));

const evenly = (perSecond: number, duration_s: number, connections: number): Experiment =>
  Array.from({ length: perSecond * duration_s }, (_, nth) => ({
    at_ms: idle_ms + (nth * 1000) / perSecond,
    connection: nth % connections,
    group: 0,
    caller: 0,
  }));

/** Three bursts at different phases, each after a rest; callers take turns within each. */
export const burstTriple = (callers = 1): Experiment =>
  offsets_ms.flatMap((offset_ms, group) => burst(idle_ms + group * idle_ms + offset_ms, burstSize, { group, callers }));

/** The group of the single request after another rest. */
export const recoveryGroup = offsets_ms.length;

const lastBurst_ms = idle_ms * offsets_ms.length + (offsets_ms.at(-1) ?? 0);

/** The three bursts, then one request after the rate has been low. */
export const tripleAndRecovery: Experiment = [
  ...burstTriple(),
  { at_ms: lastBurst_ms + longestBurst_ms + idle_ms, connection: burstSize, group: recoveryGroup, caller: 0 },
];

/** Between the requests of one group of a pair, so that one connection can carry them all. */
const apart_ms = 40;

/** As many as the limit, a pause, as many again: over one connection, as a single client sends them. */
export const pair = (pause_ms: number): Experiment =>
  [0, 1].flatMap((group) =>
    Array.from({ length: documentedLimit }, (_, nth) => ({
      at_ms: idle_ms + group * ((documentedLimit - 1) * apart_ms + pause_ms) + nth * apart_ms,
      connection: 0,
      group,
      caller: 0,
    })),
  );

/** More than two windows: every right limiter serves again. */
export const longPause_ms = 2_200;

/** Below the limit for a minute. */
export const steady: Experiment = evenly(3, 60, 4);

/** More than twice the limit for 20 s, over several connections. */
export const overload: Experiment = evenly(12, 20, 6);

/** Each of several callers sends as many as the limit, all at once. */
export const sideBySide = (callers: number): Experiment => burst(idle_ms, documentedLimit * callers, { callers });

/** What a plan allows in JSON-RPC calls (§8). */
export interface GeneralLimitTrial {
  readonly perSecond: number;
  readonly burst: number;
  readonly quota?: number;
}

/** More than the 5 of sendBundle, so that the two limits can't be confused. */
export const plainPlan: GeneralLimitTrial = { perSecond: 8, burst: 8 };

/** More than twice what the plain plan serves at once. */
export const overPlan: Experiment = burst(idle_ms, 20);

/** Plans that differ from the plain one in one number each; one caller has each. */
export const plans = {
  plain: plainPlan,
  "a larger burst": { perSecond: 8, burst: 24 },
  "more per second": { perSecond: 20, burst: 8 },
  "a quota": { perSecond: 20, burst: 20, quota: 10 },
} as const satisfies { readonly [name: string]: GeneralLimitTrial };

/** The groups of `acrossPlans`: bursts on two plans, a rate that the plain plan refuses, a quota that is used up. */
export const planGroups = { plain: 0, larger: 1, steady: 2, withinQuota: 3, beyondQuota: 4 } as const;

export const acrossPlans: Experiment = [
  ...burst(idle_ms, 40).map((one) => ({ ...one, group: planGroups.plain, caller: 0 })),
  ...burst(idle_ms + 300, 40).map((one) => ({ ...one, group: planGroups.larger, caller: 1 })),
  ...evenly(15, 2, 8).map((one) => ({ ...one, at_ms: one.at_ms + 600, group: planGroups.steady, caller: 2 })),
  ...burst(idle_ms + 450, 15).map((one) => ({ ...one, group: planGroups.withinQuota, caller: 3 })),
  ...burst(2 * idle_ms + 450, 5).map((one) => ({ ...one, group: planGroups.beyondQuota, caller: 3 })),
];

/** One request after a rest. */
export const afterRest: Experiment = burst(idle_ms, 1);
